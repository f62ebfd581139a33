/* SPDX-License-Identifier: Apache-2.0
 * grid_axis.h - where the pixels of a photograph lie among the cells of a grid, axis by axis. */
#pragma once

#include "base/int.h"
#include "common/tool.h"
#include "answer/answer.h"

/* A pixel lies between the centres of cell `first` and the next one, at `part` of the way. What is
 * beyond the outer centres lies at them. */
typedef struct grid_place {
    int first;
    float part; /* 0 to 1, without 1 */
} grid_place;

/* Returns where the centre of a pixel lies in a grid of cells over an input of that length, if the
 * photograph lies in the input by the scale and the offset. A place that is no number is the first
 * cell's. */
static inline grid_place grid_place_of(int pixel, double scale, double offset, int input, int cells)
{
    const double at = ((pixel + 0.5) * scale + offset) * cells / input - 0.5;
    const double inside = at > 0 ? (at < cells - 1 ? at : cells - 1) : 0;
    const int first = (int)inside;
    const float part = (float)(inside - first);
    return part < 1 ? (grid_place){first, part} : (grid_place){first + 1, 0};
}

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
