/* SPDX-License-Identifier: Apache-2.0
 * conv_int8.h - how is a convolution of 8-bit integers made whose channels lie side by side?
 *
 *     NCHW16c of bytes: [images][blocks of 16 channels][pixels][16]
 *
 * The output is cut into bands of rows and columns, each a sequence of tiles (tile_int8.h). Where
 * the window of a band lies within the image, tiles read the image itself, else a patch: a copy of
 * the pixels under the band, with the zero point where the padding is. A block of 16 output
 * channels reads the channels of the groups that it has channels of; weights between a channel and
 * an output channel of another group are 0, which adds nothing to a sum of integers. Of
 * OC_CONV_DEPTHWISE depthwise_int8.h computes a row.
 *
 * Weights that are too large by a number, their zero point, are packed as they are where they do
 * not fit 8 bits without it. Then the sum of the pixels under each window is made too, by weights
 * of 1 that follow the others.
 *
 * Results are those of tile_int8.h, whatever the bands, threads and instruction set. */
#ifndef OC_KERNELS_CONV_CONV_INT8_H
#define OC_KERNELS_CONV_CONV_INT8_H

#include "kernels/conv/conv_int8_weights.h"

/* Is this a convolution for such tiles? One of at most two spatial axes, of which a patch has a
 * bearable size. Asks for images, groups, channels, output channels and window. */
bool oc_conv_int8_suits(const oc_conv_int8 *g);
/* May x be NCHW? */
bool oc_conv_int8_takes_nchw(const oc_conv_int8 *g);
double oc_conv_int8_work(const oc_conv_int8 *g); /* in products (base/threads.h) */

/* Bytes of scratch memory that oc_conv_int8_run needs, aligned to a cache line. */
size_t oc_conv_int8_scratch(const oc_conv_int8 *g);
void oc_conv_int8_run(const oc_conv_int8 *g, void *scratch);

#endif
