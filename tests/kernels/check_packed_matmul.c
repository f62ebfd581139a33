/* SPDX-License-Identifier: Apache-2.0
 * check_packed_matmul.c - products by packed matrices, by every variant and on threads, against the
 * sums written out, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/matmul/packed_matmul.h"
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
                sum = fmaf(a[i * k + p], b[p * n + j], sum);
            want[i * n + j] = sum;
        }
}

static void fill(suite_random *r, int64_t m, int64_t k, int64_t n)
{
    const bool hostile = suite_below(r, 3) == 0;
    for (int64_t i = 0; i < m * k; i++)
        a[i] = (float)number(r, hostile);
    for (int64_t i = 0; i < k * n; i++)
        transposed[i % n * k + i / n] = b[i] = (float)number(r, hostile);
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

KERNEL_SUITE(packed_matmul, "one product, added to its sum", packed_equals_the_definition)
