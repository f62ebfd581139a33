/* SPDX-License-Identifier: Apache-2.0
 * reduce_types.h - the arguments of a reduction. */
#pragma once

#include "base/work.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/reduce/reduce_fold.h"

enum { OC_REDUCE_WIDTH = 128 }; /* most results that are stored at once */

typedef struct oc_reduce_axis {
    int64_t n, step; /* step is in elements of x */
} oc_reduce_axis;

/* A reduction; reduce.h says what it computes. */
typedef struct oc_reduce {
    const void *x;
    size_t x_size; /* bytes of an element of x: 1, 2, 4 or 8 */
    int n_kept, n_reduced;
    /* outermost axis first; all sizes are at least 1 */
    oc_reduce_axis kept[OC_MAX_RANK], reduced[OC_MAX_RANK];
    const oc_fold *fold; /* not read when log_sum_exp is set */
    /* If not NULL, the results are m + log(sum of exp(x - m)), where m is the maximum, all in
     * double, by these functions and folds. */
    const oc_elementary *log_sum_exp;
    const oc_folds *folds;
    /* Makes n <= 1024 partial results from elements. NULL: elements are partial results already. */
    void (*load)(const void *ctx, void *to, const void *from, int64_t n);
    /* Folds elements without load. NULL: load runs, and `fold` folds its results. */
    oc_fold_lines lines;
    /* Takes results first to first + n - 1, n <= 128, in row-major order of the kept axes. */
    void (*store)(const void *ctx, const void *result, int64_t first, int64_t n);
    const void *ctx;
    oc_work work; /* all threads; only as many as the elements are worth call load and store */
} oc_reduce;
