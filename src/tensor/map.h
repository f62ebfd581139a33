/* SPDX-License-Identifier: Apache-2.0
 * map.h - element-by-element functions with broadcasting.
 *
 * The result is computed in rows along its innermost axis. Before that, axes that all operands step
 * through as through one axis are merged, so that most calls have one row. A row kernel gets
 * pointers to the elements. */
#pragma once

#include "base/work.h"
#include "tensor/value.h"

enum { OC_MAP_OPERANDS = 3 };

/* A row kernel computes y[i] = f(x[0][i * step[0]], x[1][i * step[1]], ...) for i < n. A step is
 * 1, or 0 where the operand repeats one element. y overlaps no operand, but it may be the array
 * of an operand with step 1. ctx is the pointer given to oc_map, for all rows and threads; it
 * holds what f needs besides its operands. */
typedef void oc_row_fn(void *y, const void *const x[], const int64_t step[], int64_t n,
                       const void *ctx);

/* Fills y, whose dims are the broadcast of the dims of all operands. w tells how many threads
 * there are; the size of y decides how many of them share the rows. Once the watch has ended,
 * the rest of y is left unwritten. */
void oc_map(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
            const oc_work *w);

/* The type in which rows are computed when the operands have another one, and the function that
 * converts n elements between the two types in separate arrays. */
typedef struct oc_wide {
    oc_type type;
    void (*convert)(unsigned cpu, void *to, oc_type to_type, const void *from, oc_type from_type,
                    int64_t n);
    unsigned cpu; /* passed to convert */
} oc_wide;

/* As oc_map, but row gets its operands as elements of wide->type, in strips that fit in the
 * first cache. If y has the type of the operands, each result is converted to it once. If y has
 * another type (comparisons), row writes that type itself. */
void oc_map_wide(oc_value *y, const oc_value *const x[], int n_x, oc_row_fn *row, const void *ctx,
                 const oc_wide *wide, const oc_work *w);
