/* SPDX-License-Identifier: Apache-2.0
 * gather.h - the hot loop of GridSample: the weighted sum of the pixels under taps.
 *
 * The result of position i is
 *
 *     sum over rows j, and within them over columns k, of
 *         (row_weight[j][i] * col_weight[k][i]) * plane[base[j][i] + shift[k][i]],
 *
 * in that order, starting from zero; a missing tap adds nothing. The sum is float for float,
 * float16, bfloat16 and integers of 8 and 16 bits, double for double and integers of 32 and 64
 * bits; complex numbers are two sums. float16 and bfloat16 are rounded once. Integers are
 * truncated toward zero and saturate; NaN gives 0. */
#pragma once

#include "kernels/common/precondition.h"
#include "kernels/sample/taps.h"

/* Writes t->n elements in runs of t->run; each run begins t->pitch elements after the one
 * before. t->n is a multiple of t->run. */
typedef void oc_gather_fn(void *y, const void *plane, const oc_taps *t);
typedef struct oc_gather_variant {
    const char *isa;
    unsigned need;
    oc_gather_fn *sum[OC_N_TYPES]; /* indexed by element type */
} oc_gather_variant;

extern const oc_gather_variant *const oc_gather_variants[]; /* best first, the last is scalar */

/* Does the type have a weighted sum, and are its weights double? */
bool oc_gather_has(oc_type type);
bool oc_gather_is_f64(oc_type type);

oc_gather_fn *oc_gather_sum(oc_type type, unsigned cpu); /* needs oc_gather_has(type) */
