/* SPDX-License-Identifier: Apache-2.0
 * grid_blocks.h - sums the tiles of an image by blocks of channels.
 *
 * The channels of an image are first laid side by side (nchw16c.h), and a position is then
 * summed for 16 (8) of them at once (grid_block.inc). The bits are those of gather.h. */
#pragma once

#include "kernels/sample/grid_walk.h"

/* Returns how many channels of each image, from the first on, are computed by blocks. */
int64_t oc_grid_blocks_serve(const oc_grid_sample *g);
/* Returns the bytes of scratch for this number of tasks. */
size_t oc_grid_blocks_scratch(const oc_grid_sample *g, int tasks);
/* Computes the first `channels` channels of each image. */
void oc_grid_blocks_run(const oc_grid_walk *w, int64_t channels);

/* Writes t->n lines, one for each position: the sums of gather.h from lines of a block. Both are
 * aligned to OC_BLOCK_BYTES. */
typedef void oc_grid_block_fn(void *lines, const void *block, const oc_taps *t);

typedef struct oc_grid_block_variant {
    const char *isa;
    unsigned need;
    oc_grid_block_fn *f32, *f64; /* for float and for double sums */
} oc_grid_block_variant;

extern const oc_grid_block_variant *const oc_grid_block_variants[]; /* best first, last scalar */
