/* SPDX-License-Identifier: Apache-2.0
 * resize_sum.h - what is the weighted sum of a few rows, or of the elements of a row, for an
 * element type? The hot loops of Resize.
 *
 * Sums are float for float, float16, bfloat16 and integers of 8 and 16 bits, double for double and
 * integers of 32 and 64 bits (nchw16c.h has the same types). A sum is
 *
 *     ((w0 * x0 + w1 * x1) + w2 * x2) + ...
 *
 * in the order of the elements along the axis, each product rounded before it is added. So it does
 * not matter in how many steps it is computed, nor for how many sums at a time.
 *
 *     rows      along an outer axis: neighbouring sums have neighbouring elements, equal weights
 *     lines     along the innermost axis: 16 rows lie side by side (nchw16c.h), so that one weight
 *               serves all of them
 *     halve     along the innermost axis, for float sums that have the same weights and begin two
 *               elements after one another
 *     finish    sums become elements: integers are rounded to nearest, ties to even, and saturate;
 *               NaN gives 0
 *     pick      nearest: elements are moved as bytes
 *     skip      the same for every second element */
#ifndef OC_KERNELS_RESIZE_RESIZE_SUM_H
#define OC_KERNELS_RESIZE_RESIZE_SUM_H

#include "kernels/common/variant.h"
#include "kernels/resize/resize_taps.h"

#include <ocellus.h>

/* y[i] becomes the sum over k of w[k] * x[k * stride + i]; with add, that is added to y[i] term by
 * term. taps: 1 or more; y and w have the type of sums. */
typedef void oc_resize_rows_fn(void *y, const void *x, int64_t stride, const void *w, int64_t taps,
                               int64_t n, bool add);

/* The part of an axis that is in a block, and what is to be computed of it. */
typedef struct oc_resize_part {
    int64_t first, end;         /* outputs */
    int64_t from;               /* the input that is the block's first */
    int64_t inner;              /* lines of an input: it has so many elements */
    int64_t tap_begin, tap_end; /* taps of each output; other than 0: adds to the sums in lines */
} oc_resize_part;

/* lines: [end - first][inner] lines; block: lines too, aligned to OC_BLOCK_BYTES. */
typedef void oc_resize_block_fn(void *lines, const void *block, const oc_resize_taps *t,
                                const oc_resize_part *p);

/* y[i] becomes the sum over k of w[k] * x[2 * i + k]. taps: 2 or more. */
typedef void oc_resize_halve_fn(float *y, const float *x, const float *w, int64_t taps, int64_t n);

/* Elements become numbers of the type of sums. */
typedef void oc_resize_widen_fn(void *y, const void *x, int64_t n);

typedef void oc_resize_finish_fn(void *y, const void *sums, int64_t n);

/* y[i] = x[index[i]]. */
typedef void oc_resize_pick_fn(void *y, const void *x, const int64_t *index, int64_t n);

/* y[i] = x[2 * i]. */
typedef void oc_resize_skip_fn(void *y, const void *x, int64_t n);

typedef struct oc_resize_variant {
    const char *isa;
    unsigned need;
    /* By element type. One without rows is widened first; float16 and bfloat16 are widened, and
     * finished, by half.h. */
    oc_resize_rows_fn *rows[OC_N_TYPES];
    oc_resize_widen_fn *widen[OC_N_TYPES];
    oc_resize_finish_fn *finish[OC_N_TYPES]; /* of integers */
    oc_resize_block_fn *lines_f32, *lines_f64;
    oc_resize_halve_fn *halve;
    oc_resize_skip_fn *skip[3]; /* by the power of two that is the element's size */
    oc_resize_pick_fn *pick[5]; /* by the power of two that is the element's size */
} oc_resize_variant;

extern const oc_resize_variant *const oc_resize_variants[]; /* best first, the last is scalar */

#endif
