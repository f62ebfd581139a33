/* SPDX-License-Identifier: Apache-2.0
 * check_elementary.c - every variant of the elementary functions against scalar to the bit, scalar
 * against the C library in long double, within the bound of elementary.h. */
#include "bench.h"
#include "kernels/elementwise/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { N = OC_ELEMENTARY_BLOCK, ROUNDS = 4000 };

static long double want_sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double want_softplus(long double x)
{
    return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x)));
}

/* bound: in units of the last place. */
static const struct {
    const char *name;
    size_t member;
    long double (*want)(long double x);
    double bound;
} functions[] = {
#define FUNCTION(name, want, bound)                                                                \
    {                                                                                              \
#name, offsetof(oc_elementary, name), want, bound                                          \
    }
    FUNCTION(exp, expl, 1),       FUNCTION(less_1, expm1l, 2),
    FUNCTION(log, logl, 1),       FUNCTION(sigmoid, want_sigmoid, 2.5),
    FUNCTION(sinh, sinhl, 2),     FUNCTION(softplus, want_softplus, 2),
    FUNCTION(cosh, coshl, 1.5),   FUNCTION(tanh, tanhl, 2.5),
    FUNCTION(asinh, asinhl, 2),   FUNCTION(acosh, acoshl, 2),
    FUNCTION(atanh, atanhl, 2.2), FUNCTION(sin, sinl, 1),
    FUNCTION(cos, cosl, 1),       FUNCTION(tan, tanl, 2.5),
    FUNCTION(asin, asinl, 1),     FUNCTION(acos, acosl, 1.2),
    FUNCTION(atan, atanl, 2),     FUNCTION(erf, erfl, 1.2),
    FUNCTION(erfc, erfcl, 4.5),
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static oc_elementary_fn *function(const oc_elementary *v, int i)
{
    oc_elementary_fn *fn;
    memcpy(&fn, (const char *)v + functions[i].member, sizeof fn);
    return fn;
}

/* Ends of the domains, of the ranges, and of what each formula serves. 6381956970095103 * 2^797 is
 * the double that is nearest to a multiple of pi / 2. */
static const double hostile[] = {
    0,
    -0.0,
    INFINITY,
    -INFINITY,
    NAN,
    1,
    -1,
    0.5,
    -0.5,
    0x1p-1074,
    -0x1p-1074,
    DBL_MAX,
    -DBL_MAX,
    DBL_MIN,
    709.78,
    709.79,
    -745.13,
    -745.14,
    710.47,
    710.48,
    0x1p19,
    0x1p19 + 1,
    -0x1p20,
    0x1p28,
    -0x1p29,
    1e22,
    1 + DBL_EPSILON,
    1 - DBL_EPSILON,
    0x1p-28,
    0.4142136,
    2.4142136,
    0.3465736,
    0x1.6ac5b262ca1ffp+849,
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static uint64_t bits(suite_random *r)
{
    uint64_t all = 0;
    for (int i = 0; i < 4; i++)
        all = all << 16 | suite_below(r, 1 << 16);
    return all;
}

/* Any bits; near where formulas change; hostile ones. */
static double number(suite_random *r)
{
    const uint32_t kind = suite_below(r, 10);
    const uint64_t any = bits(r);
    double x;
    memcpy(&x, &any, sizeof x);
    if (kind == 0)
        return hostile[suite_below(r, HOSTILE)];
    if (kind < 3)
        return x;
    static const double most[] = {746, 40, 5, 1, 0.01, 1e6, 1e-9};
    return ((double)any * 0x1p-63 - 1) * most[kind - 3];
}

/* ---- tests */

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(31);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        double x[N], want[N], got[N];
        for (int i = 0; i < N; i++)
            x[i] = number(&r);
        for (int i = 0; i < FUNCTIONS; i++) {
            function(oc_elementary_pick(OC_CPU_SCALAR), i)(want, x);
            EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
                function(v, i)(got, x);
                for (int k = 0; k < N; k++)
                    suite_assert(SAME(got[k], want[k]), "%s %s(%a) is %a, not %a; OC_SEED=%u",
                                 v->isa, functions[i].name, x[k], got[k], want[k], seed);
            }
        }
    }
}
END_TEST

/* Does the library compute in long double what is declared so? WASI's does it in double, with
 * errors of its own: there variants alone are compared. */
#ifdef __wasi__
static const bool library_is_exact = false;
#else
static const bool library_is_exact = true;
#endif

/* In units of the last place of a double near want. */
static double distance(double got, long double want)
{
    const double near = (double)want;
    int exponent;
    if ((isnan(got) && isnan(near)) || got == near)
        return 0;
    frexp(near, &exponent);
    return (double)fabsl(((long double)got - want) /
                         ldexpl(1, (exponent < -1021 ? -1021 : exponent) - DBL_MANT_DIG));
}

START_TEST(scalar_is_near_the_library)
{
    suite_random r = suite_random_new(32);
    double worst[FUNCTIONS] = {0};
    for (int round = 0; library_is_exact && round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        double x[N], y[N];
        for (int k = 0; k < N; k++)
            x[k] = number(&r);
        for (int i = 0; i < FUNCTIONS; i++) {
            function(oc_elementary_pick(OC_CPU_SCALAR), i)(y, x);
            for (int k = 0; k < N; k++) {
                const long double want = functions[i].want((long double)x[k]);
                const double off = distance(y[k], want);
                worst[i] = fmax(worst[i], off);
                suite_assert(off < functions[i].bound &&
                                 (isnan(y[k]) || !signbit(y[k]) == !signbit(want)),
                             "%s(%a) is %a, not %La: off by %g; OC_SEED=%u", functions[i].name,
                             x[k], y[k], want, off, seed);
            }
        }
    }
    for (int i = 0; library_is_exact && i < FUNCTIONS; i++)
        suite_assert(worst[i] > 0.49, "%s is off by %g at most: was it looked at?",
                     functions[i].name, worst[i]);
}
END_TEST

static void is_power(double x, double n, double y, uint32_t seed)
{
    const long double want = powl((long double)x, (long double)n);
    const double off = distance(y, want);
    suite_assert(off < 0.9 && (isnan(y) || !signbit(y) == !signbit(want)),
                 "%a to the power of %a is %a, not %La: off by %g; OC_SEED=%u", x, n, y, want, off,
                 seed);
}

/* A number whose powers by exponent() are often finite. */
static double base(suite_random *r)
{
    return suite_below(r, 2) ? number(r) : exp(number(r) / 3);
}

/* Halves and whole numbers too: they decide about signs. */
static double exponent(suite_random *r)
{
    return suite_below(r, 2) ? number(r) : rint(fmod(number(r), 200)) / 2;
}

START_TEST(powers)
{
    suite_random r = suite_random_new(34);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        double x[N], n[N], want[N], got[N];
        for (int k = 0; k < N; k++) {
            x[k] = base(&r);
            n[k] = exponent(&r);
        }
        oc_elementary_pick(OC_CPU_SCALAR)->pow(want, x, n);
        for (int k = 0; library_is_exact && k < N; k++)
            is_power(x[k], n[k], want[k], seed);
        EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
            v->pow(got, x, n);
            for (int k = 0; k < N; k++)
                suite_assert(SAME(got[k], want[k]), "%s: %a to the power of %a is %a, not %a",
                             v->isa, x[k], n[k], got[k], want[k]);
        }
    }
}
END_TEST

/* A float of any bits, more of them positive, or a special one. */
static float easy_base(suite_random *r)
{
    static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 1e-45f};
    const uint32_t bits = suite_below(r, UINT32_MAX);
    float x;
    memcpy(&x, &bits, sizeof x);
    if (suite_below(r, 64) == 0)
        return special[suite_below(r, 8)];
    return suite_below(r, 4) ? fabsf(x) : x;
}

/* What an easy power is certain of is pow, rounded; and it is certain of most. */
START_TEST(easy_powers)
{
    static const double easy[] = {-2, -1, -0.5, 0.5, 1.5, 3, 4};
    suite_random r = suite_random_new(35);
    int certain = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double by = easy[round % 7];
        float x[N], got[N];
        double base[N], n[N], want[N];
        const bool usual = round % 2;
        for (int k = 0; k < N; k++) {
            x[k] = usual ? (float)suite_below(&r, 1 << 24) / (1 << 20) : easy_base(&r);
            base[k] = (double)x[k];
            n[k] = by;
        }
        oc_elementary_pick(OC_CPU_SCALAR)->pow(want, base, n);
        EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
            if (!v->easy_pow(got, x, by))
                continue;
            certain += usual;
            for (int k = 0; k < N; k++) {
                const float rounded = (float)want[k];
                suite_assert(SAME(got[k], rounded), "%s: %a to the power of %g is %a, not %a",
                             v->isa, base[k], by, (double)got[k], (double)rounded);
            }
        }
        suite_assert(oc_power_is_easy(by) && !oc_power_is_easy(by + 0.25), "%g", by);
    }
    suite_assert(certain > ROUNDS / 4, "certain of %d", certain);
}
END_TEST

/* What a near power is certain of is pow, rounded; and it is certain of most. */
START_TEST(near_powers)
{
    suite_random r = suite_random_new(36);
    int certain = 0, usual_rounds = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[N], n[N], want[N];
        float got[N];
        const bool usual = round % 2;
        for (int k = 0; k < N; k++) {
            x[k] = usual ? (double)suite_below(&r, 1 << 24) / (1 << 20) - 4 : (double)easy_base(&r);
            n[k] = usual            ? (double)suite_below(&r, 64) / 8 - 4
                   : round % 4 == 0 ? (double)suite_below(&r, 9) - 4
                                    : (double)easy_base(&r);
        }
        oc_elementary_pick(OC_CPU_SCALAR)->pow(want, x, n);
        usual_rounds += usual;
        EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
            if (!v->near_pow(got, x, n))
                continue;
            certain += usual && v->need == 0;
            for (int k = 0; k < N; k++) {
                const float rounded = (float)want[k];
                suite_assert(SAME(got[k], rounded), "%s: %a to the power of %a is %a, not %a",
                             v->isa, x[k], n[k], (double)got[k], (double)rounded);
            }
        }
    }
    suite_assert(certain > usual_rounds * 9 / 10, "certain of %d of %d", certain, usual_rounds);
    /* Within a block of ones, a product in the midst of two floats, and a subnormal power. */
    static const double doubtful[][2] = {{257, 3}, {-259, 3}, {65, 4}, {0x1p-43, 3}, {9, -45}};
    for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++)
        EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
            double x[N], n[N];
            float got[N];
            for (int k = 0; k < N; k++)
                x[k] = n[k] = 1;
            suite_assert(v->near_pow(got, x, n), "%s: 1 to 1", v->isa);
            x[i * 5] = doubtful[i][0];
            n[i * 5] = doubtful[i][1];
            suite_assert(!v->near_pow(got, x, n), "%s: %g to %g", v->isa, x[i * 5], n[i * 5]);
        }
}
END_TEST

/* Odd numbers of 25 bits are in the midst between two floats, and small ones may be subnormal. */
START_TEST(doubtful_powers)
{
    static const struct {
        float x;
        double by;
    } rows[] = {{257, 3},      {321, 3},  {-259, 3},  {65, 4},   {-75, 4},       {0x1p-43f, 3},
                {0x1p-32f, 4}, {-1, 0.5}, {-4, -0.5}, {-9, 1.5}, {0x1p127f, -1}, {0x1p64f, -2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EACH_VARIANT (oc_elementary, v, oc_elementary_variants) {
            float x[N], got[N];
            for (int k = 0; k < N; k++)
                x[k] = 1;
            suite_assert(v->easy_pow(got, x, rows[i].by), "%s: 1 to %g", v->isa, rows[i].by);
            x[i * 5] = rows[i].x;
            suite_assert(!v->easy_pow(got, x, rows[i].by), "%s: %g to %g", v->isa,
                         (double)rows[i].x, rows[i].by);
        }
}
END_TEST

/* Any number of elements, in place too, and nothing behind them. */
START_TEST(rows_have_any_length)
{
    suite_random r = suite_random_new(33);
    oc_elementary_fn *const fn = oc_elementary_pick(OC_CPU_SCALAR)->atan;
    for (int n = 0; n < 3 * N; n++) {
        float x[3 * N + 1], y[3 * N + 1];
        double from[N] = {0}, to[N];
        for (int i = 0; i <= 3 * N; i++)
            x[i] = y[i] = (float)(suite_below(&r, 2000) - 1000.0) / 64;
        const void *const operand = n % 2 ? y : x;
        const int64_t step = 1;
        oc_elementary_row_f32(y, &operand, &step, n, &fn);
        for (int i = 0; i <= 3 * N; i++) {
            from[0] = (double)x[i];
            fn(to, from);
            const float want = i < n ? (float)to[0] : x[i];
            suite_assert(SAME(y[i], want), "%d of %d is %a, not %a", i, n, (double)y[i],
                         (double)want);
        }
    }
}
END_TEST

/* ---- --bench */

typedef struct row {
    int function, n;
    const float *x;
    float *y;
} row;

static void run_row(const void *variant, void *ctx)
{
    const row *r = ctx;
    oc_elementary_fn *const fn = function(variant, r->function);
    const void *const operands[] = {r->x};
    oc_elementary_row_f32(r->y, operands, NULL, r->n, &fn);
}

static void bench_elementary(const bench *b)
{
    static float x[4096], y[4096];
    bench_fill(x, 4096);
    for (int i = 0; i < FUNCTIONS; i++) {
        row r = {i, 4096, x, y};
        bench_case c = {.elements = r.n, .bytes = 8.0 * r.n, .run = run_row, .ctx = &r};
        snprintf(c.name, sizeof c.name, "%s, row of %d", functions[i].name, r.n);
        BENCH(b, &c, oc_elementary, oc_elementary_variants, exp);
    }
}

KERNEL_SUITE(elementary, "a float", variants_equal_scalar, scalar_is_near_the_library, powers,
             easy_powers, near_powers, doubtful_powers, rows_have_any_length)
