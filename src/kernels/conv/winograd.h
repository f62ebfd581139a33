/* SPDX-License-Identifier: Apache-2.0
 * winograd.h - how is a 3 x 3 convolution of stride 1 made with a quarter of the products?
 *
 * Winograd's algorithm F(4 x 4, 3 x 3): 16 results of an output channel come from 36 pixels of each
 * channel, and 36 products take the place of 144.
 *
 *     6 x 6 pixels  --B--> 36 numbers of each channel --+-- 36 products of matrices:
 *     3 x 3 weights --G--> 36 numbers (packed once) ----'   [tiles, channels] times
 *                                                       |   [channels, output channels]
 *     4 x 4 results <--A-- 36 sums of each output channel
 *
 * The points of the transforms are 0, 3/4, -3/4, 3/2, -3/2 and infinity. Their errors are smaller
 * than those of the usual points 0, 1, -1, 2, -2 by a factor of 3 to 5: results are about twice as
 * far from exact ones as those of conv.h, whose sums are nine times as long.
 *
 * (A. Lavin, S. Gray, "Fast algorithms for convolutional neural networks", 2015.)
 *
 * The order of operations is fixed: B and A work on columns first, then on rows, as
 * winograd_simd.c writes it; of half numbers in float, with one rounding at the end. Sums add
 * channel by channel, by fused multiply-adds. So bits depend neither on instruction sets nor on
 * bands or threads. */
#pragma once

#include "kernels/conv/conv_types.h"

enum { OC_WINOGRAD_OUT = 4, OC_WINOGRAD_IN = 6, OC_WINOGRAD_SUMS = 36 };

/* The transforms for one instruction set; each works on 16 channels. */
typedef struct oc_winograd_variant {
    const char *isa;
    unsigned need;
    /* Makes the 36 numbers of 6 x 6 pixels: number k at to + k * step. pitch is the number of
     * floats from a row to the next. */
    void (*in)(float *to, int64_t step, const float *pixels, int64_t pitch);
    /* Makes 4 x 4 results of 36 sums, sum k at from + k * step. b is added unless it is NULL. */
    void (*out)(float results[16 * OC_BLOCK_CHANNELS], const float *from, int64_t step,
                const float *b);
} oc_winograd_variant;

extern const oc_winograd_variant *const oc_winograd_variants[]; /* best first, last is scalar */

/* Can the algorithm compute this convolution? It depends on the shape of one image and of the
 * weights. */
bool oc_winograd_suits(const oc_conv_nchw16c *g);
/* Is there an image for which a convolution by these weights suits the algorithm? */
bool oc_winograd_suits_weights(int64_t groups, int64_t channels, int64_t out_channels,
                               const oc_window *kernel);

/* Returns the number of floats in packed weights, [36][blocks of output channels][channels][16]. */
int64_t oc_winograd_packed(int64_t channels, int64_t out_channels);
/* Packs w, dense [output channels][channels][3][3], into memory aligned to a cache line. Numbers
 * are computed in double and rounded once. */
void oc_winograd_pack(float *packed, const float *w, int64_t channels, int64_t out_channels,
                      const oc_work *by);

/* Returns the bytes of scratch memory that oc_winograd_run needs, aligned to a cache line. */
uint64_t oc_winograd_scratch(const oc_conv_nchw16c *g);
/* As oc_conv_nchw16c_run, but x must lie in NCHW16c, and w must come from oc_winograd_pack. */
void oc_winograd_run(const oc_conv_nchw16c *g, void *scratch);
