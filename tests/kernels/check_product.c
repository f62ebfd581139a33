/* SPDX-License-Identifier: Apache-2.0
 * check_product.c - every variant of the product against scalar to the bit, scalar against the sum
 * written out, and products in strips against the same. */
#include "bench.h"
#include "kernels/matmul/matmul.h"
#include "numbers.h"

#include <string.h>

enum { ROUNDS = 1500, MOST = 80 * 100 };

static union {
    float f32[MOST];
    double f64[MOST];
    uint32_t pairs[MOST];
} a, b, transposed, before, got, want;

static uint32_t random_pair(suite_random *r, int kind)
{
    static const uint32_t bad[] = {0x80008000, 0x7fff7fff, 0x8000ffff, 0x00018000};
    return kind == HOSTILE_NUMBERS && suite_below(r, 8) == 0
               ? bad[suite_below(r, 4)]
               : suite_below(r, 1 << 16) | suite_below(r, 1 << 16) << 16;
}

/* The two int16 of a pair, multiplied and added in int64, then cut. */
static uint32_t times_pairs(uint32_t x, uint32_t y)
{
    const int64_t low = (int64_t)(int16_t)(x & 0xffff) * (int16_t)(y & 0xffff);
    return (uint32_t)(low + (int64_t)(int16_t)(x >> 16) * (int16_t)(y >> 16));
}

#define ADD_PAIRS(sum, x, y) ((sum) + times_pairs(x, y))

/* make: a random element; add: a sum and the product of two; pick: the best product. */
#define CHECKS(member, T, make, add, pick, in)                                                     \
    static void fill_##member(suite_random *r)                                                     \
    {                                                                                              \
        const int kind = random_kind(r);                                                           \
        for (int i = 0; i < MOST; i++) {                                                           \
            a.member[i] = (T)make(r, kind);                                                        \
            b.member[i] = (T)make(r, kind);                                                        \
            before.member[i] = (T)make(r, PLAIN_NUMBERS);                                          \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* As product.h states it. */                                                                  \
    static void define_##member(const oc_product *p)                                               \
    {                                                                                              \
        const T *left = p->a, *right = p->b;                                                       \
        for (int64_t i = 0; i < p->rows; i++)                                                      \
            for (int64_t j = 0; j < p->columns; j++) {                                             \
                T *y = (T *)p->y + i * p->y_step + j, sum = p->more ? *y : 0;                      \
                for (int64_t k = 0; k < p->n; k++)                                                 \
                    sum = add(sum, left[i * p->a_step + k], right[k * p->b_step + j]);             \
                *y = sum;                                                                          \
            }                                                                                      \
    }                                                                                              \
                                                                                                   \
    static void compare_##member(const char *isa, const oc_product *p, uint32_t seed)              \
    {                                                                                              \
        for (int i = 0; i < MOST; i++)                                                             \
            suite_assert(SAME(got.member[i], want.member[i]),                                      \
                         "%s " #member " %dx%dx%d, [%d, %d] is %a, not %a; OC_SEED=%u", isa,       \
                         (int)p->rows, (int)p->n, (int)p->columns, (int)(i / p->y_step),           \
                         (int)(i % p->y_step), (double)got.member[i], (double)want.member[i],      \
                         seed);                                                                    \
    }                                                                                              \
                                                                                                   \
    /* What lies between the rows stays as it was. */                                              \
    static void check_##member(oc_product p, uint32_t seed)                                        \
    {                                                                                              \
        p.a = &a, p.b = &b;                                                                        \
        want = before;                                                                             \
        p.y = &want;                                                                               \
        define_##member(&p);                                                                       \
        EACH_VARIANT (oc_product_variant, v, oc_product_variants) {                                \
            if (!v->member)                                                                        \
                continue;                                                                          \
            got = before;                                                                          \
            p.y = &got;                                                                            \
            v->member(&p);                                                                         \
            compare_##member(v->isa, &p, seed);                                                    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void transpose_##member(int64_t k, int64_t n)                                           \
    {                                                                                              \
        for (int64_t i = 0; i < k; i++)                                                            \
            for (int64_t j = 0; j < n; j++)                                                        \
                transposed.member[j * k + i] = b.member[i * n + j];                                \
    }                                                                                              \
                                                                                                   \
    /* Deeper and wider than a strip; some columns only. */                                        \
    static void check_strips_##member(suite_random *r, uint32_t seed)                              \
    {                                                                                              \
        const int64_t m = suite_below(r, 11), k = suite_below(r, 280),                             \
                      n = suite_below(r, (uint32_t)(MOST / (k + 11)) + 1);                         \
        const int64_t first = suite_below(r, (uint32_t)n + 1),                                     \
                      last = first + suite_below(r, (uint32_t)(n - first) + 1);                    \
        const oc_product p = {                                                                     \
            (T *)&want + first, &a, (T *)&b + first, n, k, n, m, last - first, k, false};          \
        want = got = before;                                                                       \
        define_##member(&p);                                                                       \
        oc_product_fn *fn = pick;                                                                  \
        oc_matmul_tiles(&(oc_work){0}, fn, sizeof(T), &got, &a, &b, m, k, n, first, last);         \
        compare_##member("strips", &p, seed);                                                      \
        transpose_##member(k, n);                                                                  \
        got = before;                                                                              \
        oc_matmul_tiles_transposed(&(oc_work){0}, fn, NULL, sizeof(T), &got, &a, &transposed, m,   \
                                   k, n, first, last);                                             \
        compare_##member("transposed strips", &p, seed);                                           \
        got = before;                                                                              \
        oc_nchw16c_in_fn *const transpose = in;                                                    \
        oc_matmul_tiles_transposed(&(oc_work){0}, fn, transpose, sizeof(T), &got, &a, &transposed, \
                                   m, k, n, first, last);                                          \
        compare_##member("transposed right factor", &p, seed);                                     \
    }

CHECKS(f32, float, number, add_f32, oc_product_pick(OC_F32, checked_cpu()),
       oc_nchw16c_in(OC_F32, checked_cpu()))
CHECKS(f64, double, number, add_f64, oc_product_pick(OC_F64, checked_cpu()),
       oc_nchw16c_in(OC_F64, checked_cpu()))
CHECKS(pairs, uint32_t, random_pair, ADD_PAIRS, oc_product_pick_pairs(checked_cpu()), NULL)

START_TEST(variants_equal_the_definition)
{
    suite_random r = suite_random_new(11);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_product p = {.rows = suite_below(&r, 24),
                        .columns = suite_below(&r, round % 4 ? 20 : 90),
                        .n = suite_below(&r, round % 5 ? 10 : 60),
                        .more = round % 2};
        p.y_step = p.columns + suite_below(&r, 4);
        p.a_step = p.n + suite_below(&r, 4);
        p.b_step = p.columns + suite_below(&r, 4);
        p.y_step += p.y_step == 0;
        fill_f32(&r);
        check_f32(p, seed);
        fill_f64(&r);
        check_f64(p, seed);
        fill_pairs(&r);
        check_pairs(p, seed);
    }
}
END_TEST

START_TEST(strips_equal_the_definition)
{
    suite_random r = suite_random_new(12);
    for (int round = 0; round < ROUNDS / 2; round++) {
        const uint32_t seed = r.state;
        fill_f32(&r);
        check_strips_f32(&r, seed);
        fill_f64(&r);
        check_strips_f64(&r, seed);
        fill_pairs(&r);
        check_strips_pairs(&r, seed);
    }
}
END_TEST

/* ---- --bench */

static void run_f32(const void *variant, void *ctx)
{
    ((const oc_product_variant *)variant)->f32(ctx);
}

static void run_f64(const void *variant, void *ctx)
{
    ((const oc_product_variant *)variant)->f64(ctx);
}

static void run_pairs(const void *variant, void *ctx)
{
    ((const oc_product_variant *)variant)->pairs(ctx);
}

/* What Conv, MatMul and Attention ask for, and less than a tile. */
static void bench_product(const bench *how)
{
    static const int sizes[][3] = {{64, 128, 64}, {64, 128, 32}, {32, 64, 32}, {3, 100, 9}};
    static _Alignas(64) char memory[3][64 * 128 * sizeof(double)];
    static bench_fn *const runs[] = {run_f32, run_f64, run_pairs};
    static const char *const names[] = {"float", "double", "pairs"};
    for (int i = 0; i < 12; i++) {
        const int *n = sizes[i / 3];
        oc_product p = {.y = memory[0],
                        .a = memory[1],
                        .b = memory[2],
                        .y_step = n[2],
                        .a_step = n[1],
                        .b_step = n[2],
                        .rows = n[0],
                        .columns = n[2],
                        .n = n[1]};
        bench_case c = {.elements = n[0] * n[1] * (double)n[2], .run = runs[i % 3], .ctx = &p};
        snprintf(c.name, sizeof c.name, "%s, %d x %d times %d x %d", names[i % 3], n[0], n[1], n[1],
                 n[2]);
        BENCH(how, &c, oc_product_variant, oc_product_variants, f32);
    }
}

KERNEL_SUITE(product, "one product, added to its sum", variants_equal_the_definition,
             strips_equal_the_definition)
