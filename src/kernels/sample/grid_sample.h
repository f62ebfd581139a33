/* SPDX-License-Identifier: Apache-2.0
 * grid_sample.h - in which order does GridSample visit tiles and channels, and on which thread?
 *
 *                  positions of image m                  channels of image m
 *     tile 0       [ 512 or fewer ] --> taps (one L1) --> c0 [....]  c1 [....]  c2 [....]
 *     tile 1       [ 512 or fewer ] --> taps          --> c0 [....]  c1 [....]  c2 [....]
 *
 * A tile is a rectangle of the output's two innermost axes, or a run of whole rows when these are
 * short. Neighbours on the output are mostly neighbours on the image, also where it is turned, and
 * a rectangle needs fewer rows of the image than a line of as many positions would.
 *
 * Where channels are many, 16 (8 of double) at a time are first laid side by side in scratch memory
 * (nchw16c.h), and each tile is then summed for all of them; the bits are the same. The last few
 * channels, nearest, complex numbers, images with more than a million pixels and images with few
 * results are computed channel by channel.
 *
 * Where positions are scattered and a cache holds one plane but not all, all tiles of one channel
 * are computed before the next channel. Outputs larger than the caches are written past them
 * (stream.h).
 *
 * Threads share tiles, and blocks of channels; the result of each depends only on itself. A task
 * needs less than 256 KB of stack. The caller says where positions come from: from memory, or from
 * a function that makes them tile by tile. */
#ifndef OC_KERNELS_SAMPLE_GRID_SAMPLE_H
#define OC_KERNELS_SAMPLE_GRID_SAMPLE_H

#include "base/threads.h"
#include "base/work.h"
#include "kernels/sample/gather.h"

/* Writes the coordinates of positions first .. first+n-1 of one image, rank each, as double when
 * f64, else as float. */
typedef void oc_positions_fn(const void *source, int64_t image, int64_t first, int n, bool f64,
                             void *xy);

typedef struct oc_grid_sample {
    oc_sampler sampler;
    oc_type type;  /* of x and y; nearest: any of 1, 2, 4, 8 or 16 bytes; else as oc_gather_has */
    const void *x; /* [batch][channels][sampler.n...] */
    void *y;       /* [batch][channels][points] */
    int64_t batch, channels;
    int64_t width, points; /* of one output plane: its innermost axis, and all; width > 0 */
    const void *outside;   /* nearest: the two elements of oc_pick_fn */
    oc_positions_fn *positions;
    const void *source;
    bool f64;      /* are positions double? A type with double weights makes them so too */
    void *scratch; /* oc_grid_sample_scratch bytes, aligned to 64; NULL: each channel by itself */
    unsigned cpu;
    oc_work work;
} oc_grid_sample;

/* Positions in memory: float, double, float16 or bfloat16, [batch][points][rank]. */
typedef struct oc_position_array {
    const void *data;
    oc_type type;
    int64_t points;
    int rank;
    unsigned cpu;
} oc_position_array;

oc_positions_fn oc_positions_from_array; /* source: an oc_position_array */

/* Bytes of scratch for so many tasks; 0 when none would be used. */
size_t oc_grid_sample_scratch(const oc_grid_sample *g, int tasks);
void oc_grid_sample_run(const oc_grid_sample *g);

#endif
