/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.h - how is a transposed convolution made in NCHW16c whose kernels do not
 * overlap?
 *
 * Where the stride is the kernel's size and nothing is padded, each pixel of y has one tap:
 *
 *     y[m][h * kh + i][w * kw + j] = sum over c of x[c][h][w] * W[c][m][i][j]
 *
 * So a row of x times the matrix of tap i, j gives every kw-th pixel of a row of y. Tiles
 * (tile_nchw16c.h) write their sums there; nothing is spread afterwards. The order of the sums is
 * that of conv_transpose.h, to the bit. */
#ifndef OC_KERNELS_CONV_CONV_TRANSPOSE_NCHW16C_H
#define OC_KERNELS_CONV_CONV_TRANSPOSE_NCHW16C_H

#include "base/threads.h"
#include "base/work.h"

typedef struct oc_conv_transpose_nchw16c {
    unsigned cpu;   /* OC_CPU_ bits */
    const float *x; /* [images][blocks of channels][height][width][16], aligned as y is */
    const float *w; /* oc_conv_transpose_nchw16c_pack */
    const float *b; /* 16 for each block of output channels, aligned; NULL: nothing is added */
    float *y;       /* [images][blocks of output channels][height * rows][width * columns][16] */
    int64_t images, channels, out_channels, height, width;
    int64_t rows, columns; /* of the kernel. No size is 0 */
    oc_work work;
} oc_conv_transpose_nchw16c;

/* Floats of packed weights. */
int64_t oc_conv_transpose_nchw16c_size(int64_t channels, int64_t out_channels, int64_t taps);
/* Packs w, dense [channels][output channels][taps], into memory aligned to a cache line. */
void oc_conv_transpose_nchw16c_pack(float *packed, const float *w, int64_t channels,
                                    int64_t out_channels, int64_t taps, const oc_work *by);

void oc_conv_transpose_nchw16c_run(const oc_conv_transpose_nchw16c *g);

#endif
