/* SPDX-License-Identifier: Apache-2.0
 * check_matmul_int8.c - products of matrices of 8-bit integers with zero points on both sides, by
 * every variant and on threads, against the sums written out. */
#include "bench.h"
#include "int8.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/matmul/matmul_int8.h"
#include "pool.h"

#include <math.h>

enum { ROUNDS = 600, SIDE = 100, MOST = SIDE * SIDE };

static uint8_t a[MOST], b[MOST], transposed[MOST], rows[4 * MOST], codes[MOST + 1];
static _Alignas(64) int8_t packed[4 * MOST];
static int32_t sum[2 * SIDE], first[2 * SIDE], less[SIDE], z[2 * SIDE], sums[MOST + 1];
static float factor[2 * SIDE];

/* A product as operators state it: of (a - a_zero) and (b - b_zero[j]). */
typedef struct product {
    int64_t m, k, n;
    bool a_signed, b_signed;
    int a_zero, b_zero[SIDE];
} product;

static int number_of(uint8_t byte, bool is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

static product random_product(suite_random *r)
{
    product p = {
        .m = 1 + suite_below(r, 40), .k = suite_below(r, SIDE), .n = 1 + suite_below(r, 90)};
    p.a_signed = suite_below(r, 2);
    p.b_signed = suite_below(r, 2);
    p.a_zero = number_of((uint8_t)suite_below(r, 256), p.a_signed);
    const bool none = suite_below(r, 2);
    for (int64_t j = 0; j < p.n; j++)
        p.b_zero[j] =
            none ? (p.b_signed ? 0 : 128) : number_of((uint8_t)suite_below(r, 256), p.b_signed);
    for (int i = 0; i < MOST; i++) {
        a[i] = (uint8_t)suite_below(r, 256);
        b[i] = (uint8_t)suite_below(r, 256);
    }
    for (int64_t i = 0; i < p.k * p.n; i++)
        transposed[i % p.n * p.k + i / p.n] = b[i];
    for (int i = 0; i < 2 * SIDE; i++)
        factor[i] = (float)suite_below(r, 1000) / 65536;
    return p;
}

/* Packs and sums as the kernel takes them, but for rows on the left. */
static oc_matmul_int8 bring(const product *p, bool transpose)
{
    const uint8_t a_flip = p->a_signed ? OC_INT8_SIGN : 0, b_flip = p->b_signed ? 0 : OC_INT8_SIGN;
    const int a_zero = p->a_zero + a_flip;
    const oc_work by = {0};
    oc_matmul_int8_pack(OC_CPU_SCALAR, packed, sum, transpose ? transposed : b, p->k, p->n,
                        transpose, b_flip, &by);
    oc_matmul_int8_sums(less, a, p->m, p->k, a_flip, (int32_t)p->k * a_zero, &by);
    bool any = false;
    for (int64_t j = 0; j < p->n; j++) {
        first[j] = -a_zero * sum[j];
        z[j] = p->b_zero[j] - b_flip;
        any |= z[j] != 0;
    }
    return (oc_matmul_int8){.a = rows,
                            .b = packed,
                            .first = first,
                            .less = any ? less : NULL,
                            .z = z,
                            .m = p->m,
                            .k = oc_matmul_int8_depth(p->k),
                            .n = p->n};
}

static int32_t sum_of(const product *p, int64_t i, int64_t j)
{
    int32_t all = 0;
    for (int64_t k = 0; k < p->k; k++)
        all += (number_of(a[i * p->k + k], p->a_signed) - p->a_zero) *
               (number_of(b[k * p->n + j], p->b_signed) - p->b_zero[j]);
    return all;
}

START_TEST(products_equal_the_definition)
{
    suite_random r = suite_random_new(391);
    pool threads;
    pool_open(&threads, 3);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const product p = random_product(&r);
        const oc_rescale rescale = {factor, 100, 0, 255};
        oc_matmul_int8 g = bring(&p, round % 3 == 0);
        g.rescale = suite_below(&r, 2) ? &rescale : NULL;
        g.y = g.rescale ? (void *)codes : (void *)sums;
        g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                           .threads = round % 2 ? 3 : 1};
        EACH_VARIANT (oc_tile_int8_variant, v, oc_tile_int8_variants) {
            g.cpu = v->need;
            oc_matmul_int8_rows(g.cpu, rows, a, p.m, p.k, p.a_signed ? OC_INT8_SIGN : 0,
                                &(oc_work){0});
            memset(codes, 0xaa, sizeof codes);
            memset(sums, 0xaa, sizeof sums);
            oc_matmul_int8_run(&g);
            for (int64_t i = 0; i < p.m * p.n; i++) {
                const int32_t all = sum_of(&p, i / p.n, i % p.n);
                const int32_t want = g.rescale ? code_of(&rescale, all, i % p.n) : all;
                const int32_t got = g.rescale ? codes[i] : sums[i];
                suite_assert(got == want, "%s, %d x %d x %d: [%d] is %d, not %d; OC_SEED=%u",
                             v->isa, (int)p.m, (int)p.k, (int)p.n, (int)i, got, want, seed);
            }
            suite_assert(g.rescale ? codes[p.m * p.n] == 0xaa
                                   : sums[p.m * p.n] == (int32_t)0xaaaaaaaa,
                         "%s writes behind the result", v->isa);
        }
    }
    pool_close(&threads);
}
END_TEST

/* ---- --bench */

static void run_product(const void *variant, void *ctx)
{
    oc_matmul_int8 g = *(oc_matmul_int8 *)ctx;
    g.cpu = ((const oc_tile_int8_variant *)variant)->need;
    oc_matmul_int8_run(&g);
}

static void bench_matmul_int8(const bench *how)
{
    static const int cases[][3] = {{96, 96, 96}, {1, 96, 96}, {49, 64, 90}};
    for (int i = 0; i < 3; i++) {
        const oc_rescale rescale = {factor, 100, 0, 255};
        oc_matmul_int8 g = {.a = rows,
                            .b = packed,
                            .first = first,
                            .rescale = &rescale,
                            .y = codes,
                            .m = cases[i][0],
                            .k = cases[i][1],
                            .n = cases[i][2]};
        bench_case c = {
            .elements = (double)g.m * (double)g.k * (double)g.n, .run = run_product, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d x %d x %d", cases[i][0], cases[i][1], cases[i][2]);
        BENCH(how, &c, oc_tile_int8_variant, oc_tile_int8_variants, tile[0][0]);
    }
}

KERNEL_SUITE(matmul_int8, "one product, added to its sum", products_equal_the_definition)
