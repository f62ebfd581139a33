/* SPDX-License-Identifier: Apache-2.0
 * file_sha256.c - the size and the SHA-256 of a file. */
#include "files/file_sha256.h"

#include "common/signals.h"
#include "files/io.h"

#include <errno.h>

file_digest file_sha256(const char *path, oc_error *e)
{
    unsigned char piece[1 << 14];
    file_digest d = {0};
    sha256 s = sha256_begin();
    const int file = io_open(path, e);
    if (file < 0)
        return d;
    const oc_reader in = io_reader(&file);
    size_t n;
    while ((n = in.read(in.ctx, piece, sizeof piece)) && n != (size_t)-1)
        sha256_add(&s, piece, n);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", path);
    else if (n)
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
    io_close(file);
    if (e->code != OC_OK)
        return d;
    d.bytes = s.size;
    sha256_end(&s, d.sha256);
    return d;
}
