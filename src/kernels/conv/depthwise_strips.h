/* SPDX-License-Identifier: Apache-2.0
 * depthwise_strips.h - a convolution whose groups have few output channels, such as one each.
 *
 * A patch (conv.h) would hold every pixel once for each tap, and few output channels would read
 * it. Instead a strip of output rows is computed from a copy of the pixel rows under it, padding
 * included. All pixels under one tap then follow each other in memory, also from one row of the
 * strip to the next:
 *
 *     copy, pitch 6      . . . . . .        tap (0, 0)   copy + 0, +1, +2, +3, (+4, +5,) +6 ...
 *     of a 3 x 3 kernel  . a b c d .        tap (0, 1)   copy + 1, +2, ...
 *     over a row of 4    . e f g h .        tap (1, 0)   copy + 6, +7, ...
 *                        . . . . . .        the two results between rows are not used
 *
 * So a strip is one long row of results, and a tap is a pointer. When the stride is not 1, the
 * copy has a slice for each remainder of pixel coordinates divided by the strides.
 *
 * Channels are added one after the other. Sums are those of conv.h, to the bit. */
#pragma once

#include "kernels/conv/conv_types.h"

/* Does g have few output channels, and a window small enough for a strip? */
bool oc_depthwise_suits(const oc_conv *g);
/* Computes what oc_conv_run computes. g must suit. */
void oc_depthwise_run(const oc_conv *g);
