/* SPDX-License-Identifier: Apache-2.0
 * positions.h - where do the positions come from that GridSample reads? */
#pragma once

#include <ocellus.h>

#include <stdbool.h>
#include <stdint.h>

/* Writes the coordinates of positions first to first+n-1 of one image, rank each, as double when
 * f64, else as float. */
typedef void oc_positions_fn(const void *source, int64_t image, int64_t first, int n, bool f64,
                             void *xy);

/* Positions in memory: float, double, float16 or bfloat16, [batch][points][rank]. */
typedef struct oc_position_array {
    const void *data;
    oc_type type;
    int64_t points;
    int rank;
    unsigned cpu;
} oc_position_array;

oc_positions_fn oc_positions_from_array; /* its source is an oc_position_array */
