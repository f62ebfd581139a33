/* SPDX-License-Identifier: Apache-2.0
 * lane_matrix.h - how is a matrix product made whose right factor was packed before?
 *
 * b lies as weights of tiles do (lane_tile.h): 16 columns side by side, [block of
 * columns][row][16]. A row of a is a position, and its elements are channels. Sums are those of
 * matmul.h, to the bit. */
#ifndef OC_KERNELS_LANES_LANE_MATRIX_H
#define OC_KERNELS_LANES_LANE_MATRIX_H

#include "base/threads.h"
#include "kernels/common/rounds.h"
#include "kernels/lanes/lane_tile.h"

typedef struct oc_lane_matrix {
    unsigned cpu;    /* OC_CPU_ bits */
    const float *a;  /* m x k, dense */
    const float *b;  /* oc_lane_matrix_pack */
    float *y;        /* m x n, dense */
    int64_t m, k, n; /* none is 0 */
    oc_go_on go_on;
} oc_lane_matrix;

/* Floats of a packed matrix. */
int64_t oc_lane_matrix_packed(int64_t k, int64_t n);
/* Packs b, dense, into memory aligned to a cache line. turned: b is stored n x k. */
void oc_lane_matrix_pack(oc_go_on go_on, unsigned cpu, float *packed, const float *b, int64_t k,
                         int64_t n, bool turned);

void oc_lane_matrix_run(const oc_lane_matrix *g, const oc_parallel *parallel, int threads);

#endif
