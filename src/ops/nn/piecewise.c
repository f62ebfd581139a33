/* SPDX-License-Identifier: Apache-2.0
 * piecewise.c - activations that consist of straight lines and parabolas: HardSigmoid, HardSwish,
 * LeakyRelu, PRelu, Shrink, ThresholdedRelu. (Relu and Clip are in ops/math.)
 *
 * They are computed in the elements' own type, but Shrink of float in double; float16 and bfloat16
 * go through float. Where a formula gives NaN for an infinity (0 * Inf), the result is NaN. */
#include "ops/kit/elementwise.h"

/* ---- rows: their context is the attributes, an oc_factors ---- */

#define F                  ((const oc_factors *)ctx)
#define ROW(name, T, expr) OC_ROW1(name, T, T, expr)

static double shrink(const oc_factors *f, double x)
{
    return x < -f->a ? x + f->b : x > f->a ? x - f->b : 0;
}

/* Shrink of integers without a bias keeps the element x, whose double is v, or returns 0. No digits
 * are lost. */
static int64_t chosen(const oc_factors *f, int64_t x, double v)
{
    return v < -f->a || v > f->a ? x : 0;
}

OC_SMALL_LOOPS
ROW(hardsigmoid_f64, double, OC_PLAIN_UNIT(F->b + F->a * x))
ROW(hardswish_row_f64, double, OC_PLAIN_UNIT((x + 3) / 6) * x)
ROW(leakyrelu_f64, double, x < 0 ? F->a * x : x)
ROW(thresholdedrelu_f64, double, x > F->a ? x : 0)
ROW(shrink_f32, float, shrink(F, (double)x))
ROW(shrink_f64, double, shrink(F, x))
ROW(chosen_i64, int64_t, chosen(F, x, (double)x))
ROW(chosen_u64, int64_t, chosen(F, x, (double)(uint64_t)x))
OC_SMALL_LOOPS_END

/* ---- one operand ---- */

/* Defines a stage function by a function of kernels/elementwise/plain.h for float and a row for
 * double. */
#define STAGE(op, function, a, b)                                                                  \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        const oc_rows rows = {OC_PLAIN_ENTRIES(c, function, op)};                                  \
        const oc_factors f = {a, b};                                                               \
        return oc_stage_unary(c, s, rows, &f, sizeof f);                                           \
    }
#define ATTR(name) (double)oc_attr_float(c, name)
STAGE(hardsigmoid, hard_sigmoid, ATTR("alpha"), ATTR("beta"))
STAGE(hardswish_row, hard_swish, 0, 0)
STAGE(leakyrelu, leaky_relu, ATTR("alpha"), 0)
STAGE(thresholdedrelu, thresholded_relu, ATTR("alpha"), 0)

static oc_status hardswish_stage(oc_call *c, oc_stage *s)
{
    OC_TRY(hardswish_row_stage(c, s));
    if (oc_in(c, 0)->type == OC_F16)
        s->of_floats = oc_curves_pick_wide(oc_call_cpu(c))->hard_swish_f16;
    return OC_OK;
}

/* Integers are computed in double and converted as Cast does. */
static oc_status shrink_stage(oc_call *c, oc_stage *s)
{
    static const oc_rows rows = {OC_FLOAT_ENTRIES(shrink)};
    const oc_type type = oc_in(c, 0)->type;
    const oc_factors f = {ATTR("lambd"), ATTR("bias")};
    if (oc_type_in(type, OC_SET_FLOAT))
        return oc_stage_unary(c, s, rows, &f, sizeof f);
    if (f.b == 0)
        oc_stage_wide(c, s, OC_I64, oc_type_in(type, OC_SET_UNSIGNED) ? chosen_u64 : chosen_i64, &f,
                      sizeof f);
    else
        oc_stage_wide(c, s, OC_F64, shrink_f64, &f, sizeof f);
    return OC_OK;
}

/* ---- PRelu ---- */

OC_SMALL_LOOPS
OC_SHORT_ROW2(prelu_f64, double, double, (a < 0 ? b : 1) * a)
OC_SHORT_ROW2(prelu_i32, int32_t, int32_t, (a < 0 ? (uint32_t)b : 1) * (uint32_t)a)
OC_SHORT_ROW2(prelu_i64, int64_t, int64_t, (a < 0 ? (uint64_t)b : 1) * (uint64_t)a)
OC_SHORT_ROW2(prelu_u32, uint32_t, uint32_t, ((void)b, a)) /* never below zero */
OC_SHORT_ROW2(prelu_u64, uint64_t, uint64_t, ((void)b, a))
OC_SMALL_LOOPS_END

static oc_status prelu(oc_call *c, oc_stage *s, const oc_value *slope)
{
    const oc_rows rows = {OC_PLAIN_ENTRIES(c, prelu, prelu), [OC_I32] = prelu_i32,
                          [OC_I64] = prelu_i64, [OC_U32] = prelu_u32, [OC_U64] = prelu_u64};
    const oc_value *x[] = {oc_in(c, 0), slope};
    return oc_stage_rows(c, s, rows, x, 2, NULL, 0);
}

static oc_status prelu_shape(oc_call *c)
{
    OC_TRY(oc_expect_repeats(c, 1, &oc_in(c, 0)->dims));
    return oc_same_shape(c);
}

static oc_status prelu_stage(oc_call *c, oc_stage *s)
{
    return prelu(c, s, oc_in(c, 1));
}

/* Before version 7 the slope is one element, or one for each channel (axis 1). */
static oc_status prelu_legacy_slope(oc_call *c, oc_value *slope)
{
    const oc_dims *x = &oc_in(c, 0)->dims;
    *slope = *oc_in(c, 1);
    const int64_t n = oc_value_n(slope);
    const bool channels = slope->dims.rank == 1 && x->rank > 1 && n == x->n[1];
    if (n != 1 && !channels)
        return oc_fail_dims(c, 1, "expected one element, or one for each channel of input 0");
    slope->dims = (oc_dims){0, {0}};
    if (n == 1)
        return OC_OK;
    slope->dims.rank = x->rank;
    for (int i = 0; i < x->rank; i++)
        slope->dims.n[i] = i == 1 ? n : 1;
    return OC_OK;
}

static oc_status prelu_legacy_shape(oc_call *c)
{
    oc_value slope;
    OC_TRY(prelu_legacy_slope(c, &slope));
    return oc_same_shape(c);
}

static oc_status prelu_legacy(oc_call *c, oc_stage *s)
{
    OC_TRY(prelu_legacy_slope(c, &s->own[0]));
    return prelu(c, s, &s->own[0]);
}

/* clang-format off */
#define LEGACY "ints consumed_inputs?" /* a hint about memory, which has no effect */
#define SIG(op, attrs, in, out, set)                                                               \
    #op " <" attrs "> (T " in "*) => (T " out ") | T: " set, oc_same_shape
#define PLAIN(op, in, out, set) #op " (T " in "*) => (T " out ") | T: " set, oc_same_shape
#define PRELU(set) "PRelu (T X*, T slope) => (T Y) | T: " set
#define WIDE_INTS " int32 int64 uint32 uint64"
#define ALPHA_BETA "float alpha = 0.2, float beta = 0.5"
const oc_op oc_ops_piecewise[] = {
    {22, SIG(HardSigmoid, ALPHA_BETA, "X", "Y", "float_ir4"),        OC_STAGE(hardsigmoid_stage)},
    { 6, SIG(HardSigmoid, ALPHA_BETA, "X", "Y", "ieee"),             OC_STAGE(hardsigmoid_stage)},
    { 1, SIG(HardSigmoid, ALPHA_BETA ", " LEGACY, "X", "Y", "ieee"), OC_STAGE(hardsigmoid_stage)},
    {22, PLAIN(HardSwish, "X", "Y", "float_ir4"), OC_STAGE(hardswish_stage)},
    {14, PLAIN(HardSwish, "X", "Y", "ieee"),      OC_STAGE(hardswish_stage)},
    {16, SIG(LeakyRelu, "float alpha = 0.01", "X", "Y", "float_ir4"),      OC_STAGE(leakyrelu_stage)},
    { 6, SIG(LeakyRelu, "float alpha = 0.01", "X", "Y", "ieee"),           OC_STAGE(leakyrelu_stage)},
    { 1, SIG(LeakyRelu, "float alpha = 0.01, " LEGACY, "X", "Y", "ieee"),  OC_STAGE(leakyrelu_stage)},
    {16, PRELU("float_ir4" WIDE_INTS), prelu_shape, OC_STAGE(prelu_stage)},
    { 9, PRELU("ieee" WIDE_INTS),      prelu_shape, OC_STAGE(prelu_stage)},
    { 7, PRELU("ieee"),                prelu_shape, OC_STAGE(prelu_stage)},
    { 6, PRELU("ieee"),                prelu_legacy_shape, OC_STAGE(prelu_legacy)},
    { 1, "PRelu <" LEGACY "> (T X, T slope) => (T Y) | T: ieee", prelu_legacy_shape, OC_STAGE(prelu_legacy)},
    { 9, SIG(Shrink, "float bias = 0.0, float lambd = 0.5", "input", "output", "numeric"),
         OC_STAGE(shrink_stage)},
    {22, SIG(ThresholdedRelu, "float alpha = 1.0", "X", "Y", "float_ir4"), OC_STAGE(thresholdedrelu_stage)},
    {10, SIG(ThresholdedRelu, "float alpha = 1.0", "X", "Y", "ieee"),      OC_STAGE(thresholdedrelu_stage)},
    { 1, SIG(ThresholdedRelu, "float alpha = 1.0", "X", "Y", "ieee"),      OC_STAGE(thresholdedrelu_stage)},
    {0}
};
