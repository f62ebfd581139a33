/* SPDX-License-Identifier: Apache-2.0
 * activation.c - the smooth activations of neural networks, element by element; piecewise.c has
 * those that consist of straight pieces.
 *
 * They use the published formulas, in a form in which no step overflows and no digits cancel. Where
 * a formula gives NaN for an infinity (0 * Inf, Inf / Inf), the result is NaN. Elements of every
 * type are computed in double and rounded to float; for float, the most common activations are
 * those of kernels/elementwise/curves.h. float16 and bfloat16 go through float. */
#include "kernels/common/element.h"
#include "ops/kit/elementwise.h"

/* ---- curves: a formula each, which is applied to blocks, and one loop for each type ---- */

enum { BLOCK = OC_ELEMENTARY_BLOCK };

typedef struct curve {
    void (*block)(const struct curve *f, double y[BLOCK], const double x[BLOCK]);
    oc_elementary_fn *fn; /* the function that the formula uses */
    double a, b, c;       /* attributes */
} curve;

/* A block of the formula `result`, in which v is the element x, and e is the function fn of
 * `argument`. */
#define FORMULA(name, argument, result)                                                            \
    static void name(const curve *f, double y[BLOCK], const double x[BLOCK])                       \
    {                                                                                              \
        double u[BLOCK], all[BLOCK];                                                               \
        EACH_OF_BLOCK(u[i] = argument, v = x[i])                                                   \
        f->fn(all, u);                                                                             \
        EACH_OF_BLOCK(y[i] = result, v = x[i], e = all[i])                                         \
    }
#define EACH_OF_BLOCK(assignment, ...)                                                             \
    for (int i = 0; i < BLOCK; i++) {                                                              \
        const double __VA_ARGS__;                                                                  \
        assignment;                                                                                \
    }

/* c * (x or a * (e^(x / b) - 1)): Elu, Celu and Selu. */
FORMULA(elu, v / f->b, f->c *(v < 0 ? f->a * e : v))

/* Celu's formula as published, for those alphas that make it NaN. */
FORMULA(celu, v / f->a, (v > 0 ? v : 0) + (f->a * e > 0 ? 0 : f->a * e))

FORMULA(gelu, v * -0.70710678118654752440, v *(e / 2)) /* sqrt(1 / 2) */

/* (1 + tanh(u)) / 2 is the sigmoid of 2 u; u = sqrt(2 / pi) (x + 0.044715 x^3). */
FORMULA(gelu_tanh, v *(1.59576912160573071176 + 0.07135481627260024876 * v * v), v *e)

/* tanh(log(1 + e^x)) is (u^2 - 1) / (u^2 + 1) with u = 1 + e^x, here as sums of positive terms and
 * with e^-|x|. */
static double mish_of(double x, double e)
{
    const double up = x < 0 ? e * (e + 2) : 1 + 2 * e;
    return x * (up / (up + (x < 0 ? 2 : 2 * e * e)));
}

FORMULA(mish, -fabs(v), mish_of(v, e))

FORMULA(swish, f->a *v, v *e)

/* ---- rows: their context is a curve ---- */

#define TEMPLATE "ops/nn/activation.inc"
#include "kernels/common/floats.inc"

static const oc_rows curve_rows = {OC_FLOAT_ENTRIES(curve)};

static const oc_curves *curves(const oc_call *c)
{
    return oc_curves_pick(oc_call_cpu(c));
}

static const oc_elementary *functions(const oc_call *c)
{
    return oc_elementary_pick(oc_call_cpu(c));
}

/* ---- operators ---- */

static oc_status by_curve(oc_call *c, oc_stage *s, curve f)
{
    return oc_stage_unary(c, s, curve_rows, &f, sizeof f);
}

/* c * (x or a * (e^(x / b) - 1)), float by the loops of kernels/elementwise/curves.h. */
static oc_status elu_by(oc_call *c, oc_stage *s, double a, double b, double scale)
{
    static const oc_rows rows = {[OC_F32] = oc_elu_row_f32};
    if (oc_in(c, 0)->type == OC_F64)
        return by_curve(c, s, (curve){elu, functions(c)->less_1, a, b, scale});
    const oc_elu_row row = {oc_curves_pick_wide(oc_call_cpu(c))->elu, {a, 1 / b, scale}};
    return oc_stage_unary(c, s, rows, &row, sizeof row);
}

static oc_status celu_stage(oc_call *c, oc_stage *s)
{
    const double alpha = (double)oc_attr_float(c, "alpha");
    if (isfinite(alpha) && alpha != 0)
        return elu_by(c, s, alpha, alpha, 1);
    return by_curve(c, s, (curve){celu, functions(c)->less_1, alpha, alpha, 1});
}

static oc_status elu_stage(oc_call *c, oc_stage *s)
{
    return elu_by(c, s, (double)oc_attr_float(c, "alpha"), 1, 1);
}

static oc_status selu_stage(oc_call *c, oc_stage *s)
{
    return elu_by(c, s, (double)oc_attr_float(c, "alpha"), 1, (double)oc_attr_float(c, "gamma"));
}

static oc_status erf_stage(oc_call *c, oc_stage *s)
{
    const oc_type type = oc_in(c, 0)->type;
    if (type == OC_F64)
        return oc_stage_elementary(c, s, functions(c)->erf);
    if (oc_type_in(type, OC_SET_FLOAT))
        return oc_stage_curve(c, s, curves(c)->erf, 0);
    oc_stage_wide(c, s, OC_F64, oc_elementary_row_f64, &functions(c)->erf, 0);
    return OC_OK;
}

static oc_status gelu_choice(oc_call *c, int *choice)
{
    static const char *const names[] = {"none", "tanh", NULL};
    return oc_attr_enum(c, "approximate", names, choice);
}

static oc_status gelu_shape(oc_call *c)
{
    int choice;
    OC_TRY(gelu_choice(c, &choice));
    return oc_same_shape(c);
}

static oc_status gelu_stage(oc_call *c, oc_stage *s)
{
    int choice;
    OC_TRY(gelu_choice(c, &choice));
    const curve f = {choice ? gelu_tanh : gelu, choice ? functions(c)->sigmoid : functions(c)->erfc,
                     0, 0, 0};
    if (oc_in(c, 0)->type == OC_F64)
        return by_curve(c, s, f);
    return oc_stage_curve(c, s, choice ? curves(c)->gelu_tanh : curves(c)->gelu, 0);
}

static oc_status mish_stage(oc_call *c, oc_stage *s)
{
    return by_curve(c, s, (curve){mish, functions(c)->exp, 0, 0, 0});
}

OC_ELEMENTARY_STAGE(softplus, softplus)

OC_FLOAT_ROWS1(softsign, (float)((double)x / (1 + fabs((double)x))), x / (1 + fabs(x)))

static oc_status softsign_stage(oc_call *c, oc_stage *s)
{
    static const oc_rows rows = {OC_FLOAT_ENTRIES(softsign)};
    return oc_stage_unary(c, s, rows, NULL, 0);
}

static curve swish_curve(const oc_call *c)
{
    return (curve){swish, functions(c)->sigmoid, (double)oc_attr_float(c, "alpha"), 0, 0};
}

static oc_status swish_stage(oc_call *c, oc_stage *s)
{
    const curve f = swish_curve(c);
    const bool is_tiny = f.a != 0 && fabs(f.a) < OC_SWISH_LEAST;
    if (oc_in(c, 0)->type == OC_F64 || is_tiny)
        return by_curve(c, s, f);
    return oc_stage_curve(c, s, curves(c)->swish, f.a);
}

/* ---- SwiGLU: swish of operand 0, times operand 1 ---- */

static oc_status swiglu_shape(oc_call *c)
{
    OC_TRY(oc_expect_dims(c, 1, &oc_in(c, 0)->dims, " as input 0"));
    return oc_same_shape(c);
}

static oc_status swiglu_stage(oc_call *c, oc_stage *s)
{
    static const oc_rows rows = {OC_FLOAT_ENTRIES(swiglu)};
    const curve f = swish_curve(c);
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    return oc_stage_rows(c, s, rows, x, 2, &f, sizeof f);
}

/* clang-format off */
#define LEGACY "ints consumed_inputs?" /* a hint about memory, which has no effect */
#define SIG(op, attrs, in, out, set)                                                               \
    #op " <" attrs "> (T " in "*) => (T " out ") | T: " set, oc_same_shape
#define PLAIN(op, in, out, set) #op " (T " in "*) => (T " out ") | T: " set, oc_same_shape
#define SELU "float alpha = 1.67326319217681884765625, float gamma = 1.05070102214813232421875"
const oc_op oc_ops_activation[] = {
    {28, SIG(Celu, "float alpha = 1.0", "X", "Y", "float_ir4"), OC_STAGE(celu_stage)},
    {12, SIG(Celu, "float alpha = 1.0", "X", "Y", "float"),     OC_STAGE(celu_stage)},
    {22, SIG(Elu, "float alpha = 1.0", "X", "Y", "float_ir4"),       OC_STAGE(elu_stage)},
    { 6, SIG(Elu, "float alpha = 1.0", "X", "Y", "ieee"),            OC_STAGE(elu_stage)},
    { 1, SIG(Elu, "float alpha = 1.0, " LEGACY, "X", "Y", "ieee"),   OC_STAGE(elu_stage)},
    {13, PLAIN(Erf, "input", "output", "float_ir4"), OC_STAGE(erf_stage)},
    { 9, PLAIN(Erf, "input", "output", "numeric"),   OC_STAGE(erf_stage)},
    {20, "Gelu <string approximate = \"none\"> (T X*) => (T Y) | T: float_ir4",
         gelu_shape, OC_STAGE(gelu_stage)},
    {22, PLAIN(Mish, "X", "Y", "float_ir4"), OC_STAGE(mish_stage)},
    {18, PLAIN(Mish, "X", "Y", "ieee"),      OC_STAGE(mish_stage)},
    {22, SIG(Selu, SELU, "X", "Y", "float_ir4"), OC_STAGE(selu_stage)},
    { 6, SIG(Selu, SELU, "X", "Y", "ieee"),      OC_STAGE(selu_stage)},
    { 1, SIG(Selu, "float alpha = 1.6732, float gamma = 1.0507, " LEGACY, "X", "Y", "ieee"),
         OC_STAGE(selu_stage)},
    {22, PLAIN(Softplus, "X", "Y", "float_ir4"), OC_STAGE(softplus_stage)},
    { 1, PLAIN(Softplus, "X", "Y", "ieee"),      OC_STAGE(softplus_stage)},
    {22, PLAIN(Softsign, "input", "output", "float_ir4"), OC_STAGE(softsign_stage)},
    { 1, PLAIN(Softsign, "input", "output", "ieee"),      OC_STAGE(softsign_stage)},
    {24, SIG(Swish, "float alpha = 1.0", "X", "Y", "float_ir4"), OC_STAGE(swish_stage)},
    {28, "SwiGLU <float alpha = 1.0> (T A, T B) => (T Y) | T: float_ir4", swiglu_shape, OC_STAGE(swiglu_stage)},
    {0}
};
