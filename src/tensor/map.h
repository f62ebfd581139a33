/* SPDX-License-Identifier: Apache-2.0
 * map.h - element-by-element functions with broadcasting.
 *
 * The result is computed in rows along its innermost axis. Before that, axes that all operands step
 * through as through one axis are merged, so that most calls have one row. A row kernel gets
 * pointers to the elements. */
#ifndef OC_TENSOR_MAP_H
#define OC_TENSOR_MAP_H

#include "base/work.h"
#include "tensor/value.h"

enum { OC_MAP_OPERANDS = 3 };

/* A row kernel: y[i] = f(x[0][i * step[0]], x[1][i * step[1]], ...) for i < n. A step is 1, or 0
 * where the operand repeats one element. y does not overlap an operand, except that it may be the
 * same array as an operand with step 1. ctx is the pointer given to oc_map, the same for all rows
 * and threads; it holds what f needs besides its operands. */
typedef void oc_row_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *ctx);

/* Fills y, whose dims are the broadcast of the dims of all operands; w says how many threads there
 * are, and y how many of them share the rows. Once the watch has ended the rest of y is left as it
 * is. */
void oc_map(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
            const oc_work *w);

/* In which type a row is computed whose operands are all of another one, and what converts between
 * the two: n elements, of memory apart. */
typedef struct oc_wide {
    oc_type type;
    void (*convert)(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                    int64_t n);
    unsigned cpu; /* for convert */
} oc_wide;

/* As oc_map, but row gets its operands as elements of wide->type, in strips that the first cache
 * keeps. y has the type of the operands, and each result is converted to it once; or it has
 * another, and row writes that itself (comparisons). */
void oc_map_wide(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
                 const oc_wide *wide, const oc_work *w);

#endif
