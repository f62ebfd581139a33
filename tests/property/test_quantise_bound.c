/* SPDX-License-Identifier: Apache-2.0
 * test_quantise_bound.c - products of random scales and biases are as near to the number that is
 * meant as docs/numerics.md promises, and computed on codes exactly where it says so. */
#include "outcome.h"
#include "suite.h"

#include <math.h>
#include <ocellus_model.h>
#include <stdio.h>

enum { ROUNDS = 1500, MOST_TAPS = 24, MOST_COLUMNS = 4, TEXT = 3000 };

typedef enum form { GEMM, GEMM_TRANSPOSED, CONV, MATMUL, FORMS } form;

typedef enum bias_kind { NO_BIAS, FLOATS, CODES, BIASES } bias_kind;

/* One output for each column: of x, which is [1,taps], and w. */
typedef struct product {
    form form;
    bias_kind bias;
    int taps, columns, n_scale;                          /* n_scale: of w */
    float xs, ys, ws[MOST_COLUMNS], b[MOST_COLUMNS], bs; /* bs: of the bias's codes */
    int xz, yz, x[MOST_TAPS], w[MOST_COLUMNS][MOST_TAPS];
    int32_t b_code[MOST_COLUMNS];
} product;

/* ---- random products */

static int between(suite_random *r, int low, int high)
{
    return low + (int)suite_below(r, (uint32_t)(high - low + 1));
}

/* Between 2^low and 2^high. */
static float power(suite_random *r, int low, int high)
{
    return ldexpf(1 + (float)between(r, 0, 9999) / 10000, between(r, low, high - 1));
}

static void make_bias(product *p, suite_random *r)
{
    p->bs = power(r, -12, 0) * p->ys;
    for (int j = 0; j < p->columns; j++) {
        p->b[j] = (float)between(r, -3000, 3000) / 10 * p->ys;
        p->b_code[j] = between(r, -200, 200);
        if (p->bias == CODES)
            p->b[j] = (float)p->b_code[j] * p->bs;
    }
}

static void make(product *p, suite_random *r)
{
    p->form = (form)between(r, 0, FORMS - 1);
    p->bias = p->form == MATMUL ? NO_BIAS : (bias_kind)between(r, 0, BIASES - 1);
    p->taps = between(r, 1, MOST_TAPS);
    p->columns = between(r, 2, MOST_COLUMNS);
    p->n_scale = between(r, 0, 1) ? p->columns : 1;
    p->xs = power(r, -12, 3);
    p->xz = between(r, 0, 255);
    p->yz = between(r, 0, 255);
    p->ys = p->xs * power(r, -14, 3);
    for (int j = 0; j < p->columns; j++)
        p->ws[j] = power(r, -8, 5) * p->ys / p->xs;
    for (int k = 0; k < p->taps; k++) {
        p->x[k] = between(r, 0, 3) ? p->xz + between(r, -2, 2) : between(r, 0, 255);
        p->x[k] = p->x[k] < 0 ? 0 : p->x[k] > 255 ? 255 : p->x[k];
        for (int j = 0; j < p->columns; j++)
            p->w[j][k] = between(r, 0, 3) ? between(r, -4, 4) : between(r, -127, 127);
    }
    make_bias(p, r);
}

/* ---- what is meant */

static float scale_of(const product *p, int j)
{
    return p->ws[p->n_scale == 1 ? 0 : j];
}

/* Steps of y's scale: the number, and the sum of what is added without signs. */
static double meant(const product *p, int j, double *absolute)
{
    const double bias = p->bias == NO_BIAS ? 0
                        : p->bias == CODES ? (double)p->b_code[j] * p->bs
                                           : (double)p->b[j];
    double sum = 0;
    *absolute = fabs(bias) / p->ys;
    for (int k = 0; k < p->taps; k++) {
        const double x = (double)(p->x[k] - p->xz) * p->w[j][k];
        sum += x;
        *absolute += fabs(x) * p->xs * scale_of(p, j) / p->ys;
    }
    return (sum * p->xs * scale_of(p, j) + bias) / p->ys;
}

/* By how many of those steps the nearest code in units of the product's scales is off the bias. */
static double bias_error(const product *p, int j)
{
    const double unit = p->xs * scale_of(p, j);
    return p->bias == NO_BIAS ? 0 : fabs(p->b[j] - rint(p->b[j] / unit) * unit) / p->ys;
}

static double largest_bias_error(const product *p)
{
    double most = 0;
    for (int j = 0; j < p->columns; j++)
        most = fmax(most, bias_error(p, j));
    return most;
}

/* ---- runs */

static void add(char text[TEXT], const char *format, double x)
{
    const size_t n = strlen(text);
    ck_assert_int_lt(snprintf(text + n, TEXT - n, format, x), (int)(TEXT - n));
}

static void add_weights(const product *p, char text[TEXT])
{
    const bool by_row = p->form == GEMM_TRANSPOSED || p->form == CONV;
    const int rows = by_row ? p->columns : p->taps, n = by_row ? p->taps : p->columns;
    add(text, "int8[%.0f,", rows);
    add(text, p->form == CONV ? "%.0f,1] W = {" : "%.0f] W = {", n);
    for (int i = 0; i < rows * n; i++)
        add(text, i ? ", %.0f" : "%.0f", by_row ? p->w[i / n][i % n] : p->w[i % n][i / n]);
    add(text, p->n_scale > 1 ? "}, float[%.0f] ws = {" : "}, float ws = {", p->n_scale);
    for (int j = 0; j < p->n_scale; j++)
        add(text, j ? ", %.9g" : "%.9g", p->ws[j]);
    add(text, "}, float[%.0f] f = {", p->columns);
    for (int j = 0; j < p->columns; j++)
        add(text, j ? ", %.9g" : "%.9g", p->b[j]);
    add(text, "}, int32[%.0f] c = {", p->columns);
    for (int j = 0; j < p->columns; j++)
        add(text, j ? ", %.0f" : "%.0f", p->b_code[j]);
}

static void write(const product *p, char text[TEXT])
{
    static const char *const forms[] = {"Gemm (x, w", "Gemm <transB = 1> (x, w", "Conv (x, w",
                                        "MatMul (x, w"};
    *text = 0;
    add(text, "<ir_version: 10, opset_import: [\"\" : 21]>\ng (uint8[] a) => (uint8[] y)\n<", 0);
    add_weights(p, text);
    add(text, "}, float xs = {%.9g}", p->xs);
    add(text, ", uint8 xz = {%.0f}", p->xz);
    add(text, ", float ys = {%.9g}", p->ys);
    add(text, ", uint8 yz = {%.0f}", p->yz);
    add(text, ", float bs = {%.9g}> {\nx = DequantizeLinear (a, xs, xz)\n", p->bs);
    add(text, "w = DequantizeLinear <axis = %.0f> (W, ws)\n", p->form == GEMM || p->form == MATMUL);
    add(text, "d = DequantizeLinear (c, bs)\n", 0);
    add(text, "p = ", 0);
    add(text, forms[p->form], 0);
    add(text, p->bias == NO_BIAS ? ")\n" : p->bias == CODES ? ", d)\n" : ", f)\n", 0);
    add(text, "y = QuantizeLinear (p, ys, yz)\n}\n", 0);
}

/* Returns whether the product was one of codes; y: the results. */
static bool run(const product *p, bool exact, int y[MOST_COLUMNS], const char *about)
{
    char text[TEXT];
    uint8_t x[MOST_TAPS];
    const oc_session_options o = {.threads = 1, .exact_quant = exact};
    const oc_dims image = {3, {1, p->taps, 1}}, row = {2, {1, p->taps}};
    const oc_value in = oc_value_borrow(OC_U8, p->form == CONV ? image : row, x);
    oc_plan_step step;
    bool codes = false;
    write(p, text);
    for (int k = 0; k < p->taps; k++)
        x[k] = (uint8_t)p->x[k];
    outcome r = outcome_of(text, &o, &in, 1, 1);
    suite_assert(r.error.code == OC_OK && oc_value_n(r.y[0]) == p->columns, "%s; %s\n%s",
                 r.error.text, about, text);
    for (int j = 0; j < p->columns; j++)
        y[j] = ((const uint8_t *)r.y[0]->data)[j];
    for (int i = 0; oc_session_step_at(r.session, i, &step); i++)
        codes = codes || *step.op_type == 'Q';
    for (int i = 0; oc_session_step_at(r.session, i, &step); i++)
        codes = codes && strcmp(step.op_type, "QuantizeLinear") != 0;
    outcome_free(&r);
    return codes;
}

static double limited(double x)
{
    return x < 0 ? 0 : x > 255 ? 255 : x;
}

/* Both ways are as near as they should be. Returns whether the product was one of codes. */
static bool must_be_near(const product *p, const char *about)
{
    const double u = ldexp(1, -24);
    int y[MOST_COLUMNS], exact[MOST_COLUMNS];
    const bool codes = run(p, false, y, about);
    ck_assert(!run(p, true, exact, about));
    for (int j = 0; j < p->columns; j++) {
        double all;
        const double x = limited(meant(p, j, &all) + p->yz), in_float = (p->taps + 5) * u * all;
        const double off = codes ? 0.5 + 4 * u * 511 : in_float;
        suite_assert(fabs(y[j] - x) <= 0.5 + off, "column %d is %d, not %.9g; %s", j, y[j], x,
                     about);
        suite_assert(fabs(exact[j] - x) <= 0.5 + in_float, "exact column %d is %d, not %.9g; %s", j,
                     exact[j], x, about);
        suite_assert(abs(y[j] - exact[j]) <= (off + in_float < 1 ? 1 : 1 + off + in_float),
                     "column %d is %d by codes, %d exactly; %s", j, y[j], exact[j], about);
    }
    return codes;
}

START_TEST(products_are_near)
{
    suite_random r = suite_random_new(17);
    int n_codes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char about[40];
        product p;
        snprintf(about, sizeof about, "OC_SEED=%u", r.state);
        make(&p, &r);
        const bool codes = must_be_near(&p, about);
        const double error = largest_bias_error(&p);
        suite_assert(fabs(error - 0.5) < 1e-5 || codes == (error < 0.5),
                     "biases are %g steps off; %s", error, about);
        n_codes += codes;
    }
    ck_assert_msg(n_codes > ROUNDS / 2 && n_codes < ROUNDS * 9 / 10, "%d of codes", n_codes);
}
END_TEST

/* The scale of y below which a product stays in float, found by halving: there the bias is off
 * by half. */
START_TEST(the_edge_is_at_half_a_step)
{
    suite_random r = suite_random_new(23);
    for (int round = 0; round < 40; round++) {
        char about[40];
        product p;
        snprintf(about, sizeof about, "OC_SEED=%u", r.state);
        make(&p, &r);
        if (p.bias == NO_BIAS || largest_bias_error(&p) == 0)
            continue;
        const double edge = 2 * largest_bias_error(&p) * p.ys;
        double low = edge / 4, high = edge * 4;
        while (high / low > 1 + 1e-6) {
            p.ys = (float)sqrt(low * high);
            *(must_be_near(&p, about) ? &high : &low) = p.ys;
        }
        suite_assert(low < edge * (1 + 1e-5) && high > edge * (1 - 1e-5), "%g .. %g, not %g; %s",
                     low, high, edge, about);
    }
}
END_TEST

SUITE("quantise_bound", products_are_near, the_edge_is_at_half_a_step)
