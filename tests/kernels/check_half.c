/* SPDX-License-Identifier: Apache-2.0
 * check_half.c - every variant of the bulk conversions against base, over all codes and many
 * floats. */
#include "base/smallfloat.h"
#include "bench.h"
#include "kernels/common/half.h"

#include <math.h>
#include <string.h>

enum { CODES = 1 << 16, FLOATS = 1 << 20 };

typedef struct format {
    const char *name;
    const oc_half_variant *const *variants;
    float (*widen)(uint16_t code);
    uint16_t (*narrow)(float x);
} format;

static const format formats[] = {{"float16", oc_f16_variants, oc_f16_to_f32, oc_f16_from_f32},
                                 {"bfloat16", oc_bf16_variants, oc_bf16_to_f32, oc_bf16_from_f32}};

/* Calls check for every variant that this processor can run. */
static void each_variant(void (*check)(const format *f, const oc_half_variant *v))
{
    for (int f = 0; f < 2; f++)
        EACH_VARIANT (oc_half_variant, v, formats[f].variants)
            check(&formats[f], v);
}

static void check_widen(const format *f, const oc_half_variant *v)
{
    static uint16_t code[CODES];
    static float got[CODES];
    for (int i = 0; i < CODES; i++)
        code[i] = (uint16_t)i;
    v->widen(got, code, CODES);
    for (int i = 0; i < CODES; i++) {
        const float want = f->widen(code[i]);
        suite_assert(SAME(got[i], want), "%s: code %#x gives %g", v->isa, i, (double)got[i]);
    }
}

/* Random bits, the floats half way between two codes, and those next to them. */
static void check_narrow(const format *f, const oc_half_variant *v)
{
    static float x[FLOATS], rounded[FLOATS];
    static uint16_t got[FLOATS];
    suite_random r = suite_random_new(5);
    for (int i = 0; i < FLOATS; i++) {
        uint32_t bits = suite_below(&r, 1 << 16) << 16 | suite_below(&r, 1 << 16);
        if (i % 2) {
            const uint16_t code = (uint16_t)(i >> 1);
            const float a = f->widen(code), b = f->widen((uint16_t)(code + 1));
            const float middle = isfinite(a) && isfinite(b) ? a / 2 + b / 2 : a;
            memcpy(&bits, &middle, sizeof bits);
            bits += suite_below(&r, 3) - 1;
        }
        memcpy(&x[i], &bits, sizeof bits);
    }
    v->narrow(got, x, FLOATS);
    memcpy(rounded, x, sizeof rounded);
    v->round(rounded, FLOATS);
    for (int i = 0; i < FLOATS; i++) {
        const uint16_t want = f->narrow(x[i]);
        const float back = f->widen(want);
        suite_assert(SAME(rounded[i], back), "%s: %a is rounded to %a", v->isa, (double)x[i],
                     (double)rounded[i]);
        const bool nan = isnan(x[i]) && isnan(f->widen(got[i]));
        suite_assert(got[i] == want || nan, "%s: %a gives %#x, not %#x", v->isa, (double)x[i],
                     got[i], want);
    }
}

/* Any count, and nothing past it. */
static void check_counts(const format *f, const oc_half_variant *v)
{
    float x[40];
    uint16_t code[40];
    for (int n = 0; n < 40; n++) {
        memset(x, 0xa5, sizeof x);
        for (int i = 0; i < n; i++)
            x[i] = (float)i;
        memset(code, 0xa5, sizeof code);
        v->narrow(code, x, n);
        for (int i = 0; i < 40; i++)
            ck_assert_int_eq(code[i], i < n ? f->narrow((float)i) : 0xa5a5);
        v->widen(x, code, n);
        for (int i = 0; i < n; i++)
            ck_assert(x[i] == (float)i);
        for (int i = 0; i < n; i++)
            x[i] += 0x1p-15f;
        v->round(x, n);
        for (int i = 0; i < n; i++)
            ck_assert(x[i] == (i ? (float)i : 0x1p-15f));
        for (size_t i = (size_t)n * sizeof *x; i < sizeof x; i++)
            ck_assert_int_eq(((unsigned char *)x)[i], 0xa5);
    }
}

/* What is rounded and then limited, and what is limited and then rounded, by all codes as limits.
 */
static void check_limit(const format *f, const oc_half_variant *v)
{
    enum { SOME = 1 << 12 };
    static const float tiny[] = {0x1p-25f, 0x1.8p-25f, 0x1p-26f, 0x1p-134f, 0x1.8p-134f, 0x1p-135f};
    static const uint16_t codes[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0x7e01, 1, 0x8001};
    float x[SOME], y[SOME];
    uint16_t code[SOME + 1];
    const oc_type type = f == formats ? OC_F16 : OC_BF16;
    suite_random r = suite_random_new(7);
    for (int round = 0; round < 400; round++) {
        const uint32_t seed = r.state;
        float bound[2];
        for (int i = 0; i < 2; i++)
            bound[i] = f->widen(suite_below(&r, 2) ? codes[suite_below(&r, 8)]
                                                   : (uint16_t)suite_below(&r, CODES));
        if (bound[0] > bound[1] || bound[1] == 0)
            continue;
        for (int i = 0; i < SOME; i++) {
            const float near = f->widen((uint16_t)suite_below(&r, CODES));
            const float sign = suite_below(&r, 2) ? -1 : 1;
            x[i] = i % 3 == 0   ? tiny[suite_below(&r, 6)] * sign
                   : i % 3 == 1 ? near * (1 + (float)suite_below(&r, 64) * 0x1p-14f)
                                : nextafterf(bound[suite_below(&r, 2)], sign * INFINITY);
        }
        const oc_half_bounds b = oc_half_bounds_of(type, bound[0], bound[1]);
        const int n = SOME - (int)suite_below(&r, 40);
        v->limit(y, x, n, &b);
        v->round(y, n);
        memset(code, 0xa5, sizeof code);
        v->narrow_limited(code, x, n, &b);
        ck_assert_uint_eq(code[n], 0xa5a5);
        for (int i = 0; i < n; i++) {
            const float back = f->widen(code[i]);
            suite_assert(SAME(y[i], back), "%s: [%d]; OC_SEED=%u", v->isa, i, seed);
            const float half = f->widen(f->narrow(x[i]));
            const float want = half < bound[0] ? bound[0] : half > bound[1] ? bound[1] : half;
            suite_assert(SAME(y[i], want), "%s: %a between %a and %a is %a, not %a; OC_SEED=%u",
                         v->isa, (double)x[i], (double)bound[0], (double)bound[1], (double)y[i],
                         (double)want, seed);
        }
    }
}

/* Doubles between two halves, and beside the middle of them, by as little as a double can. */
static void check_f64(const format *f, const oc_half_variant *v)
{
    enum { EACH = 8, ALL = CODES * EACH };
    static double x[ALL + 1];
    static uint16_t code[ALL];
    const bool is_f16 = f == formats;
    suite_random r = suite_random_new(13);
    for (int i = 0; i < CODES; i++) {
        const double low = (double)f->widen((uint16_t)i),
                     high = (double)f->widen((uint16_t)(i + 1));
        const double middle = low + (high - low) / 2;
        const double some[EACH] = {low,
                                   middle,
                                   nextafter(middle, 0),
                                   nextafter(middle, INFINITY),
                                   nextafter(low, INFINITY),
                                   middle * (1 + 0x1p-30),
                                   middle * (1 - 0x1p-26),
                                   low + (high - low) * (suite_below(&r, 1 << 20) * 0x1p-20)};
        memcpy(x + i * EACH, some, sizeof some);
    }
    oc_half_of_f64(v, code, x, ALL);
    for (int i = 0; i < ALL; i++) {
        const uint16_t once = is_f16 ? oc_f16_from_f64(x[i]) : oc_bf16_from_f64(x[i]);
        const float got = f->widen(code[i]), want = f->widen(once);
        suite_assert(SAME(got, want), "%s: %a", v->isa, x[i]);
    }
    oc_half_to_f64(v, x, code, ALL);
    for (int i = 0; i < ALL; i++) {
        const float got = (float)x[i], want = f->widen(code[i]);
        ck_assert(SAME(got, want));
    }
}

START_TEST(doubles_are_rounded_once)
{
    each_variant(check_f64);
}
END_TEST

/* Sums of what floats round to and of halves, from some place on; and products of halves. */
static void check_add(const format *f, const oc_half_variant *v)
{
    enum { SOME = 200, BEFORE = 16 };
    float x[SOME];
    uint16_t other[BEFORE + SOME], code[BEFORE + SOME + 1];
    suite_random r = suite_random_new(9);
    for (int round = 0; round < 300; round++) {
        oc_half_bounds b = {OC_HALF_UNLIMITED};
        if (round % 2)
            b = oc_half_bounds_of(f == formats ? OC_F16 : OC_BF16, round % 4 == 1 ? 0 : -2, 6);
        b.first = code;
        b.other = other;
        for (int i = 0; i < BEFORE + SOME; i++)
            other[i] = (uint16_t)suite_below(&r, CODES);
        for (int i = 0; i < SOME; i++)
            x[i] = f->widen((uint16_t)suite_below(&r, CODES)) *
                   (1 + (float)suite_below(&r, 64) * 0x1p-14f);
        const int n = (int)suite_below(&r, SOME / 16 + 1) * 16,
                  from = (int)suite_below(&r, BEFORE + 1);
        memset(code, 0xa5, sizeof code);
        v->add_limited(code + from, x, n, &b);
        ck_assert_uint_eq(code[from + n], 0xa5a5);
        static uint16_t product[SOME];
        v->scale(product, other + from, x, n);
        for (int i = 0; i < n; i++) {
            const float want = f->widen(f->narrow(f->widen(other[from + i]) * x[i % 16]));
            const float back = f->widen(product[i]);
            suite_assert(SAME(back, want), "%s: product %d is %a, not %a", v->isa, i, (double)back,
                         (double)want);
        }
        for (int i = 0; i < n; i++) {
            const float sum = f->widen(f->narrow(x[i])) + f->widen(other[from + i]);
            float want = f->widen(f->narrow(sum));
            if (round % 2)
                want = want < b.low ? b.low : want > 6 ? 6 : want;
            const float back = f->widen(code[from + i]);
            suite_assert(SAME(back, want), "%s: %a and %a are %a, not %a", v->isa, (double)x[i],
                         (double)f->widen(other[from + i]), (double)back, (double)want);
        }
    }
}

START_TEST(widen_every_code)
{
    each_variant(check_widen);
}
END_TEST

START_TEST(narrow_as_base_does)
{
    each_variant(check_narrow);
}
END_TEST

START_TEST(limits_before_rounding)
{
    each_variant(check_limit);
}
END_TEST

START_TEST(sums_of_halves)
{
    each_variant(check_add);
}
END_TEST

START_TEST(any_count)
{
    each_variant(check_counts);
}
END_TEST

/* ---- --bench */

typedef struct conversion {
    uint16_t *codes;
    float *floats;
    int64_t n;
} conversion;

static void run_widen(const void *variant, void *ctx)
{
    const conversion *c = ctx;
    ((const oc_half_variant *)variant)->widen(c->floats, c->codes, c->n);
}

static void run_narrow(const void *variant, void *ctx)
{
    const conversion *c = ctx;
    ((const oc_half_variant *)variant)->narrow(c->codes, c->floats, c->n);
}

static void run_round(const void *variant, void *ctx)
{
    const conversion *c = ctx;
    ((const oc_half_variant *)variant)->round(c->floats, c->n);
}

static void run_limit(const void *variant, void *ctx)
{
    const conversion *c = ctx;
    const oc_half_bounds b = {0, 0, 6};
    ((const oc_half_variant *)variant)->limit(c->floats, c->floats, c->n, &b);
}

static void bench_half(const bench *b)
{
    static uint16_t codes[FLOATS];
    static float floats[FLOATS];
    static const int64_t sizes[] = {64, 4096, FLOATS};
    bench_fill(floats, FLOATS);
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 6; k++) {
            conversion j = {codes, floats, sizes[k / 2]};
            bench_case c = {.elements = (double)j.n,
                            .bytes = 6 * (double)j.n,
                            .run = k % 2 ? run_widen : run_narrow,
                            .ctx = &j};
            snprintf(c.name, sizeof c.name, "%s %s float, %d", formats[f].name,
                     k % 2 ? "to" : "from", (int)j.n);
            BENCH(b, &c, oc_half_variant, formats[f].variants, widen);
        }
    for (int f = 0; f < 4; f++) {
        conversion j = {codes, floats, 1024};
        bench_case c = {.elements = (double)j.n,
                        .bytes = 8 * (double)j.n,
                        .run = f / 2 ? run_limit : run_round,
                        .ctx = &j};
        snprintf(c.name, sizeof c.name, "%s %s, %d", formats[f % 2].name,
                 f / 2 ? "limited" : "rounded", (int)j.n);
        BENCH(b, &c, oc_half_variant, formats[f % 2].variants, widen);
    }
}

KERNEL_SUITE(half, "one converted number", widen_every_code, narrow_as_base_does,
             limits_before_rounding, doubles_are_rounded_once, sums_of_halves, any_count)
