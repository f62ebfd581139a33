/* SPDX-License-Identifier: Apache-2.0
 * check_curves.c - every variant of the curves against scalar to the bit, scalar against the C
 * library in double, within the bound of curves.h. */
#include "bench.h"
#include "kernels/elementwise/curves.h"
#include "kernels/elementwise/plain.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { N = OC_CURVE_BLOCK, ROUNDS = 4000 };

/* ---- what the curves are */

static double logistic(double v)
{
    const double e = exp(-fabs(v));
    return (v < 0 ? e : 1) / (1 + e);
}

static double want_exp(double x, double a)
{
    (void)a;
    return exp(x);
}

static double want_sigmoid(double x, double a)
{
    (void)a;
    return logistic(x);
}

static double want_tanh(double x, double a)
{
    (void)a;
    return tanh(x);
}

static double want_erf(double x, double a)
{
    (void)a;
    return erf(x);
}

static double want_gelu(double x, double a)
{
    (void)a;
    return x * (erfc(x * -0.70710678118654752440) / 2);
}

static double want_gelu_tanh(double x, double a)
{
    (void)a;
    return x * logistic(2 * sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x));
}

static double want_swish(double x, double a)
{
    return x * logistic(a * x);
}

static const struct {
    const char *name;
    size_t member;
    double (*want)(double x, double a);
} curves[] = {
#define CURVE(name)                                                                                \
    {                                                                                              \
#name, offsetof(oc_curves, name), want_##name                                              \
    }
    CURVE(exp),  CURVE(sigmoid),   CURVE(tanh),  CURVE(erf),
    CURVE(gelu), CURVE(gelu_tanh), CURVE(swish),
};
enum { CURVES = sizeof curves / sizeof *curves };

static oc_curve_fn *function(const oc_curves *v, int i)
{
    oc_curve_fn *fn;
    memcpy(&fn, (const char *)v + curves[i].member, sizeof fn);
    return fn;
}

/* The variant that has the functions which no way changes, where a session has picked v. */
static const oc_curves *wide(const oc_curves *v)
{
    return v->elu ? v : oc_curves_pick_wide(checked_cpu());
}

/* ---- numbers */

static const float hostile[] = {0.0f,      -0.0f,    1e-45f, -1e-45f, FLT_MIN, -FLT_MIN, FLT_MAX,
                                -FLT_MAX,  INFINITY, NAN,    88.72f,  88.73f,  -87.34f,  -103.98f,
                                -INFINITY, -103.97f, 4.0f,   -4.0f,   3.92f,   -13.1f,   -14.5f,
                                -22.1f,    -1e-5f,   1e-5f,  0.3466f, -0.3466f};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* Any bits; where curves bend; hostile ones. */
static float number(suite_random *r)
{
    const uint32_t kind = suite_below(r, 8);
    if (kind == 0)
        return hostile[suite_below(r, HOSTILE)];
    if (kind < 3) {
        const uint32_t bits = suite_below(r, 1 << 16) << 16 | suite_below(r, 1 << 16);
        float x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    static const float most[] = {120, 20, 5, 1, 0.01f};
    return ((float)suite_below(r, 1 << 24) / (1 << 23) - 1) * most[kind - 3];
}

static const float factors[] = {1, 1.702F, 0.5F, -3, 1e10F, 0x1p-90F, 0x1p100F, 0};
enum { FACTORS = sizeof factors / sizeof *factors };

/* ---- tests */

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(21);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const float a = factors[suite_below(&r, FACTORS)];
        float x[N], want[N], got[N];
        for (int i = 0; i < N; i++)
            x[i] = number(&r);
        for (int i = 0; i < CURVES; i++) {
            function(oc_curves_pick(specification_cpu()), i)(want, x, N, a);
            EACH_VARIANT (oc_curves, v, oc_curves_variants) {
                function(v, i)(got, x, N, a);
                for (int k = 0; k < N; k++)
                    suite_assert(SAME(got[k], want[k]), "%s %s(%a) is %a, not %a; OC_SEED=%u",
                                 v->isa, curves[i].name, (double)x[k], (double)got[k],
                                 (double)want[k], seed);
            }
        }
    }
}
END_TEST

/* In units of the last place of a float near want. */
static double distance(double got, double want)
{
    int exponent;
    if ((isnan(got) && isnan(want)) || got == want)
        return 0;
    if (isinf(got) && fabs(want) > 0x1.ffffffp127) /* nearer to the next float, if there were one */
        return 0;
    frexp(want, &exponent);
    exponent = want == 0 || exponent < -125 ? -125 : exponent;
    return fabs(got - want) / ldexp(1, exponent - 24);
}

/* How many units of the last place a scalar curve is off at most, by the bound of curves.h. */
static double bound(void)
{
    return specification_cpu() ? 2 : 1;
}

/* Fails where the scalar curve number i of one of N floats is beyond the bound; returns how far off
 * they are at most. */
static double compare(int i, const float x[N], float a)
{
    float y[N];
    double worst = 0;
    function(oc_curves_pick(specification_cpu()), i)(y, x, N, a);
    for (int k = 0; k < N; k++) {
        const double want = curves[i].want((double)x[k], (double)a);
        const double off = distance((double)y[k], want);
        worst = fmax(worst, off);
        suite_assert(off < bound() && (isnan(want) || !signbit(y[k]) == !signbit(want)),
                     "%s(%a), a %g is %a, not %a: off by %g", curves[i].name, (double)x[k],
                     (double)a, (double)y[k], want, off);
    }
    return worst;
}

START_TEST(scalar_is_near_the_library)
{
    suite_random r = suite_random_new(22);
    double worst[CURVES] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const float a = factors[suite_below(&r, FACTORS)];
        for (int i = 0; i < CURVES; i++) {
            float x[N];
            for (int k = 0; k < N; k++)
                x[k] = number(&r);
            worst[i] = fmax(worst[i], compare(i, x, a));
        }
    }
    for (int i = 0; i < CURVES; i++)
        suite_assert(worst[i] > 0.49, "%s is off by %g at most: was it looked at?", curves[i].name,
                     worst[i]);
}
END_TEST

/* Of all floats, from -NaN to NaN, one in STRIDE. */
START_TEST(scalar_is_near_the_library_everywhere)
{
    enum { STRIDE = 29989 };
    uint64_t bits = 0;
    while (bits >> 32 == 0) {
        float x[N];
        for (int k = 0; k < N; k++, bits += STRIDE) {
            const uint32_t low = (uint32_t)bits;
            memcpy(&x[k], &low, sizeof low);
        }
        for (int i = 0; i < CURVES; i++)
            compare(i, x, 1);
    }
}
END_TEST

/* Where a piece or a formula ends: N floats about each, on both sides of 0. */
START_TEST(seams_are_near_the_library)
{
    static const float erf[] = {0.2675636f, 0.8026908f, 1.337818f,  1.8729452f,
                                2.4080724f, 2.9431996f, 3.4783268f, 4};
    static const float tanh[] = {0.3010235f, 0.602047f,  1.204094f,  1.8061409f,
                                 3.0102348f, 4.2143287f, 6.6225166f, 9.03f};
    static const float logistic[] = {1.2075472f, 2.4150943f, 3.6226415f, 4.8301887f,
                                     6.0377358f, 7.245283f,  8.4528302f, 9.6f};
    static const float gelu[] = {0.8f, 1.6f, 2.4f, 3.2f, 3.6f, 4, 4.4f, 4.75f};
    static const float gelu_far[] = {5.5882353f, 6.4285714f, 7.2689076f,  8.1092437f,
                                     9.7899160f, 11.470588f, 13.1512605f, 14.75f};
    static const float *const all[] = {erf, tanh, logistic, gelu, gelu_far};
    for (int seam = 0; seam < 2 * 5 * 8; seam++) {
        uint32_t bits;
        float x[N], want[N], got[N];
        memcpy(&bits, &all[seam / 16][seam / 2 % 8], sizeof bits);
        for (int k = 0; k < N; k++) {
            const uint32_t near = (bits + (uint32_t)k - N / 2) | (uint32_t)(seam % 2) << 31;
            memcpy(&x[k], &near, sizeof near);
        }
        for (int i = 0; i < CURVES; i++) {
            compare(i, x, 1);
            function(oc_curves_pick(specification_cpu()), i)(want, x, N, 1);
            EACH_VARIANT (oc_curves, v, oc_curves_variants) {
                function(v, i)(got, x, N, 1);
                for (int k = 0; k < N; k++)
                    suite_assert(SAME(got[k], want[k]), "%s %s(%a) is %a, not %a", v->isa,
                                 curves[i].name, (double)x[k], (double)got[k], (double)want[k]);
            }
        }
    }
}
END_TEST

/* Elu, Celu and Selu, and what their attributes may be. */
START_TEST(elu_is_near_the_library_everywhere)
{
    static const oc_elu kinds[] = {{1, 1, 1},    {2, 0.5, 1},   {1.6732632423543772, 1, 1.05070098},
                                   {-0.3, 1, 1}, {-2, -0.5, 1}, {0, 1, 1}};
    suite_random r = suite_random_new(24);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_elu f = kinds[suite_below(&r, 6)];
        float x[N], want[N], got[N];
        for (int i = 0; i < N; i++)
            x[i] = want[i] = number(&r);
        oc_curves_pick(OC_CPU_SCALAR)->elu(want, &f);
        EACH_VARIANT (oc_curves, v, oc_curves_variants) {
            memcpy(got, x, sizeof x);
            wide(v)->elu(got, &f);
            for (int i = 0; i < N; i++)
                suite_assert(SAME(got[i], want[i]), "%s elu(%a) is %a, not %a; OC_SEED=%u", v->isa,
                             (double)x[i], (double)got[i], (double)want[i], seed);
        }
        for (int i = 0; i < N; i++) {
            const double z = (double)x[i];
            const double near = f.scale * (z < 0 ? f.alpha * expm1(z * f.inverse) : z);
            suite_assert(distance((double)want[i], near) < 0.53,
                         "elu(%a), alpha %g is %a, not %a; OC_SEED=%u", z, f.alpha, (double)want[i],
                         near, seed);
        }
    }
}
END_TEST

/* Near 0 and, by the elementary functions, far from it. */
START_TEST(angles_of_any_size)
{
    static const float odd[] = {0x1p19F, -0x1p19F, 0x1.000002p19F, 3.14159274F, 1.57079637F, 6e5F};
    suite_random r = suite_random_new(25);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const bool is_cos = round % 2;
        float x[N], scalar[N], y[N];
        for (int i = 0; i < N; i++) {
            const float unit = (float)suite_below(&r, 1 << 24) / (1 << 23) - 1;
            x[i] = suite_below(&r, 4)   ? unit * (round % 3 ? 20 : 520000)
                   : suite_below(&r, 4) ? odd[suite_below(&r, 6)]
                                        : number(&r);
        }
        const void *const operand = x;
        const oc_elementary *far = oc_elementary_pick(OC_CPU_SCALAR);
        const oc_curves *plain = oc_curves_pick(OC_CPU_SCALAR);
        oc_angle_row_f32(
            scalar, &operand, NULL, N,
            &(oc_angle_row){is_cos ? plain->cos : plain->sin, is_cos ? far->cos : far->sin});
        EACH_VARIANT (oc_curves, v, oc_curves_variants) {
            const oc_angle_row row = {is_cos ? wide(v)->cos : wide(v)->sin,
                                      is_cos ? far->cos : far->sin};
            oc_angle_row_f32(y, &operand, NULL, N, &row);
            for (int i = 0; i < N; i++) {
                const double want = is_cos ? cos((double)x[i]) : sin((double)x[i]);
                suite_assert(SAME(y[i], scalar[i]) && distance((double)y[i], want) < 0.53 &&
                                 (isnan(want) || !signbit(y[i]) == !signbit(want)),
                             "%s %s(%a) is %a, not %a; OC_SEED=%u", v->isa, is_cos ? "cos" : "sin",
                             (double)x[i], (double)y[i], want, seed);
            }
        }
    }
}
END_TEST

/* Any number of elements, in place too, and nothing behind them. */
START_TEST(rows_have_any_length)
{
    suite_random r = suite_random_new(23);
    oc_curve_fn *scalar = oc_curves_pick(specification_cpu())->swish;
    EACH_VARIANT (oc_curves, v, oc_curves_variants)
        for (int n = 0; n < 3 * N; n++) {
            const oc_curve curve = {v->swish, 1.5};
            float x[3 * N + 1], y[3 * N + 1], want[3 * N + 1];
            for (int i = 0; i <= 3 * N; i++)
                x[i] = y[i] = want[i] = number(&r);
            const void *const operand = n % 2 ? y : x;
            const int64_t step = 1;
            oc_curve_row(y, &operand, &step, n, &curve);
            scalar(want, x, n, 1.5F);
            for (int i = 0; i <= 3 * N; i++)
                suite_assert(SAME(y[i], want[i]), "%s: %d of %d is %a, not %a", v->isa, i, n,
                             (double)y[i], (double)want[i]);
        }
}
END_TEST

enum { CODES = 1 << 16, AFTER = 100 };

/* What HardSwish, or Sigmoid and Mul, would make of float16 numbers one by one. */
static void want_f16(uint16_t *y, const float *x, int64_t n, bool swish)
{
    static float f16[CODES], sigmoid[CODES];
    const oc_half_variant *half = oc_half_pick(OC_F16, OC_CPU_SCALAR);
    const int64_t step[] = {1, 1};
    const void *const operands[] = {f16, sigmoid};
    const oc_factors none = {0, 0};
    memcpy(f16, x, (size_t)n * sizeof *x);
    half->round(f16, n);
    if (swish) {
        oc_plain_pick(oc_plain_hard_swish, OC_CPU_SCALAR)(f16, operands, step, n, &none);
    } else {
        oc_curves_pick(specification_cpu())->sigmoid(sigmoid, f16, n, 0);
        half->round(sigmoid, n);
        oc_plain_pick(oc_plain_mul, OC_CPU_SCALAR)(f16, operands, step, n, NULL);
    }
    half->narrow(y, f16, n);
}

static bool is_nan_f16(uint16_t code)
{
    return (code & 0x7fff) > 0x7c00;
}

/* Of each code, and of floats beside it. */
START_TEST(float16_as_one_by_one)
{
    static uint16_t code[CODES], want[CODES], got[CODES + AFTER];
    static float x[CODES];
    for (int i = 0; i < CODES; i++)
        code[i] = (uint16_t)i;
    for (int round = 0; round < 6; round++) {
        const bool swish = round % 2;
        const int64_t n = round < 4 ? CODES : 100 + round;
        oc_half_pick(OC_F16, OC_CPU_SCALAR)->widen(x, code, CODES);
        for (int i = 0; i < CODES && round >= 2; i++)
            x[i] *= i % 2 ? 1.0004f : 0.9996f;
        want_f16(want, x, n, swish);
        EACH_VARIANT (oc_curves, v, oc_curves_variants) {
            memset(got, 0xa5, sizeof got);
            (swish ? wide(v)->hard_swish_f16 : wide(v)->x_sigmoid_f16)(got, x, n, NULL);
            for (int64_t i = 0; i < n; i++)
                suite_assert(got[i] == want[i] || (is_nan_f16(got[i]) && is_nan_f16(want[i])),
                             "%s %s(%a) is %04x, not %04x", v->isa,
                             swish ? "hard_swish_f16" : "x_sigmoid_f16", (double)x[i], got[i],
                             want[i]);
            ck_assert_uint_eq(got[n], 0xa5a5);
        }
    }
}
END_TEST

/* ---- --bench */

typedef struct row {
    int curve, n;
    const float *x;
    float *y;
} row;

static void run_row(const void *variant, void *ctx)
{
    const row *r = ctx;
    const oc_curve curve = {function(variant, r->curve), 1};
    const void *const operands[] = {r->x};
    oc_curve_row(r->y, operands, NULL, r->n, &curve);
}

static void bench_curves(const bench *b)
{
    static float x[1 << 20], y[1 << 20];
    bench_fill(x, 1 << 20);
    for (int i = 0; i < 2 * CURVES; i++) {
        row r = {i / 2, i % 2 ? 1 << 20 : 4096, x, y};
        bench_case c = {.elements = r.n, .bytes = 8.0 * r.n, .run = run_row, .ctx = &r};
        snprintf(c.name, sizeof c.name, "%s, row of %d", curves[r.curve].name, r.n);
        BENCH(b, &c, oc_curves, oc_curves_variants, exp);
    }
}

KERNEL_SUITE(curves, "a float", variants_equal_scalar, scalar_is_near_the_library,
             scalar_is_near_the_library_everywhere, seams_are_near_the_library,
             elu_is_near_the_library_everywhere, angles_of_any_size, rows_have_any_length,
             float16_as_one_by_one)
