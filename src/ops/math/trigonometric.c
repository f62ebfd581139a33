/* SPDX-License-Identifier: Apache-2.0
 * trigonometric.c - the trigonometric functions, the hyperbolic ones but Tanh (exponential.c), and
 * their inverses, element by element. Outside its domain a function is NaN. */
#include "ops/kit/elementwise.h"

/* Defines a run by a curve near 0 and a function far from it, the latter alone for double. */
#define ANGLE_RUN(op, function)                                                                    \
    static oc_status op##_run(oc_call *c)                                                          \
    {                                                                                              \
        static const oc_rows rows = {[OC_F32] = oc_angle_row_f32};                                 \
        oc_elementary_fn *far = oc_elementary_pick(oc_call_cpu(c))->function;                      \
        if (oc_in(c, 0)->type == OC_F64)                                                           \
            return oc_run_elementary(c, far);                                                      \
        return oc_run_unary(c, rows,                                                               \
                            &(oc_angle_row){oc_curves_pick(oc_call_cpu(c))->function, far});       \
    }

OC_ELEMENTARY_RUN(Acos, acos)
OC_ELEMENTARY_RUN(Acosh, acosh)
OC_ELEMENTARY_RUN(Asin, asin)
OC_ELEMENTARY_RUN(Asinh, asinh)
OC_ELEMENTARY_RUN(Atan, atan)
OC_ELEMENTARY_RUN(Atanh, atanh)
ANGLE_RUN(Cos, cos)
OC_ELEMENTARY_RUN(Cosh, cosh)
ANGLE_RUN(Sin, sin)
OC_ELEMENTARY_RUN(Sinh, sinh)
OC_ELEMENTARY_RUN(Tan, tan)

#define ROW(since, op, set)                                                                        \
    {                                                                                              \
        since, #op " (T input^*) => (T output) | T: " set, oc_same_shape, op##_run                 \
    }
/* clang-format off */
#define ROWS(first, op) ROW(22, op, "float_ir4"), ROW(first, op, "ieee")
const oc_op oc_ops_trigonometric[] = {
    ROWS(7, Acos),
    ROWS(9, Acosh),
    ROWS(7, Asin),
    ROWS(9, Asinh),
    ROWS(7, Atan),
    ROWS(9, Atanh),
    ROWS(7, Cos),
    ROWS(9, Cosh),
    ROWS(7, Sin),
    ROWS(9, Sinh),
    ROWS(7, Tan),
    {0}
};
/* clang-format on */
