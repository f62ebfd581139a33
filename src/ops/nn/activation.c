/* SPDX-License-Identifier: Apache-2.0
 * activation.c - the smooth activations of neural networks, element by element; piecewise.c has
 * those that consist of straight pieces.
 *
 * They use the published formulas, in a form in which no step overflows and no digits cancel. Where
 * a formula gives NaN for an infinity (0 * Inf, Inf / Inf), the result is NaN. Elements of every
 * type are computed in double and rounded to float; for float, the most common activations have
 * loops in kernels/rows/curves.h. float16 and bfloat16 go through float. */
#include "ops/kit/elementwise.h"

#include <math.h>

/* ---- curves: one function each, and one loop for each type that serves all ---- */

typedef struct factors factors;
struct factors {
    double (*curve)(const factors *f, double x);
    double a, b, c; /* attributes */
};

/* c * (x or a * (e^(x / b) - 1)): Elu, Celu and Selu. */
static double elu(const factors *f, double x)
{
    return f->c * (x < 0 ? f->a * expm1(x / f->b) : x);
}

/* Celu's formula as published, for those alphas that make it NaN. */
static double celu(const factors *f, double x)
{
    const double fall = f->a * expm1(x / f->a);
    return (x > 0 ? x : 0) + (fall > 0 ? 0 : fall);
}

static double error_function(const factors *f, double x)
{
    (void)f;
    return erf(x);
}

static double gelu(const factors *f, double x)
{
    (void)f;
    return x * (erfc(x * -0.70710678118654752440) / 2); /* sqrt(1 / 2) */
}

/* x / (1 + e^-v), by e^-|v| so that nothing overflows. */
static double gated(double x, double v)
{
    const double e = exp(-fabs(v));
    return x * ((v < 0 ? e : 1) / (1 + e));
}

/* (1 + tanh(u)) / 2 is the sigmoid of 2 u; u = sqrt(2 / pi) (x + 0.044715 x^3). */
static double gelu_tanh(const factors *f, double x)
{
    (void)f;
    return gated(x, x * (1.59576912160573071176 + 0.07135481627260024876 * x * x));
}

/* tanh(log(1 + e^x)) is (u^2 - 1) / (u^2 + 1) with u = 1 + e^x, here as sums of positive terms and
 * with e^-|x|. */
static double mish(const factors *f, double x)
{
    (void)f;
    const double e = exp(-fabs(x));
    const double up = x < 0 ? e * (e + 2) : 1 + 2 * e;
    return x * (up / (up + (x < 0 ? 2 : 2 * e * e)));
}

static double softplus(const factors *f, double x)
{
    (void)f;
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}

static double swish(const factors *f, double x)
{
    return gated(x, f->a * x);
}

static double softsign(const factors *f, double x)
{
    (void)f;
    return x / (1 + fabs(x));
}

/* ---- rows: their context is a factors ---- */

#define CURVE_ROW(name, T)                                                                         \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,            \
                     const void *ctx)                                                              \
    {                                                                                              \
        const factors *f = ctx;                                                                    \
        const T *x = x_[0];                                                                        \
        T *y = y_;                                                                                 \
        (void)step;                                                                                \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)f->curve(f, (double)x[i]);                                                   \
    }
CURVE_ROW(curve_f32, float)
CURVE_ROW(curve_f64, double)

static const oc_rows curve_rows = {OC_FLOAT_ENTRIES(curve)};

static oc_status run_curve(oc_call *c, double (*curve)(const factors *, double))
{
    return oc_run_unary(c, curve_rows, &(factors){.curve = curve});
}

static const oc_curves *curves(const oc_call *c)
{
    return oc_curves_pick(oc_call_cpu(c));
}

/* ---- operators ---- */

static oc_status celu_run(oc_call *c)
{
    const double alpha = (double)oc_attr_float(c, "alpha");
    const bool is_plain = isfinite(alpha) && alpha != 0;
    return oc_run_unary(c, curve_rows, &(factors){is_plain ? elu : celu, alpha, alpha, 1});
}

static oc_status elu_run(oc_call *c)
{
    return oc_run_unary(c, curve_rows, &(factors){elu, (double)oc_attr_float(c, "alpha"), 1, 1});
}

static oc_status selu_run(oc_call *c)
{
    const double alpha = (double)oc_attr_float(c, "alpha");
    return oc_run_unary(c, curve_rows,
                        &(factors){elu, alpha, 1, (double)oc_attr_float(c, "gamma")});
}

static oc_status erf_run(oc_call *c)
{
    const oc_type type = oc_in(c, 0)->type;
    if (type == OC_F64)
        return run_curve(c, error_function);
    if (oc_type_in(type, OC_SET_FLOAT))
        return oc_run_curve(c, curves(c)->erf, 0);
    return oc_run_wide(c, OC_F64, curve_f64, &(factors){.curve = error_function});
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

static oc_status gelu_run(oc_call *c)
{
    int choice;
    OC_TRY(gelu_choice(c, &choice));
    if (oc_in(c, 0)->type == OC_F64)
        return run_curve(c, choice ? gelu_tanh : gelu);
    return oc_run_curve(c, choice ? curves(c)->gelu_tanh : curves(c)->gelu, 0);
}

static oc_status mish_run(oc_call *c)
{
    return run_curve(c, mish);
}

static oc_status softplus_run(oc_call *c)
{
    return run_curve(c, softplus);
}

static oc_status softsign_run(oc_call *c)
{
    return run_curve(c, softsign);
}

static oc_status swish_run(oc_call *c)
{
    const double alpha = (double)oc_attr_float(c, "alpha");
    if (oc_in(c, 0)->type == OC_F64)
        return oc_run_unary(c, curve_rows, &(factors){swish, alpha, 0, 0});
    return oc_run_curve(c, curves(c)->swish, alpha);
}

/* ---- SwiGLU ---- */

#define SWIGLU(name, T)                                                                            \
    static void name(void *y_, const void *const x_[], const int64_t step[], int64_t n,            \
                     const void *ctx)                                                              \
    {                                                                                              \
        const T *gate = x_[0], *value = x_[1];                                                     \
        T *y = y_;                                                                                 \
        (void)step;                                                                                \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = (T)(swish(ctx, (double)gate[i]) * (double)value[i]);                            \
    }
SWIGLU(swiglu_f32, float)
SWIGLU(swiglu_f64, double)

static oc_status swiglu_shape(oc_call *c)
{
    OC_TRY(oc_expect_dims(c, 1, &oc_in(c, 0)->dims, " as input 0"));
    return oc_same_shape(c);
}

static oc_status swiglu_run(oc_call *c)
{
    static const oc_rows rows = {OC_FLOAT_ENTRIES(swiglu)};
    const factors f = {.a = (double)oc_attr_float(c, "alpha")};
    const oc_value *x[] = {oc_in(c, 0), oc_in(c, 1)};
    return oc_run_rows(c, rows, oc_out(c, 0), x, 2, &f);
}

/* clang-format off */
#define LEGACY "ints consumed_inputs?" /* a hint about memory, which has no effect */
#define SIG(op, attrs, in, out, set)                                                               \
    #op " <" attrs "> (T " in ") => (T " out ") | T: " set, oc_same_shape
#define PLAIN(op, in, out, set) #op " (T " in ") => (T " out ") | T: " set, oc_same_shape
#define SELU "float alpha = 1.67326319217681884765625, float gamma = 1.05070102214813232421875"
const oc_op oc_ops_activation[] = {
    {28, SIG(Celu, "float alpha = 1.0", "X", "Y", "float_ir4"), celu_run},
    {12, SIG(Celu, "float alpha = 1.0", "X", "Y", "float"),     celu_run},
    {22, SIG(Elu, "float alpha = 1.0", "X", "Y", "float_ir4"),       elu_run},
    { 6, SIG(Elu, "float alpha = 1.0", "X", "Y", "ieee"),            elu_run},
    { 1, SIG(Elu, "float alpha = 1.0, " LEGACY, "X", "Y", "ieee"),   elu_run},
    {13, PLAIN(Erf, "input", "output", "float_ir4"), erf_run},
    { 9, PLAIN(Erf, "input", "output", "numeric"),   erf_run},
    {20, "Gelu <string approximate = \"none\"> (T X) => (T Y) | T: float_ir4",
         gelu_shape, gelu_run},
    {22, PLAIN(Mish, "X", "Y", "float_ir4"), mish_run},
    {18, PLAIN(Mish, "X", "Y", "ieee"),      mish_run},
    {22, SIG(Selu, SELU, "X", "Y", "float_ir4"), selu_run},
    { 6, SIG(Selu, SELU, "X", "Y", "ieee"),      selu_run},
    { 1, SIG(Selu, "float alpha = 1.6732, float gamma = 1.0507, " LEGACY, "X", "Y", "ieee"),
         selu_run},
    {22, PLAIN(Softplus, "X", "Y", "float_ir4"), softplus_run},
    { 1, PLAIN(Softplus, "X", "Y", "ieee"),      softplus_run},
    {22, PLAIN(Softsign, "input", "output", "float_ir4"), softsign_run},
    { 1, PLAIN(Softsign, "input", "output", "ieee"),      softsign_run},
    {24, SIG(Swish, "float alpha = 1.0", "X", "Y", "float_ir4"), swish_run},
    {28, "SwiGLU <float alpha = 1.0> (T A, T B) => (T Y) | T: float_ir4", swiglu_shape, swiglu_run},
    {0}
};
/* clang-format on */
