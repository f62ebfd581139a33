/* SPDX-License-Identifier: Apache-2.0
 * reduce.h - in which order are many elements folded to one, along any axes?
 *
 * The n elements of one result are numbered k = 0 .. n-1 in row-major order of the reduced axes and
 * cut into blocks of 1024. In a block, partial result p of 16 folds the elements k with k % 16 = p
 * one after another. Partial results are then folded as a tree: p with p + 8, then p + 4, p + 2, p
 * + 1; those without elements are left out. Blocks are folded in pairs, pairs of pairs and so on,
 * the earlier one first; blocks left over at the end are folded from the last to the first. The
 * order depends only on n: not on which axes are reduced, on threads or on instruction sets. */
#ifndef OC_KERNELS_REDUCE_REDUCE_H
#define OC_KERNELS_REDUCE_REDUCE_H

#include "base/threads.h"
#include "base/work.h"
#include "kernels/elementwise/elementary.h"

#include <ocellus.h>

enum { OC_REDUCE_SUMS = 16, OC_REDUCE_BLOCK = 1024, OC_REDUCE_WIDTH = 128 };
enum { OC_REDUCE_WORK = 64 * OC_ELEMENT }; /* products that take as long as an element, at most */

/* The loops of one fold in one type, that of the partial results. */
/* result[l] folds the block of x[l * step + k], k < n <= 1024, for each l < lines. */
typedef void (*oc_fold_lines)(void *result, const void *x, int64_t n, int64_t step, int64_t lines);

typedef struct oc_fold {
    size_t size;                                          /* bytes of that type: 1, 2, 4 or 8 */
    void (*along)(void *part, const void *x, int64_t n);  /* part[k % 16] takes in x[k], k < n */
    void (*across)(void *part, const void *x, int64_t n); /* part[k] takes in x[k], k < n */
    /* part[k] takes in x[k], x[step + k], x[2 step + k] and x[3 step + k], k < n; or NULL. */
    void (*down)(void *part, const void *x, int64_t step, int64_t n);
    /* result[l] folds the elements x[16 k + l] of a block, k < n; NULL: there is no such loop. */
    void (*beside)(void *result, const void *x, int64_t n);
    oc_fold_lines lines; /* NULL: there is no such loop */
} oc_fold;

/* Integers are summed and multiplied as int64 that wraps. Maximum and minimum are NaN once an
 * element is. */
typedef struct oc_folds {
    oc_fold sum, prod, max, min;
    void (*abs)(void *x, int64_t n); /* in place */
    void (*square)(void *x, int64_t n);
    oc_fold_lines square_lines; /* of double: x are floats, whose squares are summed; or NULL */
} oc_folds;

/* One per instruction set. float, double and int64 have all folds, the narrower integers max and
 * min alone; for other types there are none. */
typedef struct oc_fold_variant {
    const char *isa;
    unsigned need;
    const oc_folds *of[OC_N_TYPES];
} oc_fold_variant;

extern const oc_fold_variant *const oc_fold_variants[]; /* best first, the last is scalar */

/* type: one that has folds. */
const oc_folds *oc_folds_pick(oc_type type, unsigned cpu);

typedef struct oc_reduce_axis {
    int64_t n, step; /* step in elements of x */
} oc_reduce_axis;

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
    oc_fold_lines lines; /* of elements before load; NULL: they are folded by `fold` */
    /* Takes results first .. first + n - 1, n <= 128, in row-major order of the kept axes. */
    void (*store)(const void *ctx, const void *result, int64_t first, int64_t n);
    const void *ctx;
    oc_work work; /* by all threads; as many as the elements are worth call load and store */
} oc_reduce;

/* Computes all results. */
void oc_reduce_run(const oc_reduce *r);

#endif
