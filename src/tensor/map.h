/* SPDX-License-Identifier: Apache-2.0
 * map.h - element-by-element functions with broadcasting.
 *
 * The shape of the result is walked in rows along its innermost axes; axes that all operands step
 * through alike are merged first, so most calls are one row. A row kernel sees raw elements. */
#ifndef OC_TENSOR_MAP_H
#define OC_TENSOR_MAP_H

#include "base/threads.h"
#include "tensor/value.h"

enum { OC_MAP_OPERANDS = 3 };

/* y[i] = f(x[0][i * step[0]], x[1][i * step[1]], ...) for i < n. step is 1, or 0 where the operand
 * repeats one element. y never overlaps an operand unless it is the same array with step 1. ctx is
 * what oc_map was given, the same for all rows and threads: what f needs to know but its operands.
 */
typedef void oc_row_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *ctx);

/* Fills y, whose dims are the broadcast of all operands'. Rows are shared among the threads of
 * parallel (which may be NULL); results do not depend on it. */
void oc_map(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
            const oc_parallel *parallel);

/* As oc_map, for operands that are all float16 or all bfloat16: row sees float. Each result is
 * rounded once to the same type; or y is bool, which row writes directly (comparisons). */
void oc_map_half(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
                 const oc_parallel *parallel);

#endif
