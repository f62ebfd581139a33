/* SPDX-License-Identifier: Apache-2.0
 * conv_transpose.h - makes a transposed convolution of convolutions.
 *
 * Pixel i of the input adds w[k] * x[i] to position i * stride + k * dilation - pad of the
 * output on each axis. So the positions with one remainder of (position + pad) / stride use the
 * same taps: they are a part, a convolution with stride 1 of the whole input by those taps, the
 * last one first.
 *
 *     stride 2, kernel 3      even positions   x[i-1] * w[2] + x[i] * w[0]
 *                             odd positions                    x[i] * w[1]
 *
 * Parts with equally many taps and results over the same pixels are made by one convolution
 * (conv.h), as output channels of their own, and then spread over the output. A position without
 * taps is 0. At the end the bias is added. Sums run over channels and, in each, over the part's
 * taps from the last to the first; a pixel outside the input takes part as zero. */
#pragma once

#include "kernels/conv/conv_types.h"

typedef struct oc_conv_transpose {
    /* The algorithm is OC_CONV_FEW or OC_CONV_IM2COL, the type OC_F32 or OC_F64. w is
     * [groups][channels][output channels][kernel...]. The window's in, kernel, out, stride,
     * dilation and pad are those of the transposed convolution. */
    oc_conv conv;
    void *w_part; /* for the weights of parts, with as many elements as w */
    /* For OC_CONV_IM2COL: the results of parts, with as many elements as y; NULL if
     * oc_conv_transpose_is_conv. */
    void *y_part;
    int64_t *tap_part; /* one number for each tap of the kernel */
} oc_conv_transpose;

/* Can conv_few.h make all parts? */
bool oc_conv_transpose_few_suits(const oc_conv *g);
/* Returns the bytes of conv.scratch that conv_few.h needs for them, aligned to a cache line. */
uint64_t oc_conv_transpose_few_scratch(const oc_conv *g);
/* Is there one part, which is y itself? */
bool oc_conv_transpose_is_conv(const oc_window *w);
/* in * stride + kernel * dilation must be at most 2^62 in magnitude on each axis. */
void oc_conv_transpose_run(const oc_conv_transpose *g);
