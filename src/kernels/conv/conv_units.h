/* SPDX-License-Identifier: Apache-2.0
 * conv_units.h - into which units is a convolution cut, so that threads end early and together?
 *
 * A unit is one band for one piece of the output channels of its part; or for several parts, one
 * after the other, where those share blocks of output channels. */
#ifndef OC_KERNELS_CONV_CONV_UNITS_H
#define OC_KERNELS_CONV_CONV_UNITS_H

#include "kernels/conv/conv_bands.h"

/* Products of 16 channels in the time that 16 weights take to arrive from behind the second cache.
 */
enum { OC_WEIGHTS_STREAMED = 5 };

typedef struct oc_conv_units {
    oc_conv_bands bands;
    int64_t pieces; /* of the blocks of output channels of a part */
    int64_t n;      /* of all images; unit i has band i / pieces, counted in bands together */
    double weights; /* products of 16 channels that a unit adds for each position */
} oc_conv_units;

/* For the threads of g's work. */
oc_conv_units oc_conv_units_of(const oc_conv_nchw16c *g);

#endif
