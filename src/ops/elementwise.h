/* SPDX-License-Identifier: Apache-2.0
 * elementwise.h - what the element-by-element families share: choosing a row kernel by type. */
#ifndef OC_OPS_ELEMENTWISE_H
#define OC_OPS_ELEMENTWISE_H

#include "ops/op.h"

/* Row kernels by element type; float16 and bfloat16 go through OC_F32's. */
typedef oc_row_fn *oc_rows[OC_N_TYPES];

/* y = f(x...) by the row of x[0]'s type; an error when the family has none for it. */
oc_status oc_run_rows(oc_call *c, const oc_rows rows, oc_value *y, const oc_value *const x[],
                      int n_x);

/* Row kernels of one and two operands: T is the operands' type, R the result's. A row with a
 * repeated operand has a loop of its own, so that compilers see constants. */
#define OC_ROW1(name, T, R, expr)                                                                  \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n)            \
    {                                                                                              \
        R *y = y_;                                                                                 \
        const T *p = x_[0];                                                                        \
        (void)step;                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T x = p[i];                                                                      \
            y[i] = (R)(expr);                                                                      \
        }                                                                                          \
    }

#define OC_EACH2(T, R, left, right, expr)                                                          \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const T a = left, b = right;                                                               \
        y[i] = (R)(expr);                                                                          \
    }

#define OC_ROW2(name, T, R, expr)                                                                  \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n)            \
    {                                                                                              \
        R *y = y_;                                                                                 \
        const T *p = x_[0], *q = x_[1];                                                            \
        if (step[0] && step[1])                                                                    \
            OC_EACH2(T, R, p[i], q[i], expr)                                                       \
        else if (step[0])                                                                          \
            OC_EACH2(T, R, p[i], q[0], expr)                                                       \
        else                                                                                       \
            OC_EACH2(T, R, p[0], q[i * step[1]], expr)                                             \
    }

/* ---- the broadcasting of opsets before 7: B repeats A's axes from `axis` on, if asked to */

/* "int axis?, int broadcast = 0" */
#define OC_LEGACY_ATTRS "int axis?, int broadcast = 0"

/* B with dims as many as A's, ones where it repeats. */
oc_status oc_legacy_b(oc_call *c, oc_value *b);
oc_op_fn oc_legacy_shape; /* output 0: A's type and dims */

#endif
