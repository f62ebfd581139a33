/* SPDX-License-Identifier: Apache-2.0
 * resize_taps.h - which elements of an axis, with which weights, make each element of the
 * resized axis?
 *
 *     output o     1 position     where o lies among the elements of the input: 5.3
 *                  2 taps         elements near it, with weights: 5 * 0.7, 6 * 0.3
 *                  3 edges        a tap outside the axis counts as its first or last element;
 *                                 with exclude_outside it does not count, and weights sum to 1
 *                  4 run          one weight for each element first .. first + count - 1
 *
 * Weights are computed in double and rounded once to the type of sums. A run begins and ends
 * with weights other than 0, so an element of weight 0 there does not count, even if it is NaN.
 * Mode nearest has one tap of weight 1.
 *
 * A scale is the quotient num / den of two doubles. When it is the ratio of two lengths, both
 * are whole numbers, so that positions on an element, or halfway between two, are exact. The
 * weights then repeat after some outputs, and are copied. */
#pragma once

#include "base/work.h"
#include "base/share.h"

#include <stdbool.h>

typedef enum oc_resize_mode { OC_RESIZE_NEAREST, OC_RESIZE_LINEAR, OC_RESIZE_CUBIC } oc_resize_mode;

/* coordinate_transformation_mode: the position of output number o. */
typedef enum oc_resize_coordinates {
    OC_RESIZE_HALF_PIXEL,           /* (o + 0.5) / scale - 0.5 */
    OC_RESIZE_HALF_PIXEL_SYMMETRIC, /* as HALF_PIXEL, but about the centre of the input */
    OC_RESIZE_PYTORCH_HALF_PIXEL,   /* as HALF_PIXEL, but 0 for a single output */
    OC_RESIZE_ALIGN_CORNERS,        /* o * (n_in - 1) / (width - 1), width = scale * n_in */
    OC_RESIZE_ASYMMETRIC,           /* o / scale */
    OC_RESIZE_TF_HALF_PIXEL_FOR_NN, /* (o + 0.5) / scale */
    /* as ALIGN_CORNERS, but on the part from start to end of the input */
    OC_RESIZE_TF_CROP_AND_RESIZE
} oc_resize_coordinates;

typedef enum oc_resize_nearest {
    OC_RESIZE_ROUND_PREFER_FLOOR,
    OC_RESIZE_ROUND_PREFER_CEIL,
    OC_RESIZE_FLOOR,
    OC_RESIZE_CEIL
} oc_resize_nearest;

typedef struct oc_resize_axis {
    oc_resize_mode mode;
    oc_resize_coordinates coordinates;
    oc_resize_nearest nearest;
    bool exclude_outside, antialias;
    double cubic_a;
    int64_t n_in, n_out; /* n_in is at least 1 */
    double num, den;     /* the scale is num / den; both are finite and > 0 */
    double start, end;   /* for OC_RESIZE_TF_CROP_AND_RESIZE; finite */
} oc_resize_axis;

typedef struct oc_resize_taps {
    int64_t n_in, n_out;
    int64_t *first;       /* [n_out] */
    int64_t *count;       /* [n_out]; 0 when the position is outside, which only a crop allows */
    void *weight;         /* [n_out][stride], float or double */
    int64_t stride, most; /* most is the greatest count */
    bool f64;             /* true: weights are double; false: float */
    bool identity;        /* true: n_out is n_in, and each output is the input of its number */
    bool outside;         /* true: some count is 0 */
    /* Outputs that have equal weights, each for elements two after those of the output before. */
    oc_span halves;
    /* Outputs that have equally many weights, each those of the output two before, for elements one
     * after those of that output. */
    oc_span doubles;
} oc_resize_taps;

/* Returns the bytes that the taps of an axis take. */
double oc_resize_taps_bytes(const oc_resize_axis *a, bool f64);
/* memory has oc_resize_taps_bytes bytes, aligned to 8. When the work is ended, the taps are
 * undefined. */
oc_resize_taps oc_resize_taps_new(const oc_resize_axis *a, bool f64, const oc_work *w,
                                  void *memory);
