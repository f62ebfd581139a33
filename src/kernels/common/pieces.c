/* SPDX-License-Identifier: Apache-2.0
 * pieces.c - memcpy and memset that look at a pace between pieces. */
#include "kernels/common/pieces.h"

#include <string.h>

enum {
    PIECE = 1 << 20, /* bytes */
    BYTE = 4         /* products that take as long as one */
};

bool oc_pace_copy(oc_pace *pace, void *dst, const void *src, size_t size)
{
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < PIECE ? size - done : PIECE;
        if (!oc_pace_on(pace, (int64_t)part * BYTE))
            return false;
        memcpy((char *)dst + done, (const char *)src + done, part);
    }
    return true;
}

bool oc_pace_zero(oc_pace *pace, void *dst, size_t size)
{
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < PIECE ? size - done : PIECE;
        if (!oc_pace_on(pace, (int64_t)part * BYTE))
            return false;
        memset((char *)dst + done, 0, part);
    }
    return true;
}
