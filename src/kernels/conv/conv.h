/* SPDX-License-Identifier: Apache-2.0
 * conv.h - makes a convolution over any number of spatial axes of products.
 *
 * y[n][m][p] is the sum of w * x over the taps of w[m] in memory order (channel by channel,
 * row-major in each), a chain of fused multiply-adds that begins with 0; then the bias is added. A
 * pixel in the padding takes part as zero. So the bits depend neither on blocks nor on threads.
 *
 * Type OC_I16: x and w are int16, y and b int32, and sums wrap; each row w[m] has an even number of
 * elements, the last one 0 where the taps are odd. */
#pragma once

#include "kernels/conv/conv_types.h"

/* Treats the image as one row if each output depends on one pixel only. */
void oc_conv_merge_axes(oc_window *w);
/* Returns the algorithm that makes y without scratch memory: OC_CONV_IM2COL or OC_CONV_STRIPS.
 * It reads type, groups, channels, output channels and window of g. */
oc_conv_algorithm oc_conv_choose_nchw(const oc_conv *g);
/* The window's out * stride, kernel * dilation and pad must be at most 2^62 in magnitude. */
void oc_conv_run(const oc_conv *g);
