/* SPDX-License-Identifier: Apache-2.0
 * map.h - element-by-element functions with broadcasting.
 *
 * The result is computed in rows along its innermost axis. Before that, axes that all operands step
 * through as through one axis are merged, so that most calls have one row. A row kernel gets
 * pointers to the elements. */
#ifndef OC_TENSOR_MAP_H
#define OC_TENSOR_MAP_H

#include "base/threads.h"
#include "tensor/value.h"

enum { OC_MAP_OPERANDS = 3 };

/* A row kernel: y[i] = f(x[0][i * step[0]], x[1][i * step[1]], ...) for i < n. A step is 1, or 0
 * where the operand repeats one element. y does not overlap an operand, except that it may be the
 * same array as an operand with step 1. ctx is the pointer given to oc_map, the same for all rows
 * and threads; it holds what f needs besides its operands. */
typedef void oc_row_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *ctx);

/* Fills y, whose dims are the broadcast of the dims of all operands. The threads of parallel (which
 * may be NULL) share the rows; the results do not depend on it. */
void oc_map(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
            const oc_parallel *parallel);

/* As oc_map, for operands that are all float16 or all bfloat16; row gets them as float. y has the
 * type of the operands, and each result is rounded to it once; or y is bool, and row writes bools
 * (comparisons). */
void oc_map_half(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
                 const oc_parallel *parallel);

#endif
