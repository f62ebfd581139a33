/* SPDX-License-Identifier: Apache-2.0
 * resize_sum.h - the hot loops of Resize: weighted sums of a few rows, or of the elements of a
 * row, for an element type.
 *
 * Sums are float for float, float16, bfloat16 and integers of 8 and 16 bits, double for double
 * and integers of 32 and 64 bits, as the numbers of nchw16c.h are. A sum is
 *
 *     ((w0 * x0 + w1 * x1) + w2 * x2) + ...
 *
 * in the order of the elements along the axis, each product rounded before it is added. So it
 * does not matter in how many steps it is computed, nor for how many sums at a time.
 *
 *     rows      along an outer axis: neighbouring sums have neighbouring elements, equal weights
 *     lines     along the innermost axis: 16 rows lie side by side (nchw16c.h), so that one weight
 *               serves all of them
 *     halve     along the innermost axis, for float sums with equal weights, each of which begins
 *               two elements after the one before
 *     stretch   along the innermost axis, for float sums: even ones have equal weights, and odd
 *               ones, and each begins one element after the sum two before
 *     finish    sums become elements: integers are rounded to nearest, ties to even, and saturate;
 *               NaN gives 0
 *     pick      nearest: elements are moved as bytes
 *     skip      nearest: every second element is moved
 *     twice     nearest: each element is moved to two places */
#pragma once

#include "kernels/common/variant.h"
#include "kernels/resize/resize_taps.h"

/* y[i] becomes the sum over k of w[k] * x[k * stride + i]; with add, the terms are added to
 * y[i]. taps is 1 or more; y and w have the type of sums. */
typedef void oc_resize_rows_fn(void *y, const void *x, int64_t stride, const void *w, int64_t taps,
                               int64_t n, bool add);

/* The part of an axis that a block holds, and the outputs that are to be computed from it. */
typedef struct oc_resize_part {
    int64_t first, end; /* numbers of the outputs */
    int64_t from;       /* number of the input that is the block's first */
    int64_t inner;      /* number of lines that an element of the axis has */
    /* taps of each output; a tap_begin above 0 adds to the sums in lines */
    int64_t tap_begin, tap_end;
} oc_resize_part;

/* lines has [end - first][inner] lines, block the inputs as lines, aligned to OC_BLOCK_BYTES. */
typedef void oc_resize_block_fn(void *lines, const void *block, const oc_resize_taps *t,
                                const oc_resize_part *p);

/* y[i] becomes the sum over k of w[k] * x[2 * i + k]. taps is 2 or more. */
typedef void oc_resize_halve_fn(float *y, const float *x, const float *w, int64_t taps, int64_t n);

/* y[2 * i] becomes the sum over k of w[0][k] * x[0][i + k], and y[2 * i + 1] that of w[1][k] *
 * x[1][i + k], for n numbers of y. taps is 2 or more. */
typedef void oc_resize_stretch_fn(float *y, const float *const x[2], const float *const w[2],
                                  int64_t taps, int64_t n);

/* Converts elements to numbers of the type of sums. */
typedef void oc_resize_widen_fn(void *y, const void *x, int64_t n);

typedef void oc_resize_finish_fn(void *y, const void *sums, int64_t n);

/* y[i] = x[index[i]]. */
typedef void oc_resize_pick_fn(void *y, const void *x, const int64_t *index, int64_t n);

/* y[i] = x[2 * i], or x[i / 2] for `twice`. */
typedef void oc_resize_move_fn(void *y, const void *x, int64_t n);

typedef struct oc_resize_variant {
    const char *isa;
    unsigned need;
    /* Indexed by element type. Elements of a type without `rows` are widened first. half.h
     * widens and finishes float16 and bfloat16. */
    oc_resize_rows_fn *rows[OC_N_TYPES];
    oc_resize_widen_fn *widen[OC_N_TYPES];
    oc_resize_finish_fn *finish[OC_N_TYPES]; /* for integers only */
    oc_resize_block_fn *lines_f32, *lines_f64;
    oc_resize_halve_fn *halve;
    oc_resize_stretch_fn *stretch; /* NULL: as `lines` */
    /* Indexed by the logarithm of the element's size. */
    oc_resize_move_fn *skip[3], *twice[3];
    oc_resize_pick_fn *pick[5];
} oc_resize_variant;

extern const oc_resize_variant *const oc_resize_variants[]; /* best first, the last is scalar */
