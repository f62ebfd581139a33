/* SPDX-License-Identifier: Apache-2.0
 * fresh.h - memory that nobody has written since it was handed out. With OC_FRESH_PATTERN, for
 * tests, it is filled with a pattern that is a NaN in every floating type and no index of anything,
 * so that a result which was never computed is seen. Otherwise oc_fresh does nothing. */
#ifndef OC_BASE_FRESH_H
#define OC_BASE_FRESH_H

#include <stddef.h>

#ifdef OC_FRESH_PATTERN
#include <string.h>

/* The pattern's bytes alternate. Of a large block the beginning and the end are filled. */
enum { OC_FRESH_LOW = 0xfd, OC_FRESH_HIGH = 0x7f, OC_FRESH_MOST = 1 << 20, OC_FRESH_END = 1 << 12 };

static inline void oc_fresh_fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < 2; i++)
        bytes[i] = i ? OC_FRESH_HIGH : OC_FRESH_LOW;
    for (size_t done = 2; done < size; done *= 2)
        memcpy(bytes + done, bytes, done < size - done ? done : size - done);
}

static inline void oc_fresh(void *p, size_t size)
{
    unsigned char *bytes = p;
    size_t end = size > OC_FRESH_MOST + OC_FRESH_END ? size - OC_FRESH_END : OC_FRESH_MOST;
    end -= end % 2; /* every element's first byte is OC_FRESH_LOW */
    oc_fresh_fill(bytes, size < OC_FRESH_MOST ? size : OC_FRESH_MOST);
    if (size > end)
        oc_fresh_fill(bytes + end, size - end);
}
#else
static inline void oc_fresh(void *p, size_t size)
{
    (void)p, (void)size;
}
#endif

#endif
