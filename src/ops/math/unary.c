/* SPDX-License-Identifier: Apache-2.0
 * unary.c - y = f(x), element by element, where f is one expression for each kind of type.
 *
 * The expressions for float are in kernels/elementwise. */
#include "ops/kit/elementwise.h"

/* float16 and bfloat16 are computed in float and rounded once. Round goes to even, as rint does in
 * the default rounding mode. Neg of the least integer, and Abs of it, is itself. */

/* clang-format off */

/*    operator    double */
#define DOUBLES(X)                                                                                 \
    X(Ceil,       ceil(x))                                                                         \
    X(Floor,      floor(x))                                                                        \
    X(Reciprocal, 1 / x)                                                                           \
    X(Round,      rint(x))                                                                         \
    X(Sqrt,       sqrt(x))                                                                         \
    X(Abs,        fabs(x))                                                                         \
    X(Neg,        -x)                                                                              \
    X(Relu,       x < 0 ? 0 : x)                                                                   \
    X(Sign,       x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x)

/*    operator    signed integers                              unsigned */
#define INTEGERS(X)                                                                                \
    X(Abs,        x < 0 ? 0 - (uint64_t)x : (uint64_t)x,       x)                                  \
    X(Neg,        0 - (uint64_t)x,                             x)                                  \
    X(Relu,       x < 0 ? 0 : x,                               x)                                  \
    X(Sign,       x > 0 ? 1 : x < 0 ? -1 : 0,                  x > 0 ? 1 : 0)
/* clang-format on */

#define X(op, expr) OC_ROW1(op##_f64, double, double, expr)
DOUBLES(X)
#undef X
INTEGERS(OC_INTEGER_ROWS1)
OC_ROW1(Not_bool, uint8_t, uint8_t, !x)

#define STAGE(op, ...)                                                                             \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        const oc_rows rows = {__VA_ARGS__};                                                        \
        return oc_stage_unary(c, s, rows, NULL, 0);                                                \
    }
#define FLOATS(op, function) OC_PLAIN_ENTRIES(c, function, op)

STAGE(Ceil, FLOATS(Ceil, ceil))
STAGE(Floor, FLOATS(Floor, floor))
STAGE(Reciprocal, FLOATS(Reciprocal, reciprocal))
STAGE(Round, FLOATS(Round, round))
STAGE(Sqrt, FLOATS(Sqrt, sqrt))
STAGE(Abs, FLOATS(Abs, abs), OC_INTEGER_ENTRIES(Abs))
STAGE(Neg, FLOATS(Neg, neg), OC_INTEGER_ENTRIES(Neg))
STAGE(Relu_row, FLOATS(Relu, relu), OC_INTEGER_ENTRIES(Relu))
STAGE(Sign, FLOATS(Sign, sign), OC_INTEGER_ENTRIES(Sign))

static oc_status Relu_stage(oc_call *c, oc_stage *s)
{
    OC_TRY(Relu_row_stage(c, s));
    s->clamps = true;
    s->least = 0;
    s->greatest = INFINITY;
    return OC_OK;
}

STAGE(Not, [OC_BOOL] = Not_bool)

/* clang-format off */
#define SIG(op, attrs, in, out, set) #op attrs " (T " in "*) => (T " out ") | T: " set
#define ROW(since, op, attrs, in, out, set)                                                        \
    {since, SIG(op, attrs, in, out, set), oc_same_shape, OC_STAGE(op##_stage)}
#define RELU(since, attrs, set)                                                                    \
    {since, SIG(Relu, attrs, "X", "Y", set), oc_same_shape, oc_run_stage,                          \
     OC_TRAITS(.stage = Relu_stage, .codes = OC_CLAMPS)}
#define LEGACY " <ints consumed_inputs?>" /* a hint about memory, which has no effect */
#define SIGNED_INTS " int8 int16 int32 int64"
const oc_op oc_ops_unary[] = {
    ROW(13, Abs, "",     "X", "Y", "numeric_ir4"),
    ROW( 6, Abs, "",     "X", "Y", "numeric"),
    ROW( 1, Abs, LEGACY, "X", "Y", "ieee"),
    ROW(13, Ceil, "",     "X", "Y", "float_ir4"),
    ROW( 6, Ceil, "",     "X", "Y", "ieee"),
    ROW( 1, Ceil, LEGACY, "X", "Y", "ieee"),
    ROW(13, Floor, "",     "X", "Y", "float_ir4"),
    ROW( 6, Floor, "",     "X", "Y", "ieee"),
    ROW( 1, Floor, LEGACY, "X", "Y", "ieee"),
    ROW(13, Neg, "",     "X", "Y", "float_ir4" SIGNED_INTS),
    ROW( 6, Neg, "",     "X", "Y", "ieee" SIGNED_INTS),
    ROW( 1, Neg, LEGACY, "X", "Y", "ieee"),
    ROW( 1, Not, "", "X", "Y", "bool"),
    ROW(13, Reciprocal, "",     "X", "Y", "float_ir4"),
    ROW( 6, Reciprocal, "",     "X", "Y", "ieee"),
    ROW( 1, Reciprocal, LEGACY, "X", "Y", "ieee"),
    RELU(14, "",     "float_ir4" SIGNED_INTS),
    RELU(13, "",     "float_ir4"),
    RELU( 6, "",     "ieee"),
    RELU( 1, LEGACY, "ieee"),
    ROW(22, Round, "", "X", "Y", "float_ir4"),
    ROW(11, Round, "", "X", "Y", "ieee"),
    ROW(13, Sign, "", "input", "output", "numeric_ir4"),
    ROW( 9, Sign, "", "input", "output", "numeric"),
    ROW(13, Sqrt, "",     "X", "Y", "float_ir4"),
    ROW( 6, Sqrt, "",     "X", "Y", "ieee"),
    ROW( 1, Sqrt, LEGACY, "X", "Y", "ieee"),
    {0}
};
