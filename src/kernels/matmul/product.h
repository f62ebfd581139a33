/* SPDX-License-Identifier: Apache-2.0
 * product.h - sums of products that stay in registers. MatMul, Conv and Attention are made of them.
 *
 * Each sum adds its products in order, by fused multiply-adds: the sum is rounded, the product is
 * not. So the bits depend neither on which sums form a tile nor on where rows and columns are
 * cut. */
#pragma once

#include "kernels/common/variant.h"

#include <ocellus.h>
#include <stdbool.h>

/* y[r][j] becomes the sum over k = 0 .. n-1, in that order, of a[r][k] * b[k][j]. */
typedef struct oc_product {
    void *y;
    const void *a, *b;
    int64_t y_step, a_step, b_step; /* elements from one row to the next */
    int64_t rows, columns, n;       /* rows and columns of y; products of each sum */
    bool more;                      /* true: sums begin with what y holds; false: with 0 */
} oc_product;

typedef void oc_product_fn(const oc_product *p);

/* The products for one instruction set. */
typedef struct oc_product_variant {
    const char *isa;
    unsigned need;
    oc_product_fn *f32, *f64;
    oc_product_fn *pairs;             /* see oc_product_pick_pairs */
    oc_product_fn *few_f32, *few_f64; /* for few rows or few columns, where tiles do not pay */
} oc_product_variant;

extern const oc_product_variant *const oc_product_variants[]; /* best first, the last is scalar */

/* type is OC_F32 or OC_F64. */
oc_product_fn *oc_product_pick(oc_type type, unsigned cpu);
/* Returns the product of int16 matrices, whose sums are int32 that wrap. Elements of y are
 * uint32_t. An element of a or b is a uint32_t that holds two neighbours along k, the first in
 * its low half; the product of two such pairs is the sum of both products. So n counts pairs. */
oc_product_fn *oc_product_pick_pairs(unsigned cpu);
