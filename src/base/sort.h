/* SPDX-License-Identifier: Apache-2.0
 * sort.h - the one sort of items in memory. It is stable, and needs room for a copy of all
 * items. */
#pragma once

#include "base/int.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns less than 0 when *a comes before *b, more than 0 when it comes after it. */
typedef int oc_compare(const void *ctx, const void *a, const void *b);

/* Merges a run of n_a items and the run of n_b items that follows it into `to`. */
static inline void oc_sort_merge(char *to, const char *from, size_t n_a, size_t n_b, size_t size,
                                 oc_compare *compare, const void *ctx)
{
    const char *a = from, *b = from + n_a * size, *const end_a = b, *const end_b = b + n_b * size;
    for (; a < end_a || b < end_b; to += size) {
        const bool first = b == end_b || (a < end_a && compare(ctx, a, b) <= 0);
        memcpy(to, first ? a : b, size);
        a += first ? size : 0;
        b += first ? 0 : size;
    }
}

/* Sorts n items of size bytes with at most n log2 n comparisons. Items that compare equal keep
 * their order. spare has room for n items. It is inline, so that it copies items of a known size
 * fast. */
static inline void oc_sort(void *items, void *spare, size_t n, size_t size, oc_compare *compare,
                           const void *ctx)
{
    char *from = items, *to = spare;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            const size_t n_a = oc_min(n - at, run);
            oc_sort_merge(to + at * size, from + at * size, n_a, oc_min(n - at - n_a, run), size,
                          compare, ctx);
        }
        char *const merged = to;
        to = from;
        from = merged;
    }
    if (from != (char *)items)
        memcpy(items, from, n * size);
}
