/* SPDX-License-Identifier: Apache-2.0
 * grid_sample.h - in which order does GridSample visit tiles and channels, and on which thread?
 *
 *                  positions of image m                  channels of image m
 *     tile 0       [ 512 or fewer ] --> taps (one L1) --> c0 [....]  c1 [....]  c2 [....]
 *     tile 1       [ 512 or fewer ] --> taps          --> c0 [....]  c1 [....]  c2 [....]
 *
 * A tile is a rectangle of the output's two innermost axes, or a run of whole rows when these
 * are short. Neighbours on the output are mostly neighbours on the image, also where it is
 * turned, and a rectangle needs fewer rows of the image than a line of as many positions would.
 *
 * When there are many channels, 16 (8 of double) at a time are first laid side by side in
 * scratch memory (nchw16c.h), and each tile is then summed for all of them, with unchanged bits.
 * The last few channels, nearest, complex numbers, images with more than a million pixels and
 * images with few results are computed channel by channel.
 *
 * When positions are scattered and a cache holds one plane but not all, all tiles of one channel
 * are computed before the next channel. Outputs larger than the caches are written past them
 * (streaming_store.h).
 *
 * Threads share tiles, and blocks of channels; the result of each depends only on itself. A task
 * needs less than 256 KB of stack. The caller says where positions come from: from memory, or
 * from a function that makes them tile by tile. */
#pragma once

#include "kernels/sample/grid_types.h"

/* Returns the bytes of scratch for this number of tasks; 0 when none would be used. */
size_t oc_grid_sample_scratch(const oc_grid_sample *g, int tasks);
void oc_grid_sample_run(const oc_grid_sample *g);
