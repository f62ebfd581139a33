/* SPDX-License-Identifier: Apache-2.0
 * head_cache.h - caches of keys or values, [batch, heads, rows, size], that grow at another row in
 * each batch, as floats or as small integers with scales. */
#pragma once

#include "ops/kit/op.h"

typedef struct oc_head_cache {
    int past, present, scale; /* input, output, input of scales */
    oc_type type; /* type of the elements: a float type, int8, or uint8 with two numbers each */
    int64_t batch, heads, rows, size;
    int64_t past_rows;   /* rows of a head in the input */
    const int64_t *kept; /* past rows in use, for each batch */
    int64_t added;       /* rows that are added behind them */
    bool by_channel;     /* true: each head and element has its own scale */
} oc_head_cache;

/* Returns the elements of a row in the cache: bytes if two numbers share one. */
int64_t oc_head_cache_width(const oc_head_cache *h);
/* Fills the cache with past rows, `rows` [batch][heads][added][size] and zeros: the output, where
 * it is wanted. *all becomes the numbers in it as floats. */
oc_status oc_head_cache_fill(oc_call *c, const oc_head_cache *h, const float *rows,
                             const float **all);
