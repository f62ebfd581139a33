/* SPDX-License-Identifier: Apache-2.0
 * split.c - reads a stream of pictures from standard input, tells each on standard error, and
 * writes the pictures to standard output as a stream of that kind. */
#include "common/limits.h"
#include "common/signals.h"
#include "files/frames.h"

#include <stdio.h>

int main(void)
{
    oc_error e = {0};
    io_bytes b = {0};
    io_file out;
    image m = {0};
    frames f;
    signals_catch();
    io_create(&out, "-", &e);
    frames_open(&f, "-", LIMIT_FILE, &e);
    while (frames_next(&f, &b, &e)) {
        image_read(&m, b.data, b.size, LIMIT_FILE, "standard input", &e);
        if (e.code == OC_OK)
            fprintf(stderr, "%d %d %zu %d %d %d\n", (int)f.n, (int)f.kind, b.size, m.width,
                    m.height, m.channels);
        frames_write(&m, f.kind, &out, &e);
        image_free(&m);
    }
    frames_close(&f);
    io_bytes_free(&b);
    io_commit(&out, &e);
    if (e.code != OC_OK)
        fprintf(stderr, "%s\n", e.text);
    return e.code != OC_OK;
}
