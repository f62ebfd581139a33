/* SPDX-License-Identifier: Apache-2.0
 * pieces.c - copies of bytes in a row, piece by piece, and a question to the watch before each. */
#include "kernels/common/pieces.h"
#include "ops/kit/op.h"

#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes that are repeated at a time: the second cache has them still */

void oc_call_copy(oc_call *c, void *dst, const void *src, size_t size)
{
    oc_call_copy_rows(c, dst, size, src, size, size, 1);
}

void oc_call_zero(oc_call *c, void *dst, size_t size)
{
    oc_pace_zero(&(oc_pace){oc_call_go_on(c), 0}, dst, size);
}

void oc_call_repeat(oc_call *c, void *block, size_t size, int64_t n)
{
    oc_pace pace = {oc_call_go_on(c), 0};
    char *p = block;
    const size_t total = size * (size_t)n;
    size_t done = size;
    for (size_t part; done < total && done < PIECE; done += part) {
        part = done < total - done ? done : total - done;
        memcpy(p + done, p, part);
    }
    for (size_t part; done < total; done += part) {
        part = PIECE < total - done ? PIECE : total - done;
        if (!oc_pace_on(&pace, (int64_t)part * OC_ELEMENT))
            return;
        memcpy(p + done, p + done % size, part);
    }
}
