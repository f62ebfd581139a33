/* SPDX-License-Identifier: Apache-2.0
 * exponential.c - Exp, Log, and the activations made of the exponential: Sigmoid and Tanh, element
 * by element. float16 and bfloat16 are computed in float and rounded once. */
#include "ops/kit/elementwise.h"

/* Defines a stage that uses a curve for every type but double. */
#define CURVE_STAGE(op, function)                                                                  \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        if (oc_in(c, 0)->type == OC_F64)                                                           \
            return oc_stage_elementary(c, s, oc_elementary_pick(oc_call_cpu(c))->function);        \
        return oc_stage_curve(c, s, oc_curves_pick(oc_call_cpu(c))->function, 0);                  \
    }

CURVE_STAGE(Exp, exp)
OC_ELEMENTARY_STAGE(Log, log)
CURVE_STAGE(Sigmoid_row, sigmoid)
CURVE_STAGE(Tanh, tanh)

static oc_status Sigmoid_stage(oc_call *c, oc_stage *s)
{
    OC_TRY(Sigmoid_row_stage(c, s));
    s->times = oc_in(c, 0)->type == OC_F16;
    s->of_floats = oc_curves_pick_wide(oc_call_cpu(c))->x_sigmoid_f16;
    return OC_OK;
}

/* clang-format off */
#define ROW(since, op, attrs, in, out, set)                                                        \
    {since, #op attrs " (T " in "*) => (T " out ") | T: " set, oc_same_shape, OC_STAGE(op##_stage)}
#define LEGACY " <ints consumed_inputs?>" /* a hint about memory, which has no effect */
#define ROWS(op, in, out)                                                                          \
    ROW(13, op, "",     in, out, "float_ir4"),                                                     \
    ROW( 6, op, "",     in, out, "ieee"),                                                          \
    ROW( 1, op, LEGACY, in, out, "ieee")
const oc_op oc_ops_exponential[] = {
    ROWS(Exp,     "input", "output"),
    ROWS(Log,     "input", "output"),
    ROWS(Sigmoid, "X",     "Y"),
    ROWS(Tanh,    "input", "output"),
    {0}
};
