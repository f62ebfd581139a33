/* SPDX-License-Identifier: Apache-2.0
 * copy_bytes.c - copies of bytes in a row, piece by piece. */
#include "ops/kit/call.h"

enum { PIECE = 1 << 20 }; /* bytes that are repeated at a time: the second cache still holds them */

void oc_call_copy(oc_call *c, void *dst, const void *src, size_t size)
{
    oc_call_copy_rows(c, dst, size, src, size, size, 1);
}

void oc_call_zero(oc_call *c, void *dst, size_t size)
{
    oc_watch_zero(c->services->watch, dst, size);
}

void oc_call_repeat(oc_call *c, void *block, size_t size, int64_t n)
{
    char *to = block;
    const size_t total = size * (size_t)n;
    size_t done = size;
    for (size_t part; done < total && done < PIECE; done += part) {
        part = oc_min(done, total - done);
        memcpy(to + done, to, part);
    }
    const size_t left = done < total ? total - done : 0;
    OC_CALL_LOOP (c, i, (int64_t)(oc_div_up(left, PIECE)), 1) {
        const size_t at = done + (size_t)i * PIECE;
        memcpy(to + at, to + at % size, oc_min(PIECE, total - at));
    }
}
