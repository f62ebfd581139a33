/* SPDX-License-Identifier: Apache-2.0
 * grid_stats.h - what a grid holds on the whole: areas of classes, and ranges of numbers. */
#pragma once

#include "common/tool.h"
#include "answer/answer.h"

/* A class, and the number of pixels of the photograph whose nearest cell is of it. */
typedef struct grid_class {
    int64_t label, area;
} grid_class;

/* Returns the classes of a->cls, from 0 on, that have pixels, from the largest area to the
 * smallest, equal ones by label, with their number in *n; NULL after an error. Free with data_free.
 */
grid_class *grid_classes(const answer *a, int *n, oc_error *e);

/* Over the cells that are nearest to a pixel of the photograph, each counted once for each of its
 * pixels. */
typedef struct grid_range {
    double least, greatest, mean;
} grid_range;

/* Takes a->depth, or the lengths of a->flow. Numbers that are not finite are left out. Returns
 * false when none is left, and after an error. */
bool grid_depth_range(const answer *a, grid_range *range, oc_error *e);
bool grid_flow_range(const answer *a, grid_range *range, oc_error *e);
