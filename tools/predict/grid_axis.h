/* SPDX-License-Identifier: Apache-2.0
 * grid_axis.h - where the pixels of a photograph lie among the cells of a grid, axis by axis. */
#pragma once

#include "base/int.h"
#include "common/tool.h"
#include "predict/answer.h"

/* A pixel lies between the centres of cell `first` and the next one, at `part` of the way. What is
 * beyond the outer centres lies at them. */
typedef struct grid_place {
    int first;
    float part; /* 0 to 1, without 1 */
} grid_place;

typedef struct grid_axis {
    grid_place *at; /* of each pixel */
    int n, cells;
} grid_axis;

/* Returns the columns, or the rows, of the answer's grid. OC_SHAPE when it has no cell. Free with
 * grid_axis_free, also after an error. */
grid_axis grid_columns(const answer *a, oc_error *e);
grid_axis grid_rows(const answer *a, oc_error *e);
void grid_axis_free(grid_axis *x);

static inline int grid_second(const grid_axis *x, int pixel)
{
    return oc_min(x->at[pixel].first + 1, x->cells - 1);
}

static inline int grid_nearest(const grid_axis *x, int pixel)
{
    return x->at[pixel].part < 0.5f ? x->at[pixel].first : grid_second(x, pixel);
}
