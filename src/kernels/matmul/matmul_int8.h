/* SPDX-License-Identifier: Apache-2.0
 * matmul_int8.h - how is a product of matrices of 8-bit integers made, by the tiles of tile_int8.h?
 *
 * Rows of the left factor are positions, the columns of the right one output channels. The right
 * one is packed: once, if it is constant. */
#ifndef OC_KERNELS_MATMUL_MATMUL_INT8_H
#define OC_KERNELS_MATMUL_MATMUL_INT8_H

#include "base/work.h"
#include "kernels/matmul/tile_int8.h"

/* y[i][j] = first[j] + the sum of a[i] * b[j] - less[i] * z[j], or what tile_int8.h makes of it. */
typedef struct oc_matmul_int8 {
    unsigned cpu;                    /* OC_CPU_ bits */
    const uint8_t *a;                /* m rows (oc_matmul_int8_rows) of k numbers; k is a multiple
                                        of OC_INT8_TOGETHER */
    const int8_t *b;                 /* oc_matmul_int8_pack */
    const int32_t *first, *less, *z; /* first, z: one for each column, and as many more as make a
                                        multiple of 16; less NULL: nothing is taken off */
    const oc_rescale *rescale;       /* factors as many as first has; NULL: y is int32 */
    void *y;                         /* m x n, dense */
    int64_t m, k, n;                 /* 1 or more */
    oc_work work;
} oc_matmul_int8;

/* k, rounded up to a multiple of OC_INT8_TOGETHER, and no less than that. */
int64_t oc_matmul_int8_depth(int64_t k);
/* Bytes of a packed matrix, aligned to a cache line. */
int64_t oc_matmul_int8_packed(int64_t k, int64_t n);
/* Packs b, k x n, or n x k where it is stored as its transpose: each byte less 128 where flip is
 * OC_INT8_SIGN. Rows behind k are 0. sum, as many numbers as oc_matmul_int8.first: of each column,
 * as packed. */
void oc_matmul_int8_pack(unsigned cpu, int8_t *packed, int32_t *sum, const uint8_t *b, int64_t k,
                         int64_t n, bool transposed, uint8_t flip, const oc_work *by);
/* Bytes of a row of oc_matmul_int8.a; where they are `depth`, rows may be the bytes themselves. */
int64_t oc_matmul_int8_row(unsigned cpu, int64_t depth);
/* Copies rows of k bytes as oc_matmul_int8.a, their top bit inverted by flip; any number may follow
 * behind k. */
void oc_matmul_int8_rows(unsigned cpu, uint8_t *to, const uint8_t *a, int64_t rows, int64_t k,
                         uint8_t flip, const oc_work *by);
/* sum[i] becomes the sum of the k bytes of row i of a matrix, each with `flip` inverted, less off.
 */
void oc_matmul_int8_sums(int32_t *sum, const uint8_t *a, int64_t rows, int64_t k, uint8_t flip,
                         int32_t off, const oc_work *by);

/* Products (base/threads.h), those in the time that b takes to be read among them. */
static inline double oc_matmul_int8_work(int64_t m, int64_t k, int64_t n)
{
    enum { STREAMED = 5 };
    return (double)(m + STREAMED) * (double)k * (double)n / OC_INT8_TOGETHER;
}
void oc_matmul_int8_run(const oc_matmul_int8 *g);

#endif
