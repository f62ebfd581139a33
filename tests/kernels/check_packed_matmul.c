/* SPDX-License-Identifier: Apache-2.0
 * check_packed_matmul.c - products by packed matrices, by every variant and on threads, against the
 * sums written out, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/common/half.h"
#include "kernels/matmul/half_matmul.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 1500, MOST = 30000, MOST_DEPTH = 60 };

static float a[MOST], b[MOST], transposed[MOST], want[MOST], got[MOST + 1];
static _Alignas(64) float packed[MOST];

/* As packed_matmul.h states it. */
static void define(int64_t m, int64_t k, int64_t n)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t p = 0; p < k; p++)
                sum = add_f32(sum, a[i * k + p], b[p * n + j]);
            want[i * n + j] = sum;
        }
}

static void fill(suite_random *r, int64_t m, int64_t k, int64_t n)
{
    const int kind = random_kind(r);
    for (int64_t i = 0; i < m * k; i++)
        a[i] = (float)number(r, kind);
    for (int64_t i = 0; i < k * n; i++)
        transposed[i % n * k + i / n] = b[i] = (float)number(r, kind);
}

/* A transpose of whole blocks of columns also where it is. */
static void pack(int64_t k, int64_t n, bool transpose)
{
    static float room[16 * MOST_DEPTH];
    const oc_work alone = {0};
    if (transpose && n % 16 == 0) {
        memcpy(packed, transposed, (size_t)(k * n) * sizeof *packed);
        oc_packed_matmul_pack_over(&alone, oc_cpu_detect(), packed, room, k, n);
        return;
    }
    oc_packed_matmul_pack(&alone, oc_cpu_detect(), packed, transpose ? transposed : b, k, n,
                          transpose);
}

START_TEST(packed_equals_the_definition)
{
    suite_random r = suite_random_new(31);
    pool threads;
    pool_open(&threads, 3);
    int fitted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const int64_t m = 1 + suite_below(&r, suite_below(&r, 2) ? 40 : 10);
        const int64_t k = 1 + suite_below(&r, MOST_DEPTH), n = 1 + suite_below(&r, 90);
        if (oc_packed_matmul_size(k, n) > MOST)
            continue;
        fitted++;
        fill(&r, m, k, n);
        define(m, k, n);
        const bool transpose = suite_below(&r, 2);
        pack(k, n, transpose);
        EACH_VARIANT (oc_tile_nchw16c_variant, v, oc_tile_nchw16c_variants) {
            oc_packed_matmul g = {
                .cpu = v->need, .a = a, .b = packed, .y = got, .m = m, .k = k, .n = n};
            memset(got, 0xff, sizeof got);
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            oc_packed_matmul_run(&g);
            for (int64_t i = 0; i < m * n; i++)
                ASSERT_SAME(got[i], want[i], i, seed, "%s, %d x %d x %d", v->isa, (int)m, (int)k,
                            (int)n);
            suite_assert(isnan(got[m * n]), "%s writes behind the result", v->isa);
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(fitted, ROUNDS / 2);
}
END_TEST

/* What follows a product, in two steps that no order of pieces changes. */
static void add_places(const void *ctx, float *y, int64_t at, int64_t n)
{
    (void)ctx;
    for (int64_t i = 0; i < n; i++)
        y[i] += (float)((at + i) % 5) / 4;
}

static uint16_t half_a[MOST], half_b[MOST], half_got[MOST + 1];
static _Alignas(64) uint16_t half_packed[MOST];

/* A product of halves: that of the same numbers in floats, rounded once. */
static void check_halves(suite_random *r, oc_half_matmul *g, bool transpose, const pool *threads)
{
    const uint32_t seed = r->state;
    const oc_half_variant *half = oc_half_pick(g->type, OC_CPU_SCALAR);
    const int64_t m = g->m, k = g->k, n = g->n;
    fill(r, m, k, n);
    half->round(a, m * k);
    half->round(b, k * n);
    half->round(transposed, k * n);
    half->narrow(half_a, a, m * k);
    half->narrow(half_b, transpose ? transposed : b, k * n);
    define(m, k, n);
    if (g->after.run)
        add_places(NULL, want, 0, m * n);
    half->round(want, m * n);
    oc_half_matmul_pack(&(oc_work){0}, oc_cpu_detect(), half_packed, half_b, k, n, transpose);
    EACH_VARIANT (oc_tile_nchw16c_variant, v, oc_tile_nchw16c_variants) {
        memset(half_got, 0xff, sizeof half_got);
        g->cpu = v->need;
        g->work =
            (oc_work){.parallel = threads ? &threads->parallel : NULL, .threads = threads ? 3 : 1};
        void *scratch = aligned_alloc(64, (size_t)oc_cache_lines(oc_half_matmul_scratch(g)));
        oc_half_matmul_run(g, scratch);
        free(scratch);
        half->widen(got, half_got, m * n);
        for (int64_t i = 0; i < m * n; i++)
            ASSERT_SAME(got[i], want[i], i, seed, "%s, %d x %d x %d", v->isa, (int)m, (int)k,
                        (int)n);
        suite_assert(half_got[m * n] == 0xffff, "%s writes behind the result", v->isa);
    }
}

START_TEST(halves_equal_the_definition)
{
    suite_random r = suite_random_new(32);
    pool threads;
    pool_open(&threads, 3);
    for (int round = 0; round < ROUNDS / 2; round++) {
        oc_half_matmul g = {.type = round % 3 ? OC_F16 : OC_BF16,
                            .a = half_a,
                            .b = half_packed,
                            .y = half_got,
                            .m = 1 + suite_below(&r, suite_below(&r, 2) ? 40 : 10),
                            .k = 1 + suite_below(&r, suite_below(&r, 3) ? 60 : 600),
                            .n = 1 + suite_below(&r, 90)};
        if (round % 2)
            g.after.run = add_places;
        if (oc_packed_matmul_size(g.k, g.n) <= MOST && g.m * g.k <= MOST)
            check_halves(&r, &g, suite_below(&r, 2), suite_below(&r, 2) ? &threads : NULL);
    }
    pool_close(&threads);
}
END_TEST

/* ---- --bench */

static void run_product(const void *variant, void *ctx)
{
    oc_packed_matmul g = *(oc_packed_matmul *)ctx;
    g.cpu = ((const oc_tile_nchw16c_variant *)variant)->need;
    oc_packed_matmul_run(&g);
}

static void bench_packed_matmul(const bench *how)
{
    static const int cases[][3] = {{128, 128, 128}, {1, 128, 192}, {49, 64, 90}};
    for (int i = 0; i < 3; i++) {
        oc_packed_matmul g = {
            .a = a, .b = packed, .y = got, .m = cases[i][0], .k = cases[i][1], .n = cases[i][2]};
        bench_fill(a, MOST);
        bench_fill(packed, MOST);
        bench_case c = {
            .elements = (double)g.m * (double)g.k * (double)g.n, .run = run_product, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d x %d x %d", cases[i][0], cases[i][1], cases[i][2]);
        BENCH(how, &c, oc_tile_nchw16c_variant, oc_tile_nchw16c_variants, dense[0][0]);
    }
}

KERNEL_SUITE(packed_matmul, "one product, added to its sum", packed_equals_the_definition,
             halves_equal_the_definition)
