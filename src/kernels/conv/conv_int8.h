/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.h - a convolution of 8-bit integers whose channels lie side by side.
 *
 *     NCHW16c of bytes: [images][blocks of 16 channels][pixels][16]
 *
 * The output is cut into bands of rows and columns, each a sequence of tiles (tile_int8.h).
 * Where the window of a band lies within the image, tiles read the image itself; else they read
 * a patch, a copy of the pixels under the band with the zero point in the padding. A block of 16
 * output channels reads the channels of all groups that it has output channels of; weights
 * between a channel and an output channel of another group are 0, which adds nothing to a sum of
 * integers. With OC_CONV_DEPTHWISE a row is computed by depthwise_int8.h.
 *
 * Weights have a zero point, which is packed into them if they fit 8 bits then. If not, they are
 * packed unchanged, and the sum of the pixels under each window is computed too, by weights of 1
 * that follow the others.
 *
 * Results are those of tile_int8.h, whatever the bands, threads and instruction set. */
#pragma once

#include "kernels/conv/conv_int8_weights.h"

/* Can tiles compute this convolution? It must have at most two spatial axes and a patch of a
 * bearable size. It reads images, groups, channels, output channels and window. */
bool oc_conv_int8_suits(const oc_conv_int8 *g);
/* May x be in NCHW? */
bool oc_conv_int8_takes_nchw(const oc_conv_int8 *g);
double oc_conv_int8_work(const oc_conv_int8 *g); /* in products (base/threads.h) */

/* Returns the bytes of scratch memory that oc_conv_int8_run needs, aligned to a cache line. */
uint64_t oc_conv_int8_scratch(const oc_conv_int8 *g);
void oc_conv_int8_run(const oc_conv_int8 *g, void *scratch);
