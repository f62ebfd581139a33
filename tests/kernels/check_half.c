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
}

KERNEL_SUITE(half, "one converted number", widen_every_code, narrow_as_base_does, any_count)
