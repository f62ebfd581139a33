/* SPDX-License-Identifier: Apache-2.0
 * check_pool_nchw16c.c - windows folded in NCHW16c, by every variant and on threads, against the
 * scalar folds of nchw, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/common/half.h"
#include "kernels/pool/pool_nchw16c.h"
#include "kernels/pool/pool_planes.h"
#include "kernels/pool/pool.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 1500, MOST = 60000, SCRATCH = 1 << 16, PLANES = 500, LARGE = 1 << 18 };

static float nchw[MOST], want[MOST];
static _Alignas(64) float nchw16c[MOST], got[MOST], scratch[SCRATCH], large[LARGE];

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

/* Windows over 1 to 3 axes; of two, some images have enough pixels for rows to be cut into
 * bands. */
static oc_window planes_window(suite_random *r)
{
    oc_window w = {.axes = 1 + (int)suite_below(r, 3)};
    const uint32_t most = w.axes == 1 ? 64 : w.axes == 3 ? 8 : suite_below(r, 3) ? 16 : 64;
    for (int a = 0; a < w.axes; a++) {
        w.in[a] = 1 + suite_below(r, most);
        w.kernel[a] = 1 + suite_below(r, w.axes == 3 ? 3 : 9);
        w.stride[a] = 1 + suite_below(r, 4);
        w.dilation[a] = 1 + suite_below(r, 2);
        w.pad[a] = (int64_t)suite_below(r, 5) - 1;
        w.pad_end[a] = (int64_t)suite_below(r, 4);
        w.out[a] = positions_along(&w, a, 0);
    }
    return w;
}

START_TEST(planes_together)
{
    suite_random r = suite_random_new(37);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < PLANES; round++) {
        const uint32_t seed = r.state;
        const oc_window w = planes_window(&r);
        const int64_t planes = 16 + suite_below(&r, 25), pixels = product_of(w.in, w.axes);
        const int64_t n = planes * product_of(w.out, w.axes);
        oc_pool_nchw16c g = {.average = suite_below(&r, 2),
                             .count_pad = suite_below(&r, 2),
                             .x = nchw,
                             .y = got,
                             .window = w};
        if (planes * pixels > MOST || n > MOST || !oc_pool_planes_suits(&g, planes) ||
            oc_pool_planes_scratch(&g, 3) > sizeof large)
            continue;
        suited++;
        for (int64_t i = 0; i < planes * pixels; i++)
            nchw[i] = (float)number(&r, round % 3 == 0);
        const oc_pooling p = {.kind = g.average ? OC_POOL_AVERAGE : OC_POOL_MAX,
                              .type = OC_F32,
                              .count_pad = g.count_pad,
                              .loops = oc_pool_pick(OC_CPU_SCALAR),
                              .x = nchw,
                              .y = want,
                              .planes = planes,
                              .window = w};
        oc_pooling_run(&p, scratch);
        EACH_VARIANT (oc_pool_nchw16c_variant, v, oc_pool_nchw16c_variants) {
            g.cpu = v->need;
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            memset(got, 0xff, sizeof got);
            oc_pool_planes_run(&g, planes, large);
            for (int64_t i = 0; i < n; i++)
                ASSERT_SAME(got[i], want[i], i, seed, "%s %s", v->isa,
                            g.average ? "average" : "maximum");
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, PLANES / 2);
}
END_TEST

START_TEST(planes_that_do_not_suit)
{
    const oc_pool_nchw16c good = {.window = {.axes = 2,
                                             .in = {64, 64},
                                             .kernel = {3, 3},
                                             .out = {62, 62},
                                             .stride = {1, 1},
                                             .dilation = {1, 1}}};
    oc_pool_nchw16c g = good;
    ck_assert(oc_pool_planes_suits(&g, 16));
    ck_assert(!oc_pool_planes_suits(&g, 15));
    g.window.in[1] = g.window.out[1] = 65; /* wide */
    ck_assert(!oc_pool_planes_suits(&g, 16));
    g.window.stride[1] = 3;
    ck_assert(oc_pool_planes_suits(&g, 16));
    g.window.in[1] = INT32_MAX;
    ck_assert(!oc_pool_planes_suits(&g, 16));
    g = good, g.window.kernel[0] = 65; /* many rows under a position */
    ck_assert(!oc_pool_planes_suits(&g, 16));
    g = good, g.window.dilation[0] = 200, g.window.in[0] = 1000; /* none fit */
    ck_assert(!oc_pool_planes_suits(&g, 16));
}
END_TEST

/* Maxima of bytes are those of the numbers. */
START_TEST(bytes_equal_their_definition)
{
    suite_random r = suite_random_new(31);
    static _Alignas(64) uint8_t of_pixels[MOST], to[MOST];
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_window w = random_window(&r);
        const int64_t blocks = 1 + suite_below(&r, 3);
        const int64_t pixels = product_of(w.in, w.axes), positions = product_of(w.out, w.axes);
        const bool is_signed = suite_below(&r, 2);
        if (blocks * 16 * pixels > MOST || blocks * 16 * positions > MOST ||
            !oc_pool_nchw16c_suits(&w))
            continue;
        suited++;
        for (int64_t i = 0; i < blocks * 16 * pixels; i++) {
            of_pixels[i] = (uint8_t)suite_below(&r, 256);
            nchw16c[i] = is_signed ? (float)(int8_t)of_pixels[i] : (float)of_pixels[i];
        }
        EACH_VARIANT (oc_pool_nchw16c_variant, v, oc_pool_nchw16c_variants) {
            oc_pool_nchw16c g = {.cpu = v->need, .x = nchw16c, .y = got, .blocks = blocks};
            g.window = w;
            g.work = (oc_work){.threads = 1};
            oc_pool_nchw16c_run(&g);
            g.element = is_signed ? OC_POOL_I8 : OC_POOL_U8;
            g.x = of_pixels;
            g.y = to;
            oc_pool_nchw16c_run(&g);
            for (int64_t i = 0; i < blocks * 16 * positions; i++) {
                const int least = is_signed ? -128 : 0;
                const int all = got[i] < (float)least ? least : (int)got[i];
                suite_assert(to[i] == (uint8_t)all, "%s: [%d] is %d, not %d; OC_SEED=%u", v->isa,
                             (int)i, to[i], all, seed);
            }
        }
    }
    ck_assert_int_gt(suited, ROUNDS / 4);
}
END_TEST

/* Halves give what the floats that they are give, rounded. */
START_TEST(halves_equal_floats)
{
    suite_random r = suite_random_new(33);
    static _Alignas(64) uint16_t of_pixels[MOST], to[MOST];
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const oc_window w = random_window(&r);
        const int64_t blocks = 1 + suite_below(&r, 3);
        const int64_t pixels = product_of(w.in, w.axes), positions = product_of(w.out, w.axes);
        const oc_type type = suite_below(&r, 2) ? OC_F16 : OC_BF16;
        const oc_half_variant *half = oc_half_pick(type, OC_CPU_SCALAR);
        if (blocks * 16 * pixels > MOST || blocks * 16 * positions > MOST ||
            !oc_pool_nchw16c_suits(&w))
            continue;
        suited++;
        for (int64_t i = 0; i < blocks * 16 * pixels; i++)
            nchw16c[i] = (float)number(&r, round % 3 == 0);
        half->narrow(of_pixels, nchw16c, blocks * 16 * pixels);
        half->widen(nchw16c, of_pixels, blocks * 16 * pixels);
        EACH_VARIANT (oc_pool_nchw16c_variant, v, oc_pool_nchw16c_variants) {
            oc_pool_nchw16c g = {.cpu = v->need,
                                 .average = round % 2,
                                 .count_pad = suite_below(&r, 2),
                                 .x = nchw16c,
                                 .y = want,
                                 .blocks = blocks,
                                 .window = w,
                                 .work = {.threads = 1}};
            oc_pool_nchw16c_run(&g);
            half->round(want, blocks * 16 * positions);
            g.element = type == OC_F16 ? OC_POOL_F16 : OC_POOL_BF16;
            g.x = of_pixels;
            g.y = to;
            g.work = (oc_work){.parallel = &threads.parallel, .threads = 3};
            g.scratch = large;
            ck_assert_uint_le(oc_pool_nchw16c_scratch(&g, 3), sizeof large);
            oc_pool_nchw16c_run(&g);
            half->widen(got, to, blocks * 16 * positions);
            for (int64_t i = 0; i < blocks * 16 * positions; i++)
                ASSERT_SAME(got[i], want[i], i, seed, "%s %s", v->isa,
                            g.average ? "average" : "maximum");
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 4);
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
    for (int i = 0; i < 4; i++) {
        const int average = i % 2, stride = i < 2 ? 2 : 1;
        oc_pool_nchw16c g = {.average = average,
                             .x = nchw16c,
                             .y = got,
                             .blocks = 1,
                             .window = square_window(28 * stride, 3, stride)};
        bench_fill(nchw16c, MOST);
        bench_case c = {.elements = 28 * 28 * 16, .run = run_pool, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%s 3 x 3, stride %d", average ? "average" : "maximum",
                 stride);
        BENCH(how, &c, oc_pool_nchw16c_variant, oc_pool_nchw16c_variants, max);
    }
}

KERNEL_SUITE(pool_nchw16c, "one result", nchw16c_equals_nchw, bytes_equal_their_definition,
             halves_equal_floats, planes_together, planes_that_do_not_suit, many_rows_do_not_suit)
