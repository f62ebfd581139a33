/* SPDX-License-Identifier: Apache-2.0
 * check_matmul.c - every element is the sum in the order that the header promises, bit by bit. */
#include "bench.h"
#include "kernels/matmul/matmul.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 300, SIDE_MOST = 40, MOST = SIDE_MOST * SIDE_MOST };

static union {
    float f32[MOST];
    double f64[MOST];
    uint32_t i32[MOST];
    uint64_t i64[MOST];
} a, b, y, want;

/* Magnitudes far apart: another order of the sum gives other bits. */
static double number(suite_random *r)
{
    static const double scale[] = {1, 1e-3, 1e4, 1e7};
    return ((double)suite_below(r, 2001) - 1000) / 7 * scale[suite_below(r, 4)];
}

#define CHECK(name, T, type, member, make, add)                                                    \
    static void check_##name(suite_random *r, int64_t m, int64_t k, int64_t n, int64_t first,      \
                             int64_t last, unsigned cpu, uint32_t seed)                            \
    {                                                                                              \
        for (int i = 0; i < MOST; i++)                                                             \
            a.member[i] = (T)(make), b.member[i] = (T)(make);                                      \
        memset(&y, 0x5a, sizeof y);                                                                \
        memset(&want, 0x5a, sizeof want);                                                          \
        for (int64_t i = 0; i < m; i++)                                                            \
            for (int64_t j = first; j < last; j++) {                                               \
                T sum = 0;                                                                         \
                for (int64_t p = 0; p < k; p++)                                                    \
                    sum = add(sum, a.member[i * k + p], b.member[p * n + j]);                      \
                want.member[i * n + j] = sum;                                                      \
            }                                                                                      \
        /* In two parts, the second of which goes on with the sums of the first. */                \
        const int64_t half = suite_below(r, (uint32_t)k + 1);                                      \
        oc_product p = {                                                                           \
            y.member + first, a.member, b.member + first, n, k, n, m, last - first, half, false};  \
        oc_matmul_pick(type, cpu)(&p);                                                             \
        p.a = a.member + half;                                                                     \
        p.b = b.member + half * n + first;                                                         \
        p.n = k - half;                                                                            \
        p.more = true;                                                                             \
        oc_matmul_pick(type, cpu)(&p);                                                             \
        suite_assert(memcmp(&y, &want, sizeof y) == 0, #name " %dx%dx%d [%d, %d); OC_SEED=%u",     \
                     (int)m, (int)k, (int)n, (int)first, (int)last, seed);                         \
    }
#define ADD_INT(sum, x, y) ((sum) + (x) * (y))
CHECK(f32, float, OC_F32, f32, number(r), add_f32)
CHECK(f64, double, OC_F64, f64, number(r), add_f64)
CHECK(i32, uint32_t, OC_U32, i32, suite_below(r, UINT32_MAX >> 4) * UINT32_C(2654435761), ADD_INT)
CHECK(i64, uint64_t, OC_I64, i64, suite_below(r, UINT32_MAX >> 4) * UINT64_C(0x9e3779b97f4a7c15),
      ADD_INT)

/* Columns outside the wanted ones stay as they were. */
START_TEST(sums_are_in_order)
{
    suite_random r = suite_random_new(3);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int64_t m = suite_below(&r, SIDE_MOST + 1), k = suite_below(&r, SIDE_MOST + 1),
                      n = suite_below(&r, round % 2 ? 12 : SIDE_MOST + 1);
        const int64_t first = suite_below(&r, (uint32_t)n + 1),
                      last = first + suite_below(&r, (uint32_t)(n - first) + 1);
        EACH_VARIANT (oc_product_variant, v, oc_product_variants) {
            check_f32(&r, m, k, n, first, last, v->need, seed);
            check_f64(&r, m, k, n, first, last, v->need, seed);
        }
        check_i32(&r, m, k, n, first, last, OC_CPU_SCALAR, seed);
        check_i64(&r, m, k, n, first, last, OC_CPU_SCALAR, seed);
    }
}
END_TEST

/* Floats by halves, strip by strip: the sums of the numbers that the halves are. */
START_TEST(tiles_of_halves)
{
    enum { LARGE = 40 * 400 };
    static float of_a[LARGE], of_b[LARGE], sums[LARGE + 1];
    static uint16_t halves[LARGE];
    suite_random r = suite_random_new(5);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_half_variant *half = oc_half_pick(round % 2 ? OC_F16 : OC_BF16, oc_cpu_detect());
        const int64_t k = 1 + suite_below(&r, suite_below(&r, 2) ? 40 : 400);
        const int64_t m = 1 + suite_below(&r, 40), n = 1 + suite_below(&r, k > 40 ? 40 : 400);
        const int64_t first = suite_below(&r, (uint32_t)n);
        const int64_t last = first + 1 + suite_below(&r, (uint32_t)(n - first));
        for (int64_t i = 0; i < m * k; i++)
            of_a[i] = (float)number(&r);
        for (int64_t i = 0; i < k * n; i++)
            of_b[i] = (float)number(&r) / 1024;
        half->narrow(halves, of_b, k * n);
        half->round(of_b, k * n);
        EACH_VARIANT (oc_product_variant, v, oc_product_variants) {
            memset(sums, 0xff, sizeof sums);
            oc_matmul_tiles_half(&(oc_work){0}, v->f32, half, sums, of_a, halves, m, k, n, first,
                                 last);
            for (int64_t i = 0; i < m * (last - first); i++) {
                const int64_t row = i / (last - first), column = first + i % (last - first);
                float sum = 0;
                for (int64_t p = 0; p < k; p++)
                    sum = add_f32(sum, of_a[row * k + p], of_b[p * n + column]);
                suite_assert(memcmp(&sums[i], &sum, sizeof sum) == 0,
                             "%s: [%d] of %d x %d x %d; OC_SEED=%u", v->isa, (int)i, (int)m, (int)k,
                             (int)n, seed);
            }
            suite_assert(isnan(sums[m * (last - first)]), "%s writes behind", v->isa);
        }
    }
}
END_TEST

/* ---- --bench */

typedef struct matrices {
    float *a, *b, *y;
    int64_t side;
} matrices;

static void run_tiles(const void *variant, void *ctx)
{
    const matrices *s = ctx;
    oc_matmul_tiles(&(oc_work){0}, ((const oc_product_variant *)variant)->f32, sizeof(float), s->y,
                    s->a, s->b, s->side, s->side, s->side, 0, s->side);
}

/* Square matrices, on one thread. */
static void bench_matmul(const bench *how)
{
    static float memory[3][256 * 256];
    bench_fill(memory[0], 256 * 256);
    bench_fill(memory[1], 256 * 256);
    for (int64_t side = 16; side <= 256; side *= 4) {
        matrices s = {memory[0], memory[1], memory[2], side};
        bench_case c = {.elements = (double)(side * side * side), .run = run_tiles, .ctx = &s};
        snprintf(c.name, sizeof c.name, "float, side %d", (int)side);
        BENCH(how, &c, oc_product_variant, oc_product_variants, f32);
    }
}

KERNEL_SUITE(matmul, "one product, added to its sum", sums_are_in_order, tiles_of_halves)
