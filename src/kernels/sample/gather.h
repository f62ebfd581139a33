/* SPDX-License-Identifier: Apache-2.0
 * gather.h - what is the weighted sum of the pixels under taps? The hot loop of GridSample.
 *
 * Weighted: the result of position i is
 *
 *     sum over rows j, and within them over columns k, of
 *         (row_weight[j][i] * col_weight[k][i]) * plane[base[j][i] + shift[k][i]],
 *
 * in that order, starting from zero; a missing tap adds nothing. The sum is float for float,
 * float16, bfloat16 and integers of 8 and 16 bits, double for double and integers of 32 and 64
 * bits; complex numbers are two sums. float16 and bfloat16 are rounded once. Integers are truncated
 * toward zero and saturate; NaN gives 0.
 *
 * Picked: the result is plane[base[0][i]], or one of two elements for a missing pixel and for NaN.
 * Bytes are moved, so any type is served by its size. */
#ifndef OC_KERNELS_SAMPLE_GATHER_H
#define OC_KERNELS_SAMPLE_GATHER_H

#include "kernels/common/precondition.h"
#include "kernels/sample/taps.h"

/* Writes t->n elements in runs of t->run; each run begins t->pitch elements after the one before.
 * t->n is a multiple of t->run. */
typedef void oc_gather_fn(void *y, const void *plane, const oc_taps *t);
/* The result is outside[0] where absent is OC_NO_PIXEL, outside[1] where it is OC_NAN_PIXEL. */
typedef void oc_pick_fn(void *y, const void *plane, const oc_taps *t, const void *outside);

typedef struct oc_gather_variant {
    const char *isa;
    unsigned need;
    oc_gather_fn *sum[OC_N_TYPES]; /* by element type */
} oc_gather_variant;

extern const oc_gather_variant *const oc_gather_variants[]; /* best first, the last is scalar */

/* Are the sizes of t, and in it the offset of every tap, as taps.h and this header state them? */
static inline bool oc_taps_are_sound(const oc_taps *t)
{
    bool good = t->run >= 1 && t->n % t->run == 0 && (t->pitch >= t->run || t->n == t->run);
    good = good && t->n <= t->stride && t->rows >= 1 && t->rows * t->stride <= OC_ROWS;
    good = good && (t->cols == 1 || t->cols == 2 || t->cols == 4);
    for (int j = 0; j < t->rows && good; j++)
        for (int i = j * t->stride; i < j * t->stride + t->n; i++)
            good = good && (t->absent[i] ? !t->all && t->base[i] == 0 : t->base[i] >= 0);
    for (int k = 0; k < t->cols && t->cols > 1 && good; k++)
        for (int i = k * t->stride; i < k * t->stride + t->n; i++)
            good = good && (t->all ? t->shift[i] == k
                                   : t->shift[i] >= OC_NO_PIXEL && t->shift[i] < t->cols);
    return good;
}

/* Does the type have a weighted sum, and are its weights double? */
bool oc_gather_has(oc_type type);
bool oc_gather_is_f64(oc_type type);

oc_gather_fn *oc_gather_sum(oc_type type, unsigned cpu); /* oc_gather_has(type) */
oc_pick_fn *oc_pick_of(size_t size);                     /* size 1, 2, 4, 8 or 16 */

#endif
