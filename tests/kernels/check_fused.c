/* SPDX-License-Identifier: Apache-2.0
 * check_fused.c - fused multiply-adds that are made of doubles, one by one (fused.h) and in
 * registers of 128 bits (v128_fused.h), against the C library's fmaf. */
#define OC_ISA v128
#include "kernels/simd/chains.h"

#include "numbers.h"
#include "variants.h"

#include <float.h>

enum { ROUNDS = 2000000 };

/* a * b lies beside the middle between c and the next float, by less than a double can tell; tiny:
 * these floats are subnormal. */
static void beside_a_middle(suite_random *r, bool tiny, float *a, float *b, float *c)
{
    const float part = ldexpf(1, -15 - (int)suite_below(r, 8));
    const int to = tiny ? -150 : (int)suite_below(r, 200) - 125;
    const float f = ldexpf((float)((1 << 23) + suite_below(r, 1 << 23)), tiny ? -149 - 1 : to + 1);
    *a = ldexpf(1 + part, to / 2);
    *b = ldexpf(1 - part, to - to / 2);
    *c = suite_below(r, 2) ? f : -f;
    if (suite_below(r, 2))
        *a = -*a;
    if (suite_below(r, 4) == 0) /* to the last place exactly */
        *b = ldexpf(1, to - to / 2), *a = ldexpf(1, to / 2);
}

/* Any bits at all; Inf and NaN among them. */
static float any_float(suite_random *r)
{
    const uint32_t bits = suite_below(r, 1 << 16) << 16 | suite_below(r, 1 << 16);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void any_numbers(suite_random *r, float *a, float *b, float *c)
{
    *a = any_float(r);
    *b = any_float(r);
    *c = any_float(r);
    if (suite_below(r, 2)) { /* of one size, and of few digits */
        *c = ldexpf((float)suite_below(r, 1 << 24), (int)suite_below(r, 60) - 160);
        *a = ldexpf((float)suite_below(r, 1 << 12), (int)suite_below(r, 30) - 80);
        *b = ldexpf(-(float)suite_below(r, 1 << 12), (int)suite_below(r, 30) - 80);
    }
}

START_TEST(made_of_doubles)
{
    suite_random r = suite_random_new(41);
    int hard = 0, hard_tiny = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int kind = (int)suite_below(&r, 3);
        float a[4], b[4], c[4], want[4], got[4];
        for (int i = 0; i < 4; i++) {
            if (kind == 0 || i % 2)
                any_numbers(&r, &a[i], &b[i], &c[i]);
            else
                beside_a_middle(&r, kind == 2, &a[i], &b[i], &c[i]);
            want[i] = fmaf(a[i], b[i], c[i]);
            const float twice = (float)((double)a[i] * (double)b[i] + (double)c[i]);
            const bool is_hard = twice != want[i] && want[i] - want[i] == 0;
            hard += is_hard && fabsf(want[i]) >= FLT_MIN;
            hard_tiny += is_hard && fabsf(want[i]) < FLT_MIN;
            const float one = oc_fma_f32(a[i], b[i], c[i]);
            ASSERT_SAME(one, want[i], i, seed, "%s %a * %a + %a", "one by one", (double)a[i],
                        (double)b[i], (double)c[i]);
        }
        f32v_store(got, f32v_fma(f32v_load(a), f32v_load(b), f32v_load(c)));
        for (int i = 0; i < 4; i++)
            ASSERT_SAME(got[i], want[i], i, seed, "%s %a * %a + %a", "v128", (double)a[i],
                        (double)b[i], (double)c[i]);
    }
    ck_assert_int_gt(hard, ROUNDS / 10);
    ck_assert_int_gt(hard_tiny, ROUNDS / 10);
}
END_TEST

#ifdef OC_SIMD_CHAINS

enum { CHAINS = 40000, STEPS = 3 * OC_CHAIN_RUN };

/* Kinds of chains besides those of numbers.h: their sums leave the floats and may come back; they
 * are subnormal; their products are too small for any float; their factors have few digits; they
 * are as networks have them, whose factors often are 0. */
enum { FAR = KINDS_OF_NUMBERS, TINY, VANISHING, SHORT, USUAL, KINDS_OF_CHAINS };

static float chain_number(suite_random *r, int kind, bool is_left)
{
    const float random = (float)suite_below(r, 1 << 24) / (1 << 23) - 1;
    switch (kind) {
    case FAR:
        return random * (is_left ? 4 : 0x1p104F);
    case VANISHING:
        return random * (is_left ? 0x1p-70F : 0x1p-90F);
    case TINY:
        return suite_below(r, 4) == 0 ? random : random * (is_left ? 0x1p-70F : 0x1p-75F);
    case SHORT:
        return is_left && suite_below(r, 3) ? (float)suite_below(r, 64) / 8 : random;
    case USUAL:
        return is_left && suite_below(r, 2)            ? 0
               : !is_left && suite_below(r, 4096) == 0 ? NAN
                                                       : random;
    default:
        return (float)number(r, kind);
    }
}

static float chain_begin(suite_random *r, int kind)
{
    const float random = (float)suite_below(r, 1 << 24) / (1 << 23) - 1;
    if (kind == USUAL)
        return suite_below(r, 2) ? 0.0F : -0.0F;
    return kind == FAR                              ? suite_below(r, 2) ? FLT_MAX : -FLT_MAX
           : suite_below(r, 2) || kind == VANISHING ? 0
           : kind == TINY                           ? random * 0x1p-130F
                                                    : random;
}

START_TEST(chains)
{
    static float x[STEPS][OC_CHAIN_ROWS], w[STEPS][OC_CHAIN_COLUMNS];
    static f32_chains c;
    suite_random r = suite_random_new(43);
    for (int round = 0; round < CHAINS; round++) {
        const uint32_t seed = r.state;
        const int kind = (int)suite_below(&r, KINDS_OF_CHAINS);
        const int rows = 1 + (int)suite_below(&r, 3), columns = 1 + (int)suite_below(&r, 32);
        const int n = (int)suite_below(&r, STEPS), later = suite_below(&r, 2) ? USUAL : kind;
        float want[OC_CHAIN_ROWS][OC_CHAIN_COLUMNS], got[OC_CHAIN_COLUMNS];
        chains_begin(&c, rows, columns, 1, OC_CHAIN_PART);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++)
                want[i][j] = chain_begin(&r, kind);
            chains_load(&c, i, 0, want[i], columns);
        }
        for (int k = 0; k < n; k++) {
            const int now = k < OC_CHAIN_RUN ? kind : later;
            for (int i = 0; i < rows; i++)
                x[k][i] = chain_number(&r, now, true);
            for (int j = 0; j < columns; j++)
                w[k][j] = chain_number(&r, now, false);
            chains_add(&c, x[k], w[k]);
            for (int i = 0; i < rows * columns; i++)
                want[i / columns][i % columns] =
                    fmaf(x[k][i / columns], w[k][i % columns], want[i / columns][i % columns]);
        }
        chains_flush(&c);
        for (int i = 0; i < rows; i++) {
            chains_store(&c, i, 0, got, columns);
            for (int j = 0; j < columns; j++)
                ASSERT_SAME(got[j], want[i][j], j, seed, "%s, row %d, %d steps", "chains", i, n);
        }
    }
}
END_TEST

SUITE("fused", made_of_doubles, chains)
#else
SUITE("fused", made_of_doubles)
#endif
