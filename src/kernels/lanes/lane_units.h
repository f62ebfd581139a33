/* SPDX-License-Identifier: Apache-2.0
 * lane_units.h - into which units is a convolution cut, so that threads end early and together?
 *
 * A unit is one band for one piece of the maps of its part; or for several parts, one after the
 * other, where those share blocks of maps. */
#ifndef OC_KERNELS_LANES_LANE_UNITS_H
#define OC_KERNELS_LANES_LANE_UNITS_H

#include "kernels/lanes/lane_bands.h"

/* Products of 16 lanes in the time that 16 weights take to arrive from behind the second cache. */
enum { OC_LANE_STREAMED = 5 };

typedef struct oc_lane_units {
    oc_lane_bands bands;
    int64_t pieces; /* of the blocks of maps of a part */
    int64_t n;      /* of all images; unit i has band i / pieces, counted in bands together */
    double weights; /* products of 16 lanes that a unit adds for each position */
} oc_lane_units;

/* tile: blocks of maps of the largest tile. The convolution suits lanes. */
oc_lane_units oc_lane_units_of(const oc_lane_conv *g, int tile, int threads);

#endif
