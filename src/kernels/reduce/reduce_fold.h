/* SPDX-License-Identifier: Apache-2.0
 * reduce_fold.h - the hot loops of reduce.h: they fold elements to partial results. */
#pragma once

#include "kernels/common/variant.h"

#include <ocellus.h>

#include <stdint.h>

enum { OC_REDUCE_SUMS = 16, OC_REDUCE_BLOCK = 1024 };

/* result[l] becomes the fold of the block of elements x[l * step + k], k < n <= 1024, for each l
 * < lines. */
typedef void (*oc_fold_lines)(void *result, const void *x, int64_t n, int64_t step, int64_t lines);

/* The loops of one fold for one type of partial results. */
typedef struct oc_fold {
    size_t size; /* bytes of that type: 1, 2, 4 or 8 */
    /* part[k % 16] = fold(part[k % 16], x[k]) for k < n */
    void (*along)(void *part, const void *x, int64_t n);
    /* part[k] = fold(part[k], x[k]) for k < n */
    void (*across)(void *part, const void *x, int64_t n);
    /* Folds x[k], x[step + k], x[2 step + k] and x[3 step + k] into part[k] for k < n; may be
     * NULL. */
    void (*down)(void *part, const void *x, int64_t step, int64_t n);
    /* result[l] becomes the fold of the elements x[16 k + l] of a block, k < n; NULL: there is
     * no such loop. */
    void (*beside)(void *result, const void *x, int64_t n);
    oc_fold_lines lines; /* NULL: there is no such loop */
} oc_fold;

/* The folds of one type. Integers are summed and multiplied as int64 that wraps. Maximum and
 * minimum are NaN once an element is. */
typedef struct oc_folds {
    oc_fold sum, prod, max, min;
    void (*abs)(void *x, int64_t n); /* works in place */
    void (*square)(void *x, int64_t n);
    /* Squares of floats, for double alone: ctx is not used, and square_lines may be NULL. */
    void (*load_squares)(const void *ctx, void *to, const void *from, int64_t n);
    oc_fold_lines square_lines;
} oc_folds;

/* The folds for one instruction set. float, double and int64 have all folds, narrower integers
 * only max and min; other types have none. */
typedef struct oc_fold_variant {
    const char *isa;
    unsigned need;
    const oc_folds *of[OC_N_TYPES];
} oc_fold_variant;

extern const oc_fold_variant *const oc_fold_variants[]; /* best first, the last is scalar */

/* type must have folds. */
const oc_folds *oc_folds_pick(oc_type type, unsigned cpu);
