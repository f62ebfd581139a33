/* SPDX-License-Identifier: Apache-2.0
 * check_qlinear.c - sums and products of quantised numbers, code by code, in every variant. */
#include "bench.h"
#include "kernels/elementwise/qlinear.h"

#include <math.h>

enum { ROUNDS = 2000, MOST = 300 };

static uint8_t a[MOST], b[MOST], y[MOST + 1];

static oc_qlinear random_scales(suite_random *r)
{
    static const float scales[] = {0.5F, 0.0078125F, 0.031F, -0.11F, 1e-30F, 1e14F, 0, 3};
    oc_qlinear q = {.scale = scales[suite_below(r, 4)]};
    const bool is_signed = suite_below(r, 2);
    for (int k = 0; k < 2; k++) {
        q.x[k] = (oc_qlinear_operand){suite_below(r, 2) ? 128 : 0, (float)suite_below(r, 256),
                                      scales[suite_below(r, 8)]};
    }
    q.low = (is_signed ? -128 : 0) + (int32_t)suite_below(r, 100);
    q.high = q.low + (int32_t)suite_below(r, 156);
    q.zero = (is_signed ? -128 : 0) + (int32_t)suite_below(r, 256);
    return q;
}

static uint8_t definition(const oc_qlinear *q, uint8_t left, uint8_t right, bool mul)
{
    const float x = ((float)(left ^ q->x[0].flip) - q->x[0].zero) * q->x[0].scale;
    const float z = ((float)(right ^ q->x[1].flip) - q->x[1].zero) * q->x[1].scale;
    const float number = mul ? x * z : x + z, quotient = number / q->scale;
    const double code = (double)rintf(quotient) + q->zero;
    return (uint8_t)(int32_t)(code < q->low ? q->low : code > q->high ? q->high : code);
}

START_TEST(every_variant)
{
    suite_random r = suite_random_new(392);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_qlinear q = random_scales(&r);
        const int64_t n = suite_below(&r, MOST);
        const bool mul = suite_below(&r, 2);
        ck_assert(oc_qlinear_suits(&q));
        for (int i = 0; i < MOST; i++) {
            a[i] = (uint8_t)suite_below(&r, 256);
            b[i] = (uint8_t)suite_below(&r, 256);
        }
        EACH_VARIANT (oc_qlinear_variant, v, oc_qlinear_variants) {
            memset(y, 0xaa, sizeof y);
            (mul ? v->mul : v->add)(y, a, b, &q, n);
            for (int64_t i = 0; i < n; i++) {
                const uint8_t want = definition(&q, a[i], b[i], mul);
                suite_assert(y[i] == want, "%s: [%d] is %d, not %d; OC_SEED=%u", v->isa, (int)i,
                             y[i], want, seed);
            }
            suite_assert(y[n] == 0xaa, "%s writes behind %d codes", v->isa, (int)n);
        }
    }
}
END_TEST

START_TEST(scales_that_make_nan)
{
    const oc_qlinear good = {.x = {{0, 0, 1}, {0, 0, 1}}, .scale = 1, .high = 255};
    oc_qlinear q = good;
    ck_assert(oc_qlinear_suits(&q));
    q.x[0].scale = INFINITY;
    ck_assert(!oc_qlinear_suits(&q));
    q = good;
    q.x[1].scale = NAN;
    ck_assert(!oc_qlinear_suits(&q));
    q = good;
    q.x[1].scale = 1e20F; /* whose squares are infinite */
    ck_assert(!oc_qlinear_suits(&q));
    q = good;
    q.scale = 0;
    ck_assert(!oc_qlinear_suits(&q));
    q.scale = NAN;
    ck_assert(!oc_qlinear_suits(&q));
}
END_TEST

/* ---- --bench */

static void run_add(const void *variant, void *ctx)
{
    ((const oc_qlinear_variant *)variant)->add(y, a, b, ctx, MOST);
}

static void bench_qlinear(const bench *how)
{
    oc_qlinear q = {
        .x = {{0, 100, 0.02F}, {0, 120, 0.03F}}, .scale = 0.05F, .zero = 90, .high = 255};
    bench_case c = {.elements = MOST, .bytes = 3 * MOST, .run = run_add, .ctx = &q};
    snprintf(c.name, sizeof c.name, "%d sums", MOST);
    BENCH(how, &c, oc_qlinear_variant, oc_qlinear_variants, add);
}

KERNEL_SUITE(qlinear, "one result", every_variant, scales_that_make_nan)
