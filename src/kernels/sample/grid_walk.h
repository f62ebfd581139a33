/* SPDX-License-Identifier: Apache-2.0
 * grid_walk.h - what do GridSample's two walks over the tiles of an image share?
 *
 * By planes: each channel by itself, read where it is in x (gather.h). By blocks: the channels of
 * an image are first laid side by side (nchw16c.h), and a position is then summed for 16 (8) of
 * them at once (grid_block.inc). Both give the same bits. */
#ifndef OC_KERNELS_SAMPLE_GRID_WALK_H
#define OC_KERNELS_SAMPLE_GRID_WALK_H

#include "kernels/sample/grid_sample.h"

/* ---- grid_sample.c */

typedef struct oc_grid_walk {
    const oc_grid_sample *g;
    oc_taps_fn *taps;
    bool f64; /* positions; weights too, when the type's are */
    size_t elem;
    int64_t plane;          /* pixels of one channel */
    int64_t tile_w, tile_h; /* positions of a tile */
    int64_t across, tiles;  /* tiles side by side; of one image */
} oc_grid_walk;

oc_grid_walk oc_grid_walk_new(const oc_grid_sample *g);
/* Makes the taps of a tile of an image; returns the tile's first point. */
int64_t oc_grid_walk_taps(const oc_grid_walk *w, oc_taps *t, int64_t image, int64_t tile);

/* ---- grid_blocks.c */

/* How many channels of each image, from the first on, are computed by blocks. */
int64_t oc_grid_blocks_serve(const oc_grid_sample *g);
/* Bytes for so many tasks. */
size_t oc_grid_blocks_scratch(const oc_grid_sample *g, int tasks);
/* Computes the first `channels` channels of each image. */
void oc_grid_blocks_run(const oc_grid_walk *w, int64_t channels);

/* ---- grid_blocks_simd.c */

/* Writes t->n lines, one for each position: the sums of gather.h from lines of a block.
 * Both are aligned to OC_BLOCK_BYTES. */
typedef void oc_grid_block_fn(void *lines, const void *block, const oc_taps *t);

typedef struct oc_grid_block_variant {
    const char *isa;
    unsigned need;
    oc_grid_block_fn *f32, *f64; /* by element type */
} oc_grid_block_variant;

extern const oc_grid_block_variant *const oc_grid_block_variants[]; /* best first, last scalar */

#endif
