/* SPDX-License-Identifier: Apache-2.0
 * grid_types.h - the arguments of GridSample. */
#pragma once

#include "base/work.h"
#include "kernels/sample/positions.h"
#include "kernels/sample/sampler.h"

/* A GridSample; grid_sample.h says what it computes. */
typedef struct oc_grid_sample {
    oc_sampler sampler;
    /* type of x and y: for nearest any of 1, 2, 4, 8 or 16 bytes; else one that oc_gather_has
     * allows */
    oc_type type;
    const void *x; /* [batch][channels][sampler.n...] */
    void *y;       /* [batch][channels][points] */
    int64_t batch, channels;
    int64_t width, points; /* positions in a row, and in all, of one output plane; width > 0 */
    const void *outside;   /* for nearest: the two elements of oc_pick_fn */
    oc_positions_fn *positions;
    const void *source;
    bool f64; /* true: positions are double; they are double too for a type with double weights */
    /* oc_grid_sample_scratch bytes, aligned to 64; NULL: each channel is computed by itself */
    void *scratch;
    unsigned cpu;
    oc_work work;
} oc_grid_sample;
