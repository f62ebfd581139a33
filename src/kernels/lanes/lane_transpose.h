/* SPDX-License-Identifier: Apache-2.0
 * lane_transpose.h - how is a transposed convolution made in lanes whose kernels do not overlap?
 *
 * Where the stride is the kernel's size and nothing is padded, each pixel of y has one tap:
 *
 *     y[m][h * kh + i][w * kw + j] = sum over c of x[c][h][w] * W[c][m][i][j]
 *
 * So a row of x times the matrix of tap i, j gives every kw-th pixel of a row of y. Tiles
 * (lane_tile.h) write their sums there; nothing is spread afterwards. The order of the sums is that
 * of conv_transpose.h, to the bit. */
#ifndef OC_KERNELS_LANES_LANE_TRANSPOSE_H
#define OC_KERNELS_LANES_LANE_TRANSPOSE_H

#include "base/threads.h"
#include "kernels/common/rounds.h"

typedef struct oc_lane_transpose {
    unsigned cpu;   /* OC_CPU_ bits */
    const float *x; /* [images][blocks of channels][height][width][16], aligned as y is */
    const float *w; /* oc_lane_transpose_pack */
    const float *b; /* 16 for each block of maps, aligned; NULL: nothing is added */
    float *y;       /* [images][blocks of maps][height * rows][width * columns][16] */
    int64_t images, channels, maps, height, width;
    int64_t rows, columns; /* of the kernel. No size is 0 */
    oc_go_on go_on;
} oc_lane_transpose;

/* Floats of packed weights. */
int64_t oc_lane_transpose_packed(int64_t channels, int64_t maps, int64_t taps);
/* Packs w, dense [channels][maps][taps], into memory aligned to a cache line; what the pace ends is
 * not defined. */
void oc_lane_transpose_pack(float *packed, const float *w, int64_t channels, int64_t maps,
                            int64_t taps, oc_pace *pace);

void oc_lane_transpose_run(const oc_lane_transpose *g, const oc_parallel *parallel, int threads);

#endif
