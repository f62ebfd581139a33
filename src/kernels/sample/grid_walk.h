/* SPDX-License-Identifier: Apache-2.0
 * grid_walk.h - into which tiles are the positions of an image cut, and which taps does a tile
 * have?
 *
 * Two walks over tiles use them. The walk by planes computes each channel by itself, read where
 * it is in x (grid_sample.c). The walk by blocks first lays the channels of an image side by
 * side (grid_blocks.h). */
#pragma once

#include "kernels/sample/grid_types.h"
#include "kernels/sample/taps.h"

typedef struct oc_grid_walk {
    const oc_grid_sample *g;
    oc_taps_fn *taps;
    bool f64; /* true: positions are double, and weights too when the type's are */
    size_t elem;
    int64_t plane;          /* pixels of one channel */
    int64_t tile_w, tile_h; /* width and height of a tile in positions */
    int64_t across, tiles;  /* tiles side by side, and tiles of one image */
} oc_grid_walk;

oc_grid_walk oc_grid_walk_new(const oc_grid_sample *g);
/* Makes the taps of a tile of an image; returns the tile's first point. */
int64_t oc_grid_walk_taps(const oc_grid_walk *w, oc_taps *t, int64_t image, int64_t tile);
