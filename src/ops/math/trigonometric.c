/* SPDX-License-Identifier: Apache-2.0
 * trigonometric.c - the trigonometric functions, the hyperbolic ones but Tanh (exponential.c), and
 * their inverses, element by element. Outside its domain a function is NaN. */
#include "ops/kit/elementwise.h"

/* A stage by a curve near 0 and a function far from it, the latter alone for double. */
static oc_status angle_stage(oc_call *c, oc_stage *s, oc_angle_fn *near, oc_elementary_fn *far)
{
    static const oc_rows rows = {[OC_F32] = oc_angle_row_f32};
    if (oc_in(c, 0)->type == OC_F64)
        return oc_stage_elementary(c, s, far);
    const oc_angle_row angle = {near, far};
    return oc_stage_unary(c, s, rows, &angle, sizeof angle);
}

#define ANGLE_STAGE(op, function)                                                                  \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        const unsigned cpu = oc_call_cpu(c);                                                       \
        return angle_stage(c, s, oc_curves_pick_wide(cpu)->function,                               \
                           oc_elementary_pick(cpu)->function);                                     \
    }

OC_ELEMENTARY_STAGE(Acos, acos)
OC_ELEMENTARY_STAGE(Acosh, acosh)
OC_ELEMENTARY_STAGE(Asin, asin)
OC_ELEMENTARY_STAGE(Asinh, asinh)
OC_ELEMENTARY_STAGE(Atan, atan)
OC_ELEMENTARY_STAGE(Atanh, atanh)
ANGLE_STAGE(Cos, cos)
OC_ELEMENTARY_STAGE(Cosh, cosh)
ANGLE_STAGE(Sin, sin)
OC_ELEMENTARY_STAGE(Sinh, sinh)
OC_ELEMENTARY_STAGE(Tan, tan)

#define ROW(since, op, set)                                                                        \
    {                                                                                              \
        since, #op " (T input*) => (T output) | T: " set, oc_same_shape, OC_STAGE(op##_stage)      \
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
