/* SPDX-License-Identifier: Apache-2.0
 * check_pool_nchw16c.c - windows folded in NCHW16c, by every variant and on threads, against the
 * scalar folds of nchw, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/pool/pool_nchw16c.h"
#include "kernels/pool/pool.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 1500, MOST = 60000, SCRATCH = 1 << 16 };

static float nchw[MOST], want[MOST];
static _Alignas(64) float nchw16c[MOST], got[MOST], scratch[SCRATCH];

/* Windows of 1 to 4 axes; pads may crop, and reach past the image. */
static oc_window random_window(suite_random *r)
{
    oc_window w = {.axes = 1 + (int)suite_below(r, 4)};
    for (int a = 0; a < w.axes; a++) {
        w.in[a] = 1 + suite_below(r, w.axes <= 2 ? 12 : 4);
        w.kernel[a] = 1 + suite_below(r, w.axes <= 2 ? 5 : 3);
        w.stride[a] = 1 + suite_below(r, 3);
        w.dilation[a] = 1 + suite_below(r, 2);
        w.pad[a] = (int64_t)suite_below(r, 5) - 1;
        w.pad_end[a] = (int64_t)suite_below(r, 4);
        w.out[a] = positions_along(&w, a, 0);
    }
    return w;
}

static void fill(suite_random *r, int64_t images, int64_t channels, int64_t pixels)
{
    const bool hostile = suite_below(r, 3) == 0;
    for (int64_t i = 0; i < images * channels * pixels; i++)
        nchw[i] = (float)number(r, hostile);
    fill_nchw16c(nchw16c, MOST, nchw, images, channels, pixels);
}

START_TEST(nchw16c_equals_nchw)
{
    suite_random r = suite_random_new(29);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_window w = random_window(&r);
        const int64_t images = 1 + suite_below(&r, 2), channels = 1 + suite_below(&r, 40);
        const int64_t pixels = product_of(w.in, w.axes), positions = product_of(w.out, w.axes);
        const int64_t blocks = images * (oc_channel_blocks(channels));
        if (blocks * 16 * pixels > MOST || blocks * 16 * positions > MOST)
            continue;
        suited += oc_pool_nchw16c_suits(&w);
        if (!oc_pool_nchw16c_suits(&w))
            continue;
        fill(&r, images, channels, pixels);
        oc_pooling p = {.kind = suite_below(&r, 2) ? OC_POOL_AVERAGE : OC_POOL_MAX,
                        .type = OC_F32,
                        .count_pad = suite_below(&r, 2),
                        .loops = oc_pool_pick(OC_CPU_SCALAR),
                        .x = nchw,
                        .y = want,
                        .planes = images * channels,
                        .window = w};
        oc_pooling_run(&p, scratch);
        EACH_VARIANT (oc_pool_nchw16c_variant, v, oc_pool_nchw16c_variants) {
            oc_pool_nchw16c g = {.cpu = v->need,
                                 .average = p.kind == OC_POOL_AVERAGE,
                                 .count_pad = p.count_pad,
                                 .x = nchw16c,
                                 .y = got,
                                 .blocks = blocks,
                                 .window = w};
            memset(got, 0xff, sizeof got);
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            oc_pool_nchw16c_run(&g);
            for (int64_t i = 0; i < images * channels * positions; i++)
                ASSERT_SAME(got[in_nchw16c(i, channels, positions)], want[i], i, seed, "%s %s",
                            v->isa, g.average ? "average" : "maximum");
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 2);
}
END_TEST

START_TEST(many_rows_do_not_suit)
{
    oc_window w = {.axes = 3, .kernel = {8, 8, 1000}};
    ck_assert(oc_pool_nchw16c_suits(&w));
    w.kernel[1] = 9;
    ck_assert(!oc_pool_nchw16c_suits(&w));
    w.kernel[1] = INT32_MAX;
    ck_assert(!oc_pool_nchw16c_suits(&w));
}
END_TEST

/* ---- --bench */

static void run_pool(const void *variant, void *ctx)
{
    oc_pool_nchw16c g = *(oc_pool_nchw16c *)ctx;
    g.cpu = ((const oc_pool_nchw16c_variant *)variant)->need;
    oc_pool_nchw16c_run(&g);
}

static void bench_pool_nchw16c(const bench *how)
{
    for (int average = 0; average < 2; average++) {
        oc_pool_nchw16c g = {.average = average,
                             .x = nchw16c,
                             .y = got,
                             .blocks = 1,
                             .window = square_window(56, 3, 2)};
        bench_fill(nchw16c, MOST);
        bench_case c = {.elements = 28 * 28 * 16, .run = run_pool, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%s 3 x 3, stride 2", average ? "average" : "maximum");
        BENCH(how, &c, oc_pool_nchw16c_variant, oc_pool_nchw16c_variants, max);
    }
}

KERNEL_SUITE(pool_nchw16c, "one result", nchw16c_equals_nchw, many_rows_do_not_suit)
