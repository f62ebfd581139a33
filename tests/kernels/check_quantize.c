/* SPDX-License-Identifier: Apache-2.0
 * check_quantize.c - every variant of quantisation against scalar to the bit, scalar against the
 * formulas in double. */
#include "bench.h"
#include "kernels/elementwise/quantize.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 2000, MOST = 1100 };

/* What a code may be, and the zeros that go with it. */
static const struct {
    float low, high;
} kinds[] = {{0, 255}, {-128, 127}, {-8, 7}, {0, 65535}, {-32768, 32767}};

static float x[MOST], scale[MOST], zero[MOST];

static float number(suite_random *r, float most)
{
    static const float hostile[] = {0.0f,    -0.0f,    1e-45f,   -1e-45f, FLT_MAX,
                                    FLT_MIN, -FLT_MAX, INFINITY, NAN,     -INFINITY};
    if (suite_below(r, 20) == 0)
        return hostile[suite_below(r, 10)];
    if (suite_below(r, 4) == 0) /* ties */
        return (float)suite_below(r, 600) / 2 - 150;
    return ((float)suite_below(r, 1 << 24) / (1 << 23) - 1) * most;
}

static void fill(suite_random *r, oc_codes *c, int kind, int n)
{
    *c = (oc_codes){scale, zero, suite_below(r, 2), kinds[kind].low, kinds[kind].high};
    for (int i = 0; i < n; i++) {
        x[i] = number(r, 1.5f * c->high);
        scale[i] = suite_below(r, 4) ? (float)(1 + suite_below(r, 64)) / 16 : number(r, 1);
        zero[i] = c->low + (float)suite_below(r, (uint32_t)(c->high - c->low) + 1);
    }
}

static void check_formulas(const oc_codes *c, const uint16_t *code, const float *back, int n,
                           uint32_t seed)
{
    for (int i = 0; i < n; i++) {
        const double s = (double)scale[i * c->step], z = (double)zero[i * c->step];
        const double v = (double)(float)((double)x[i] / s);
        const double want = isnan(v) ? z : fmin(fmax(rint(v) + z, (double)c->low), (double)c->high);
        const uint16_t mask = c->high - c->low > 255 ? 0xffff : 0xff;
        const float product = (float)(((double)x[i] - z) * s);
        suite_assert(((code[i] ^ (int)want) & mask) == 0, "%a / %a + %g has code %d; OC_SEED=%u",
                     (double)x[i], s, z, code[i], seed);
        if (x[i] == rintf(x[i]) && fabsf(x[i]) < 65536) /* a code */
            suite_assert(SAME(back[i], product), "(%g - %g) * %a is %a; OC_SEED=%u", (double)x[i],
                         z, s, (double)back[i], seed);
    }
}

START_TEST(variants_equal_scalar_and_formulas)
{
    suite_random r = suite_random_new(51);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int n = (int)suite_below(&r, MOST), kind = (int)suite_below(&r, 5);
        const bool bytes = kinds[kind].high - kinds[kind].low <= 255;
        static uint8_t small[MOST];
        static uint16_t code[MOST], want[MOST];
        static float back[MOST], want_back[MOST];
        oc_codes c;
        fill(&r, &c, kind, n);
        for (int first = 1; first >= 0; first--) /* scalar, then all */
            EACH_VARIANT (oc_quantize_variant, v, oc_quantize_variants) {
                if (first && v->need)
                    continue;
                v->to_8(small, x, &c, n);
                if (!bytes)
                    v->to_16(code, x, &c, n);
                for (int i = 0; bytes && i < n; i++)
                    code[i] = small[i];
                v->from(back, x, &c, n);
                if (first) {
                    check_formulas(&c, code, back, n, seed);
                    memcpy(want, code, sizeof code);
                    memcpy(want_back, back, sizeof back);
                }
                for (int i = 0; i < n; i++)
                    suite_assert(code[i] == want[i] && SAME(back[i], want_back[i]),
                                 "%s: %a has code %d, not %d; OC_SEED=%u", v->isa, (double)x[i],
                                 code[i], want[i], seed);
            }
    }
}
END_TEST

START_TEST(whole_numbers)
{
    suite_random r = suite_random_new(53);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int n = (int)suite_below(&r, MOST), step = (int)suite_below(&r, 2);
        static int32_t whole[MOST];
        static float y[MOST];
        for (int i = 0; i < n; i++) {
            whole[i] = (int32_t)suite_below(&r, UINT32_MAX) >> suite_below(&r, 31);
            scale[i] = number(&r, 1);
        }
        EACH_VARIANT (oc_quantize_variant, v, oc_quantize_variants) {
            v->from_whole(y, whole, scale, step, n);
            for (int i = 0; i < n; i++) {
                const float want = (float)(whole[i] * (double)scale[i * step]);
                suite_assert(SAME(y[i], want), "%s: %d * %a is %a, not %a; OC_SEED=%u", v->isa,
                             whole[i], (double)scale[i * step], (double)y[i], (double)want, seed);
            }
        }
    }
}
END_TEST

START_TEST(codes_of_sums)
{
    suite_random r = suite_random_new(54);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int n = (int)suite_below(&r, MOST);
        static int32_t sum[MOST];
        static uint8_t y[MOST];
        oc_codes c;
        fill(&r, &c, (int)suite_below(&r, 2), MOST);
        const int32_t bias = (int32_t)suite_below(&r, UINT32_MAX) >> suite_below(&r, 31);
        for (int i = 0; i < n; i++)
            sum[i] = (int32_t)suite_below(&r, UINT32_MAX) >> suite_below(&r, 31);
        EACH_VARIANT (oc_quantize_variant, v, oc_quantize_variants) {
            v->of_sums(y, sum, bias, &c, n);
            for (int i = 0; i < n; i++) {
                const int32_t all = (int32_t)((uint32_t)sum[i] + (uint32_t)bias);
                const float product = (float)all * scale[i * c.step];
                const double code = rint(isnan(product) ? 0 : (double)product) + (double)zero[0];
                const uint8_t want = (uint8_t)(int)fmin(fmax(code, (double)c.low), (double)c.high);
                suite_assert(y[i] == want, "%s: (%d + %d) * %a has code %d, not %d; OC_SEED=%u",
                             v->isa, sum[i], bias, (double)scale[i * c.step], y[i], want, seed);
            }
        }
    }
}
END_TEST

START_TEST(ranges_of_numbers)
{
    suite_random r = suite_random_new(52);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int n = (int)suite_below(&r, MOST);
        const bool odd = suite_below(&r, 3) == 0;
        float least = 0, most = 0;
        for (int i = 0; i < n; i++) {
            do
                x[i] = number(&r, 100);
            while (!odd && isnan(x[i]));
            least = x[i] < least || isnan(x[i]) ? x[i] : least;
            most = x[i] > most || isnan(x[i]) ? x[i] : most;
            if (isnan(least))
                break;
        }
        if (isnan(least))
            most = least;
        EACH_VARIANT (oc_quantize_variant, v, oc_quantize_variants) {
            float low = 0, high = 0;
            v->range(x, n, &low, &high);
            suite_assert(SAME(low, least) && SAME(high, most),
                         "%s: %g .. %g, not %g .. %g; OC_SEED=%u", v->isa, (double)low,
                         (double)high, (double)least, (double)most, seed);
        }
    }
}
END_TEST

/* ---- --bench */

typedef struct job {
    oc_codes c;
    const float *x;
    float *y;
    int what;
} job;

enum { N = 1 << 16 };

static void run_job(const void *variant, void *ctx)
{
    const oc_quantize_variant *v = variant;
    job *j = ctx;
    float low = 0, high = 0;
    if (j->what == 0)
        v->to_8((uint8_t *)j->y, j->x, &j->c, N);
    else if (j->what == 1)
        v->to_16((uint16_t *)j->y, j->x, &j->c, N);
    else if (j->what == 2)
        v->from(j->y, j->x, &j->c, N);
    else if (j->what == 3)
        v->range(j->x, N, &low, &high);
    else if (j->what == 5)
        v->of_sums((uint8_t *)j->y, (const int32_t *)(const void *)j->x, 0, &j->c, N);
    else
        v->from_whole(j->y, (const int32_t *)(const void *)j->x, j->c.scale, 0, N);
}

static void bench_quantize(const bench *b)
{
    static const char *const names[] = {"float to 8 bits", "float to 16 bits", "to float",
                                        "range",           "int32 to float",   "sums to 8 bits"};
    static const float one = 0.01f, middle = 128;
    static const double bytes[] = {5, 6, 8, 4, 8, 5};
    static float from[N], to[N];
    bench_fill(from, N);
    for (int i = 0; i < 6; i++) {
        job j = {{&one, &middle, 0, 0, 255}, from, to, i};
        bench_case c = {.elements = N, .bytes = bytes[i] * N, .run = run_job, .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s", names[i]);
        BENCH(b, &c, oc_quantize_variant, oc_quantize_variants, to_8);
    }
}

KERNEL_SUITE(quantize, "a number", variants_equal_scalar_and_formulas, codes_of_sums, whole_numbers,
             ranges_of_numbers)
