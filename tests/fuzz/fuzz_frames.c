/* SPDX-License-Identifier: Apache-2.0
 * fuzz_frames.c - any bytes as a stream of pictures, read in pieces of two sizes: equal pictures,
 * in their order, and errors of one kind. */
#include "harness.h"
#include "files/frames.h"

#include <stdlib.h>

enum { CAP = 1 << 16, MOST = 64 };

typedef struct feed {
    const uint8_t *at, *end;
    size_t step;
} feed;

static size_t give(void *ctx, void *buffer, size_t size)
{
    feed *f = ctx;
    size_t n = size < f->step ? size : f->step;
    if (n > (size_t)(f->end - f->at))
        n = (size_t)(f->end - f->at);
    memcpy(buffer, f->at, n);
    f->at += n;
    return n;
}

/* Notes the sizes of the first pictures. Each must lie behind the one before. */
static int read_all(const uint8_t *bytes, size_t size, size_t step, size_t sizes[MOST], oc_error *e)
{
    feed from = {bytes, bytes + size, step};
    const oc_reader in = {give, &from};
    io_bytes out = {0};
    frames f;
    size_t at = 0;
    int n = 0;
    frames_begin(&f, &in, "fuzz", CAP);
    while (n < MOST && frames_next(&f, &out, e)) {
        while (at < size && n && memchr("\0 \t\n\v\f\r", bytes[at], 7))
            at++;
        if (out.size == 0 || out.size > CAP || out.size > size - at ||
            memcmp(bytes + at, out.data, out.size) != 0)
            abort();
        at += out.size;
        sizes[n++] = out.size;
    }
    frames_close(&f);
    io_bytes_free(&out);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t one[MOST] = {0}, two[MOST] = {0};
    oc_error e = {0}, other = {0};
    if (size == 0)
        return 0;
    const int n = read_all(bytes + 1, size - 1, 1 + bytes[0] % 64u, one, &e);
    const int m = read_all(bytes + 1, size - 1, SIZE_MAX, two, &other);
    if (n != m || memcmp(one, two, sizeof one) != 0 || e.code != other.code)
        abort();
    return 0;
}
