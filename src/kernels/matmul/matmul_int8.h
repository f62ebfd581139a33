/* SPDX-License-Identifier: Apache-2.0
 * matmul_int8.h - a product of matrices of 8-bit integers, by the tiles of tile_int8.h.
 *
 * Rows of the left factor are positions, columns of the right factor are output channels. The
 * right factor is packed; once, if it is constant. */
#pragma once

#include "base/work.h"
#include "kernels/matmul/tile_int8.h"

/* y[i][j] = first[j] + the sum of a[i] * b[j] - less[i] * z[j]; with rescale, y is that sum made
 * an 8-bit integer as tile_int8.h says. */
typedef struct oc_matmul_int8 {
    unsigned cpu; /* OC_CPU_ bits */
    /* m rows of k numbers, as oc_matmul_int8_rows makes them; k is a multiple of
     * OC_INT8_TOGETHER. */
    const uint8_t *a;
    const int8_t *b; /* packed by oc_matmul_int8_pack */
    /* first and z have a number for each column, rounded up to a multiple of 16. less has one
     * for each row; NULL: nothing is subtracted. */
    const int32_t *first, *less, *z;
    const oc_rescale *rescale; /* with as many factors as first has numbers; NULL: y is int32 */
    void *y;                   /* m x n, dense */
    int64_t m, k, n;           /* all at least 1 */
    oc_work work;
} oc_matmul_int8;

/* Returns k rounded up to a multiple of OC_INT8_TOGETHER, at least that. */
int64_t oc_matmul_int8_depth(int64_t k);
/* Returns the bytes of a packed matrix, aligned to a cache line. */
int64_t oc_matmul_int8_packed(int64_t k, int64_t n);
/* Packs b, which is k x n, or n x k when it is stored as its transpose. Each byte has 128
 * subtracted when flip is OC_INT8_SIGN. Rows behind k become 0. sum gets the sum of each column
 * as packed; it has as many numbers as oc_matmul_int8.first. */
void oc_matmul_int8_pack(unsigned cpu, int8_t *packed, int32_t *sum, const uint8_t *b, int64_t k,
                         int64_t n, bool transposed, uint8_t flip, const oc_work *by);
/* Returns the bytes of a row of oc_matmul_int8.a. If this is `depth`, the unchanged bytes may
 * serve as rows. */
int64_t oc_matmul_int8_row(unsigned cpu, int64_t depth);
/* Copies rows of k bytes as oc_matmul_int8.a needs them, with the bits of flip inverted. The
 * bytes behind k may hold any number. */
void oc_matmul_int8_rows(unsigned cpu, uint8_t *to, const uint8_t *a, int64_t rows, int64_t k,
                         uint8_t flip, const oc_work *by);
/* sum[i] becomes the sum of the k bytes of row i, each with the bits of flip inverted and `off`
 * subtracted. */
void oc_matmul_int8_sums(int32_t *sum, const uint8_t *a, int64_t rows, int64_t k, uint8_t flip,
                         int32_t off, const oc_work *by);

/* Returns the work in products (base/threads.h); reading b counts as the products that take as
 * long. */
static inline double oc_matmul_int8_work(int64_t m, int64_t k, int64_t n)
{
    enum { STREAMED = 5 };
    return (double)(m + STREAMED) * (double)k * (double)n / OC_INT8_TOGETHER;
}
void oc_matmul_int8_run(const oc_matmul_int8 *g);
