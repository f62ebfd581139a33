/* SPDX-License-Identifier: Apache-2.0
 * reduce_types.h - what is asked of a reduction? */
#ifndef OC_KERNELS_REDUCE_REDUCE_TYPES_H
#define OC_KERNELS_REDUCE_REDUCE_TYPES_H

#include "base/work.h"
#include "kernels/elementwise/elementary.h"
#include "kernels/reduce/reduce_fold.h"

enum { OC_REDUCE_WIDTH = 128 }; /* the most results that are stored at once */

typedef struct oc_reduce_axis {
    int64_t n, step; /* step in elements of x */
} oc_reduce_axis;

/* reduce.h says what is computed. */
typedef struct oc_reduce {
    const void *x;
    size_t x_size; /* 1, 2, 4 or 8 */
    int n_kept, n_reduced;
    oc_reduce_axis kept[OC_MAX_RANK], reduced[OC_MAX_RANK]; /* outermost first; no size is 0 */
    const oc_fold *fold;                                    /* not read with log_sum_exp */
    /* Not NULL: the results are m + log(sum of exp(x - m)), m the maximum, all double, by these
     * functions and folds. */
    const oc_elementary *log_sum_exp;
    const oc_folds *folds;
    /* Makes n <= 1024 partial results of elements; NULL: elements are taken as they are. */
    void (*load)(const void *ctx, void *to, const void *from, int64_t n);
    oc_fold_lines lines; /* of elements before load; NULL: what load makes is folded by `fold` */
    /* Takes results first .. first + n - 1, n <= 128, in row-major order of the kept axes. */
    void (*store)(const void *ctx, const void *result, int64_t first, int64_t n);
    const void *ctx;
    oc_work work; /* by all threads; as many as the elements are worth call load and store */
} oc_reduce;

#endif
