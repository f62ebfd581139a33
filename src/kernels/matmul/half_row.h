/* SPDX-License-Identifier: Apache-2.0
 * half_row.h - multiplies one row of floats by a packed matrix of float16 or bfloat16.
 *
 * Each weight is used once, so it is widened in the register in which it is multiplied. */
#pragma once

#include "kernels/layout/nchw16c.h"

/* blocks of columns that are computed together, enough to hide the latency of an addition */
enum { OC_HALF_ROW_BLOCKS = 4 };

typedef struct oc_half_row {
    float *y;          /* 16 sums for each block; the products are added to them */
    const float *a;    /* n numbers */
    const uint16_t *b; /* [block][n][16]; a block begins b_step halves after the one before */
    int64_t n, b_step;
} oc_half_row;

typedef void oc_half_row_fn(const oc_half_row *r, int blocks);

/* The function of one type for one instruction set. */
typedef struct oc_half_row_variant {
    const char *isa;
    unsigned need;
    oc_half_row_fn *run; /* for 1 to OC_HALF_ROW_BLOCKS blocks */
} oc_half_row_variant;

extern const oc_half_row_variant *const oc_half_row_f16_variants[]; /* best first, last is scalar */
extern const oc_half_row_variant *const oc_half_row_bf16_variants[];

/* type is OC_F16 or OC_BF16. */
oc_half_row_fn *oc_half_row_pick(oc_type type, unsigned cpu);
