/* SPDX-License-Identifier: Apache-2.0
 * half_matmul.h - a matrix product of float16 or bfloat16 whose right factor was packed before.
 *
 * b is packed as in packed_matmul.h, in halves. Some rows of a are widened to floats once. Then
 * one panel of b after the other is widened, and all these rows use it while it is in the first
 * cache. The sums wait in floats until they are complete and the epilogue has run, and are
 * rounded to y:
 *
 *     a, half --widen--> rows -------+
 *     b, half --widen--> panel ---tiles---> sums --epilogue--> narrow ---> y, half
 *
 * Sums are those of matmul.h of the numbers in float, to the bit. */
#pragma once

#include "kernels/matmul/packed_matmul.h"

typedef struct oc_half_matmul {
    unsigned cpu;             /* OC_CPU_ bits */
    oc_type type;             /* OC_F16 or OC_BF16 */
    const uint16_t *a;        /* m x k, dense */
    const uint16_t *b;        /* packed by oc_half_matmul_pack; oc_packed_matmul_size halves */
    uint16_t *y;              /* m x n, dense */
    int64_t m, k, n;          /* all at least 1 */
    oc_matmul_epilogue after; /* runs on the sums before they are rounded */
    oc_work work;
} oc_half_matmul;

/* Packs b, dense, into memory of oc_packed_matmul_size halves. transposed: b is stored n x k. */
void oc_half_matmul_pack(const oc_work *w, unsigned cpu, uint16_t *packed, const uint16_t *b,
                         int64_t k, int64_t n, bool transposed);

/* Returns the bytes of scratch memory, aligned to a cache line. */
uint64_t oc_half_matmul_scratch(const oc_half_matmul *g);
void oc_half_matmul_run(const oc_half_matmul *g, void *scratch);
