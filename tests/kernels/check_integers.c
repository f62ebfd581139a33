/* SPDX-License-Identifier: Apache-2.0
 * check_integers.c - every variant of orders and combined bits against scalar, and scalar against
 * C. */
#include "bench.h"
#include "kernels/elementwise/integers.h"

#include <string.h>

enum { ROUNDS = 4000, MOST = 300, LOOPS = 10, N = 1 << 12 };

static oc_integers_fn *loop_of(const oc_integers *v, int loop)
{
    oc_integers_fn *const bits[] = {v->and, v->or, v->exor};
    return loop < 4 ? v->last[loop] : loop < 7 ? v->before[loop - 4] : bits[loop - 7];
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(83);
    const oc_integers *scalar = oc_integers_pick(OC_CPU_SCALAR);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int loop = round % LOOPS;
        const size_t size = (size_t)1 << (loop < 7 ? loop % 4 : (int)suite_below(&r, 4));
        const int64_t n = suite_below(&r, MOST), step[] = {suite_below(&r, 2), suite_below(&r, 2)};
        const oc_order order = oc_order_of(size, suite_below(&r, 2), suite_below(&r, 2));
        const void *ctx = loop < 7 ? (const void *)&order : &size;
        static uint8_t a[8 * MOST], b[8 * MOST], want[8 * MOST], got[8 * MOST];
        for (int i = 0; i < 8 * MOST; i++) {
            a[i] = (uint8_t)suite_below(&r, round % 2 ? 256 : 2);
            b[i] = (uint8_t)suite_below(&r, round % 2 ? 256 : 2);
        }
        const void *x[] = {a, b};
        memset(want, 9, sizeof want);
        loop_of(scalar, loop)(want, x, step, n, ctx);
        EACH_VARIANT (oc_integers, v, oc_integers_variants) {
            memset(got, 9, sizeof got);
            loop_of(v, loop)(got, x, step, n, ctx);
            suite_assert(!memcmp(got, want, sizeof got), "%s: loop %d of %d; OC_SEED=%u", v->isa,
                         loop, (int)n, seed);
        }
    }
}
END_TEST

/* Pairs of bytes are all there are. */
START_TEST(scalar_is_right)
{
    const oc_integers *v = oc_integers_pick(OC_CPU_SCALAR);
    const int64_t step[] = {1, 1};
    const size_t size = 1;
    for (int i = 0; i < 1 << 16; i++) {
        const uint8_t a = (uint8_t)i, b = (uint8_t)(i >> 8);
        const void *x[] = {&a, &b};
        uint8_t y[7];
        for (int k = 0; k < 4; k++) {
            const oc_order order = oc_order_of(1, k % 2, k / 2);
            const int p = k % 2 ? (int8_t)a : a, q = k % 2 ? (int8_t)b : b;
            v->before[0](y, x, step, 1, &order);
            v->last[0](y + 1, x, step, 1, &order);
            suite_assert(y[0] == (k / 2 ? p <= q : p < q), "%d %s %d", p, k / 2 ? "<=" : "<", q);
            suite_assert(y[1] == (uint8_t)((p > q) == !(k / 2) ? p : q), "%d of %d and %d", y[1], p,
                         q);
        }
        v->and (y, x, step, 1, &size);
        v->or (y + 1, x, step, 1, &size);
        v->exor(y + 2, x, step, 1, &size);
        suite_assert(y[0] == (a & b) && y[1] == (a | b) && y[2] == (a ^ b), "%d and %d", a, b);
    }
}
END_TEST

/* ---- --bench */

static int32_t left[N], right[N], to[N];
static const int64_t ones[] = {1, 1};

static void run_last(const void *variant, void *ctx)
{
    const void *x[] = {left, right};
    ((const oc_integers *)variant)->last[2](to, x, ones, N, ctx);
}

static void run_before(const void *variant, void *ctx)
{
    const void *x[] = {left, right};
    ((const oc_integers *)variant)->before[2](to, x, ones, N, ctx);
}

static void bench_integers(const bench *b)
{
    oc_order order = oc_order_of(sizeof *to, true, false);
    bench_case c = {"greater of int32", .elements = N, .bytes = 12.0 * N, .run = run_last};
    c.ctx = &order;
    BENCH(b, &c, oc_integers, oc_integers_variants, last[2]);
    memcpy(c.name, "less of int32", sizeof "less of int32");
    c.run = run_before;
    BENCH(b, &c, oc_integers, oc_integers_variants, before[2]);
}

KERNEL_SUITE(integers, "an int32", variants_equal_scalar, scalar_is_right)
