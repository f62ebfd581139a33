/* SPDX-License-Identifier: Apache-2.0
 * order.h - in which order are the elements of a row?
 *
 * Each element becomes a key, an integer. Keys compare as the elements do: -0 and 0 have one
 * key, and all NaNs have one key, above or below those of all numbers. Sorts are stable.
 *
 * When the work is ended early a function returns false, and what it made is undefined. */
#pragma once

#include "base/work.h"

/* How elements become keys. */
typedef struct oc_keys {
    oc_type type;  /* an integer, bool, float16, bfloat16, float or double */
    bool flip;     /* true: the greatest element has the least key */
    bool nan_last; /* true: NaN has the greatest key, whatever flip is; false: the least */
} oc_keys;

/* Does the type have elements of 64 bits? Its keys are int64_t, those of all others int32_t. */
static inline bool oc_keys_are_wide(oc_type type)
{
    return oc_type_size(type) == 8;
}

/* Make the keys of n elements, for wide types and for the others. */
void oc_keys_wide(const oc_keys *k, int64_t *key, const void *x, int64_t n);
void oc_keys_narrow(const oc_keys *k, int32_t *key, const void *x, int64_t n);

/* An element of a row: its key, mapped to an unsigned integer that keeps the order, and its
 * index. */
typedef struct oc_ranked {
    uint64_t key;
    int64_t index;
} oc_ranked;

/* Makes all n elements of a row, in the row's order. */
void oc_order_rank(const oc_keys *k, oc_ranked *to, const void *x, int64_t n, const oc_work *w);
/* Sorts n elements by key, in a time proportional to n. spare has room for n more. */
void oc_order_sort(oc_ranked *x, oc_ranked *spare, int64_t n, const oc_work *w);

/* The first `wanted` <= n elements of a sorted row of n are written to `to`, which has room for
 * oc_order_room(n, wanted) elements. The time is proportional to n, whatever the elements are. */
int64_t oc_order_room(int64_t n, int64_t wanted);
void oc_order_first(const oc_keys *k, oc_ranked *to, const void *x, int64_t n, int64_t wanted,
                    const oc_work *w);

/* compare(ctx, a, b) < 0 means that thing a is before thing b. */
typedef int oc_compare_fn(const void *ctx, int64_t a, int64_t b);
/* Sorts n numbers of things with at most n log2 n comparisons. spare has room for n more. */
void oc_order_merge(int64_t *x, int64_t *spare, int64_t n, oc_compare_fn *compare, const void *ctx,
                    const oc_work *w);
