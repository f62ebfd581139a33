/* SPDX-License-Identifier: Apache-2.0
 * affine_grid.h - where does an affine map put the points of the regular grid over [-1, 1]?
 *
 * Axis a of n points has the coordinates start + i * step, i = 0 .. n-1:
 *
 *     align_corners 0:  step = 2 / n        start = -1 + step / 2   (centres of n equal cells)
 *     align_corners 1:  step = 2 / (n - 1)  start = -1              (the ends are -1 and 1)
 *                       n = 1: the only coordinate is 0
 *
 * The point of image m at (z, y, x) is theta[m] times the column (x, y, z, 1); in two dimensions
 * there is no z. Sums run from left to right, each product rounded first. Points are written
 * with x first, as GridSample reads them. A point depends only on its own place, so any run of
 * points can be made by itself: by one thread, or for one tile of GridSample. */
#pragma once

#include "base/work.h"
#include "kernels/common/variant.h"

typedef struct oc_affine_grid {
    int rank;          /* 2 or 3 */
    int64_t n[3];      /* points along each axis, outermost (z, or y) first; 1 to INT32_MAX */
    bool align;        /* the attribute align_corners */
    oc_type type;      /* type of theta and y: float, double, float16 or bfloat16 */
    int64_t batch;     /* number of images */
    const void *theta; /* [batch][rank][rank + 1] */
    void *y;           /* [batch][n...][rank] */
    unsigned cpu;
    oc_work work;
} oc_affine_grid;

/* start and step of each axis, in the type in which points are computed. */
typedef struct oc_affine_axes {
    int rank;
    int64_t n[3];
    union {
        float f32[3];
        double f64[3];
    } start, step;
} oc_affine_axes;

/* Writes points first to first+count-1 of one image, counted in row-major order, to y. theta is
 * that image's matrix. All are float or double, as the function's name says. */
typedef void oc_affine_points_fn(void *y, const void *theta, const oc_affine_axes *axes,
                                 int64_t first, int64_t count);

typedef struct oc_affine_variant {
    const char *isa;
    unsigned need;
    oc_affine_points_fn *f32, *f64;
} oc_affine_variant;

extern const oc_affine_variant *const oc_affine_variants[]; /* best first, the last is scalar */

/* Fills g->y. float16 and bfloat16 are computed in float and rounded once. */
void oc_affine_grid_run(const oc_affine_grid *g);

/* Points that are made while GridSample needs them. */
typedef struct oc_affine_source {
    const oc_affine_grid *g; /* y is not read */
    oc_affine_axes axes;
    oc_affine_points_fn *points;
    const struct oc_half_variant *half; /* converts float16 and bfloat16; NULL for other types */
    const float *wide; /* all matrices as float; NULL: each is widened when it is needed */
} oc_affine_source;

/* wide is room for all matrices as float, so that they are widened only once, which pays when
 * points are made in short runs; it may be NULL. */
oc_affine_source oc_affine_source_new(const oc_affine_grid *g, float *wide);

/* An oc_positions_fn whose source is an oc_affine_source. Coordinates have the bits that reading
 * g->y would give: rounded to g->type, then widened to double when f64, else to float. f64 is
 * set when g->type is double. */
void oc_positions_from_affine(const void *source, int64_t image, int64_t first, int n, bool f64,
                              void *xy);
