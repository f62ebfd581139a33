/* SPDX-License-Identifier: Apache-2.0
 * check_plain.c - every variant of the short formulas against scalar to the bit, with all steps and
 * in place; scalar against the same formulas in double. */
#include "bench.h"
#include "kernels/elementwise/plain.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 200, MOST = 150 };

typedef double formula(double x, double y, double z, const oc_factors *f);

/* ---- what the formulas are */

#define WANT(name, expr)                                                                           \
    static double want_##name(double x, double y, double z, const oc_factors *f)                   \
    {                                                                                              \
        (void)x, (void)y, (void)z, (void)f;                                                        \
        return expr;                                                                               \
    }

/* Each step of a formula rounds to float; double is exact, or precise enough for one rounding. */
static double rounded(double x)
{
    return (double)(float)x;
}

static double limited(double x, double low, double high)
{
    const double raised = x < low ? low : x;
    return raised > high ? high : raised;
}

static double least_or_nan(double x, double y)
{
    return isnan(x) || isnan(y) ? NAN : x < y ? x : y;
}

WANT(abs, copysign(x, 1))
WANT(ceil, ceil(x))
WANT(floor, floor(x))
WANT(neg, copysign(x, signbit(x) ? 1 : -1))
WANT(reciprocal, 1 / x)
WANT(relu, limited(x, 0, INFINITY))
WANT(round, rint(x))
WANT(sign, isnan(x) || x == 0 ? fabs(x) : copysign(1, x))
WANT(sqrt, sqrt(x))
WANT(affine, rounded(f->a *x) + f->b)
WANT(hard_sigmoid, limited(rounded(rounded(f->a *x) + f->b), 0, 1))
WANT(hard_swish, limited(rounded(rounded(x + 3) / 6), 0, 1) * x)
WANT(leaky_relu, x < 0 ? f->a * x : x)
WANT(thresholded_relu, x > f->a ? x : 0)
WANT(add, x + y)
WANT(add_square, x + rounded(y * y))
WANT(div, x / y)
WANT(div_power, x / rounded(rounded(sqrt(y)) * rounded(sqrt(rounded(sqrt(y))))))
WANT(max, -least_or_nan(-x, -y))
WANT(min, least_or_nan(x, y))
WANT(mul, (x * y))
WANT(prelu, x < 0 ? y * x : x)
WANT(sub, x - y)
WANT(clip, limited(x, y, z))

static const struct {
    const char *name;
    const oc_plain *const *variants;
    formula *want;
    int operands;
} rows[] = {
#define ROW(name, operands) {#name, oc_plain_##name, want_##name, operands},
#define ONE(name, expr)     ROW(name, 1)
#define TWO(name, expr)     ROW(name, 2)
    OC_PLAIN_ONE(ONE) OC_PLAIN_FACTORS(ONE) OC_PLAIN_TWO(TWO) ROW(clip, 3)};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- numbers */

static float number(suite_random *r)
{
    static const float hostile[] = {0.0f,    -0.0f,    1e-45f, -1e-45f, FLT_MIN,  -FLT_MIN,
                                    FLT_MAX, -FLT_MAX, NAN,    0.5f,    -0.5f,    2.5f,
                                    -1,      1,        3,      -3,      INFINITY, -INFINITY};
    if (suite_below(r, 3) == 0)
        return hostile[suite_below(r, sizeof hostile / sizeof *hostile)];
    return ((float)suite_below(r, 1 << 24) / (1 << 23) - 1) * (suite_below(r, 2) ? 1 : 8);
}

static const oc_factors factors[] = {{0.2f, 0.5}, {0.01f, 0}, {-1, 1}, {1 / 6.0f, 0.5}, {1, 0}};

/* ---- tests */

typedef struct round_of {
    float x[3][MOST];
    int64_t step[3], n;
    oc_factors f;
} round_of;

static void fill(suite_random *r, round_of *t, int operands)
{
    t->n = suite_below(r, MOST + 1);
    t->f = factors[suite_below(r, sizeof factors / sizeof *factors)];
    for (int k = 0; k < 3; k++) {
        t->step[k] = operands == 2 ? suite_below(r, 2) : k == 0;
        for (int i = 0; i < MOST; i++)
            t->x[k][i] = number(r);
    }
}

/* y: MOST elements; the first n become the result. place: the operand to work in, or -1. */
static void run(oc_plain_fn *fn, const round_of *t, int place, float *y)
{
    const void *x[3] = {t->x[0], t->x[1], t->x[2]};
    if (place >= 0) {
        memcpy(y, t->x[place], sizeof t->x[place]);
        x[place] = y;
    }
    fn(y, x, t->step, t->n, &t->f);
}

START_TEST(variants_equal_scalar_and_formulas)
{
    suite_random r = suite_random_new(61);
    for (int round = 0; round < ROUNDS * ROWS; round++) {
        const uint32_t seed = r.state;
        const int row = round % ROWS;
        static float want[MOST], y[MOST];
        round_of t;
        fill(&r, &t, rows[row].operands);
        memcpy(want, t.x[0], sizeof want); /* behind n nothing is written */
        run(oc_plain_pick(rows[row].variants, OC_CPU_SCALAR), &t, -1, want);
        for (int64_t i = 0; i < t.n; i++) {
            const float x = t.x[0][i * t.step[0]], y_ = t.x[1][i * t.step[1]];
            const float value =
                (float)rows[row].want((double)x, (double)y_, (double)t.x[2][0], &t.f);
            suite_assert(SAME(want[i], value), "%s of %a and %a is %a, not %a; OC_SEED=%u",
                         rows[row].name, (double)x, (double)y_, (double)want[i], (double)value,
                         seed);
        }
        EACH_VARIANT (oc_plain, v, rows[row].variants)
            for (int place = -1; place < rows[row].operands && place < 2; place++) {
                if (place >= 0 && t.step[place] == 0)
                    continue;
                memcpy(y, t.x[0], sizeof y);
                run(v->fn, &t, place, y);
                for (int64_t i = 0; i < MOST; i++) {
                    const float right = i < t.n ? want[i] : t.x[place < 0 ? 0 : place][i];
                    ASSERT_SAME(y[i], right, i, seed, "%s %s, %d, %d elements", v->isa,
                                rows[row].name, place, (int)t.n);
                }
            }
    }
}
END_TEST

START_TEST(channels_are_scaled)
{
    enum { CHANNELS = OC_SCALE_CHANNELS, PIXELS = 9, ALL = CHANNELS * PIXELS };
    suite_random r = suite_random_new(62);
    for (int round = 0; round < 10 * ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int64_t n = suite_below(&r, PIXELS + 1);
        float list[3][CHANNELS], x[ALL], y[ALL];
        const oc_channel_factors f = {list[0], list[1], list[2]};
        for (int i = 0; i < 3 * CHANNELS; i++)
            list[i / CHANNELS][i % CHANNELS] = number(&r);
        for (int i = 0; i < ALL; i++)
            x[i] = number(&r);
        EACH_VARIANT (oc_scale, v, oc_scale_channels)
            for (int in_place = 0; in_place < 2; in_place++) {
                memcpy(y, x, sizeof y);
                v->fn(y, in_place ? y : x, &f, n);
                for (int i = 0; i < ALL; i++) {
                    const int c = i % CHANNELS;
                    const double off = rounded((double)x[i] - (double)list[0][c]);
                    const double scaled = rounded(off * (double)list[1][c]);
                    const float all = (float)(scaled + (double)list[2][c]);
                    const float want = i < n * CHANNELS ? all : x[i];
                    ASSERT_SAME(y[i], want, i, seed, "%s, %d pixels", v->isa, (int)n);
                }
            }
    }
}
END_TEST

/* ---- --bench */

enum { N = 1024 }; /* a strip of an epilogue */

typedef struct job {
    int row;
    const float *x;
    float *y;
    bool in_place;
} job;

static void run_job(const void *variant, void *ctx)
{
    static const int64_t steps[][3] = {{1}, {1, 1}, {1, 0, 0}};
    static const oc_factors f = {0.2f, 0.5};
    const job *j = ctx;
    const void *x[] = {j->in_place ? j->y : j->x, j->x + N, j->x + 2 * N};
    ((const oc_plain *)variant)->fn(j->y, x, steps[rows[j->row].operands - 1], N, &f);
}

static void scale_job(const void *variant, void *ctx)
{
    const job *j = ctx;
    const oc_channel_factors f = {j->x + N, j->x + N + 16, j->x + N + 32};
    ((const oc_scale *)variant)->fn(j->y, j->x, &f, N / OC_SCALE_CHANNELS);
}

static void bench_plain(const bench *b)
{
    static float x[3 * N], y[N];
    bench_fill(x, 3 * N);
    for (int i = 0; i < 2 * ROWS; i++) {
        job j = {i / 2, x, y, i % 2};
        bench_case c = {.elements = N, .bytes = 4.0 * N, .run = run_job, .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s%s", rows[j.row].name, j.in_place ? ", in place" : "");
        BENCH(b, &c, oc_plain, rows[j.row].variants, fn);
    }
    job j = {0, x, y, false};
    BENCH(b, (&(bench_case){"scale_channels", N, 8.0 * N, scale_job, &j}), oc_scale,
          oc_scale_channels, fn);
}

KERNEL_SUITE(plain, "a float", variants_equal_scalar_and_formulas, channels_are_scaled)
