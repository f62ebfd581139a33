/* SPDX-License-Identifier: Apache-2.0
 * grid_types.h - what is asked of GridSample? */
#ifndef OC_KERNELS_SAMPLE_GRID_TYPES_H
#define OC_KERNELS_SAMPLE_GRID_TYPES_H

#include "base/work.h"
#include "kernels/sample/positions.h"
#include "kernels/sample/sampler.h"

/* grid_sample.h says what is computed. */
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

#endif
