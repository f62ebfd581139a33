/* SPDX-License-Identifier: Apache-2.0
 * check_fused.c - fused multiply-adds that are made of doubles, one by one (fused.h) and in
 * registers of 128 bits (v128_fused.h), against the C library's fmaf. */
#define OC_ISA v128
#include "kernels/simd/simd.h"

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

SUITE("fused", made_of_doubles)
