/* SPDX-License-Identifier: Apache-2.0
 * fresh.h - a pattern for memory that nobody has written since it was handed out.
 *
 * Tests are built with OC_FRESH_PATTERN. The pattern is a NaN in every floating type and is no
 * valid index, so a result that was never computed is seen. Without OC_FRESH_PATTERN oc_fresh
 * does nothing. */
#pragma once

#include <stddef.h>

#ifdef OC_FRESH_PATTERN
#include <string.h>

/* The bytes of the pattern alternate between LOW and HIGH. A block of more than MOST bytes is
 * filled in its first and last END bytes only. */
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
    end -= end % 2; /* so that the first byte of every element is OC_FRESH_LOW */
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
