/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose_nchw16c.h - transposed convolution whose output is NCHW16c.
 *
 * It is made part by part (conv_transpose_part.h). Each part is a convolution of stride 1
 * (conv_nchw16c.h) that writes its results to their places in the output.
 *
 *     stride 2, kernel 4      y0 y1 y2 y3 y4 ..
 *                             |     |     |        x[i-1] * w[3] + x[i] * w[1]
 *                                |     |           x[i] * w[2] + x[i+1] * w[0]
 *
 * The order of the sums is that of conv_transpose.h, to the bit. */
#pragma once

#include "kernels/conv/conv_types.h"

/* Can g's algorithm make every part, over one axis or two, and does every position have a tap? g
 * is as in conv_nchw16c.h, except that the window is that of the transposed convolution and
 * there is no epilogue. The algorithm is OC_CONV_TILES or OC_CONV_GROUPS. */
bool oc_conv_transpose_nchw16c_suits(const oc_conv_nchw16c *g);

/* Returns the number of floats in packed weights. It reads g's groups, channels, output channels
 * and window. */
int64_t oc_conv_transpose_nchw16c_packed(const oc_conv_nchw16c *g);
/* Packs w, dense [groups][channels][output channels][kernel...], into memory aligned to a cache
 * line: the weights of one part after the other, each as conv_weights.h says. */
void oc_conv_transpose_nchw16c_pack(const oc_conv_nchw16c *g, float *packed, const float *w,
                                    const oc_work *by);

/* Returns the bytes of scratch memory that oc_conv_transpose_nchw16c_run needs, aligned to a
 * cache line. */
uint64_t oc_conv_transpose_nchw16c_scratch(const oc_conv_nchw16c *g);
void oc_conv_transpose_nchw16c_run(const oc_conv_nchw16c *g, void *scratch);
