/* SPDX-License-Identifier: Apache-2.0
 * exponential.c - Exp, Log, and the activations made of the exponential: Sigmoid and Tanh, element
 * by element. float16 and bfloat16 are computed in float and rounded once. */
#include "ops/kit/elementwise.h"

/* Defines a run function that uses a curve for every type but double. */
#define CURVE_RUN(op, function)                                                                    \
    static oc_status op##_run(oc_call *c)                                                          \
    {                                                                                              \
        if (oc_in(c, 0)->type == OC_F64)                                                           \
            return oc_run_elementary(c, oc_elementary_pick(oc_call_cpu(c))->function);             \
        return oc_run_curve(c, oc_curves_pick(oc_call_cpu(c))->function, 0);                       \
    }

CURVE_RUN(Exp, exp)
OC_ELEMENTARY_RUN(Log, log)
CURVE_RUN(Sigmoid, sigmoid)
CURVE_RUN(Tanh, tanh)

/* clang-format off */
#define ROW(since, op, attrs, in, out, set)                                                        \
    {since, #op attrs " (T " in "^*) => (T " out ") | T: " set, oc_same_shape, op##_run}
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
/* clang-format on */
