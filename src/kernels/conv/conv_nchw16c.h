/* SPDX-License-Identifier: Apache-2.0
 * conv_nchw16c.h - convolution whose output is NCHW16c.
 *
 *     NCHW16c: [images][blocks of 16 channels][pixels][16]     NCHW: [images][channels][pixels]
 *
 * The output is one block of 16 output channels after the other. It is computed in bands of
 * positions, each a sequence of tiles (tile_nchw16c.h):
 *
 *     +--------------------+
 *     | tile | tile | tile |  one row of a band     a tile: up to 8 positions
 *     | tile | tile | tile |                        of 16 or 32 output channels
 *     +--------------------+
 *
 * Where the window of a band lies within the image, tiles read the image itself. Otherwise they
 * read a patch: a copy of the pixels under the band for all channels, with zeros in the padding,
 * which all output channels share. A patch that would be too large for the second cache holds
 * some channels at a time. Where dilation puts many taps into the padding, tiles leave those
 * out; for that weights must be finite, since 0 times infinity is NaN. Weights are packed once,
 * in the order in which tiles read them.
 *
 * For float16 and bfloat16 a patch is always made, and holds floats. The sums stay in memory of
 * the task until they are complete and the epilogue has run on them; then they are rounded into
 * y:
 *
 *     x, half --widen--> patch --tiles--> sums --epilogue--> narrow--> y, half
 *
 * Sums are those of conv.h, to the bit. */
#pragma once

#include "kernels/conv/conv_bands.h"
#include "kernels/conv/conv_weights.h"

/* Returns the number of products, with what takes as long as products (base/threads.h): laying
 * out pixels, and reading weights from the memory behind the second cache. */
double oc_conv_nchw16c_work(const oc_conv_nchw16c *g);

/* Bytes of scratch memory that oc_conv_nchw16c_run needs, aligned to a cache line, for bands of
 * oc_conv_bands_for. */
uint64_t oc_conv_nchw16c_scratch(const oc_conv_nchw16c *g, const oc_conv_bands *bands);
void oc_conv_nchw16c_run(const oc_conv_nchw16c *g, const oc_conv_bands *bands, void *scratch);
