/* SPDX-License-Identifier: Apache-2.0
 * packed_matmul.h - a matrix product whose right factor was packed before.
 *
 * b is packed as the weights of tiles are (tile_nchw16c.h): 16 columns side by side, [block of
 * columns][row][16]. A row of a is a position, and its elements are channels. Sums are those of
 * matmul.h, to the bit. */
#pragma once

#include "base/work.h"
#include "kernels/matmul/tile_nchw16c.h"

/* A function that runs on elements at to at+n-1 of all results once their sums are complete in
 * y. run NULL: there is none. */
typedef struct oc_matmul_epilogue {
    void (*run)(const void *ctx, float *y, int64_t at, int64_t n);
    const void *ctx;
} oc_matmul_epilogue;

/* Runs the epilogue on columns first to last-1 of `rows` rows, from number `row` of all results
 * on; y has n columns. Whole rows are one run of elements. */
static inline void oc_matmul_finish(const oc_matmul_epilogue *after, float *y, int64_t n,
                                    int64_t row, int64_t rows, int64_t first, int64_t last)
{
    const bool whole = last - first == n;
    if (after->run && whole)
        after->run(after->ctx, y + row * n, row * n, rows * n);
    for (int64_t i = row; i < row + rows && after->run && !whole; i++)
        after->run(after->ctx, y + i * n + first, i * n + first, last - first);
}

typedef struct oc_packed_matmul {
    unsigned cpu;    /* OC_CPU_ bits */
    const float *a;  /* m x k, dense */
    const float *b;  /* packed by oc_packed_matmul_pack */
    float *y;        /* m x n, dense */
    int64_t m, k, n; /* all at least 1 */
    oc_matmul_epilogue after;
    oc_work work;
} oc_packed_matmul;

/* Returns the number of floats in a packed matrix. */
int64_t oc_packed_matmul_size(int64_t k, int64_t n);
/* Packs b, dense, into memory aligned to a cache line. transposed: b is stored n x k. */
void oc_packed_matmul_pack(const oc_work *w, unsigned cpu, float *packed, const float *b, int64_t k,
                           int64_t n, bool transposed);
/* As oc_packed_matmul_pack, but packs b, stored n x k, into its own memory; n is a multiple of
 * 16. room holds 16 * k floats. */
void oc_packed_matmul_pack_over(const oc_work *w, unsigned cpu, float *b, float *room, int64_t k,
                                int64_t n);

void oc_packed_matmul_run(const oc_packed_matmul *g);
