/* SPDX-License-Identifier: Apache-2.0
 * half_row.h - how is one row of floats multiplied by a packed matrix of float16 or bfloat16?
 *
 * Each weight is used once, so it is widened in the register in which it is multiplied. */
#ifndef OC_KERNELS_MATMUL_HALF_ROW_H
#define OC_KERNELS_MATMUL_HALF_ROW_H

#include "kernels/layout/nchw16c.h"

enum { OC_HALF_ROW_BLOCKS = 4 }; /* of columns, as many as hide what an addition waits for */

typedef struct oc_half_row {
    float *y;          /* 16 sums for each block, which the products are added to */
    const float *a;    /* n */
    const uint16_t *b; /* [block][n][16]; blocks are b_step halves apart */
    int64_t n, b_step;
} oc_half_row;

typedef void oc_half_row_fn(const oc_half_row *r, int blocks);

/* One per type and instruction set. */
typedef struct oc_half_row_variant {
    const char *isa;
    unsigned need;
    oc_half_row_fn *run; /* 1 to OC_HALF_ROW_BLOCKS blocks */
} oc_half_row_variant;

extern const oc_half_row_variant *const oc_half_row_f16_variants[]; /* best first, last is scalar */
extern const oc_half_row_variant *const oc_half_row_bf16_variants[];

/* type: OC_F16 or OC_BF16. */
oc_half_row_fn *oc_half_row_pick(oc_type type, unsigned cpu);

#endif
