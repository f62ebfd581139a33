/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.h - how is a transposed convolution made in NCHW16c?
 *
 * Part by part (conv_transpose_part.h): each is a convolution of stride 1 (conv_nchw16c.h) that
 * writes its results where they belong. Nothing is spread afterwards.
 *
 *     stride 2, kernel 4      y0 y1 y2 y3 y4 ..
 *                             |     |     |        x[i-1] * w[3] + x[i] * w[1]
 *                                |     |           x[i] * w[2] + x[i+1] * w[0]
 *
 * The order of the sums is that of conv_transpose.h, to the bit. */
#ifndef OC_KERNELS_CONV_CONV_TRANSPOSE_NCHW16C_H
#define OC_KERNELS_CONV_CONV_TRANSPOSE_NCHW16C_H

#include "kernels/conv/conv_types.h"

/* Can g's algorithm make every part, over one axis or two, and has every position a tap? g is as
 * conv_nchw16c.h has it, but that the window is that of the transposed convolution, and nothing
 * follows. The algorithm is OC_CONV_TILES or OC_CONV_GROUPS. */
bool oc_conv_transpose_nchw16c_suits(const oc_conv_nchw16c *g);

/* Floats of packed weights: g's groups, channels, output channels and window tell. */
int64_t oc_conv_transpose_nchw16c_packed(const oc_conv_nchw16c *g);
/* Packs w, dense [groups][channels][output channels][kernel...], into memory aligned to a cache
 * line: the weights of one part after the other, each as conv_weights.h states. */
void oc_conv_transpose_nchw16c_pack(const oc_conv_nchw16c *g, float *packed, const float *w,
                                    const oc_work *by);

/* Bytes of scratch memory that oc_conv_transpose_nchw16c_run needs, aligned to a cache line. */
size_t oc_conv_transpose_nchw16c_scratch(const oc_conv_nchw16c *g);
void oc_conv_transpose_nchw16c_run(const oc_conv_nchw16c *g, void *scratch);

#endif
