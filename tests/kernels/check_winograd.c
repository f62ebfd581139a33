/* SPDX-License-Identifier: Apache-2.0
 * check_winograd.c - Winograd's algorithm: every variant against scalar to the bit, on
 * threads; scalar against the convolution in double. */
#include "bench.h"
#include "convs.h"
#include "kernels/conv/conv_nchw16c.h"
#include "kernels/conv/winograd.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 120, MOST = 160000, SCRATCH = 1 << 20 };

static float nchw[MOST], w[MOST];
static _Alignas(64) float nchw16c[MOST], packed[MOST], bias[64], got[MOST], want[MOST];
static _Alignas(64) float scratch[SCRATCH];
static _Alignas(64) uint16_t half_x[MOST], half_y[MOST]; /* of half numbers: x and y */

/* Images of 12 tiles or more, some of them so wide that a band has a part of each row; pads may
 * crop. */
static oc_conv_nchw16c random_conv(suite_random *r)
{
    oc_conv_nchw16c g = {.images = 1 + suite_below(r, 2),
                         .algorithm = OC_CONV_WINOGRAD,
                         .groups = 1,
                         .channels = 16 + suite_below(r, 24),
                         .out_channels = 16 + suite_below(r, 24),
                         .w = packed,
                         .b = suite_below(r, 2) ? bias : NULL,
                         .window = {.axes = 2}};
    const bool wide = suite_below(r, 8) == 0;
    if (wide)
        g.images = 1, g.channels = g.out_channels = 39;
    for (int a = 0; a < 2; a++) {
        oc_window *v = &g.window;
        v->in[a] = wide ? (a ? 170 : 12) : 12 + suite_below(r, suite_below(r, 4) ? 12 : 60);
        v->kernel[a] = 3;
        v->stride[a] = v->dilation[a] = 1;
        v->pad[a] = (int64_t)suite_below(r, 4) - 1;
        v->out[a] = v->in[a] + v->pad[a] + suite_below(r, 2) - 2;
    }
    return g;
}

/* Pixels of one size, or of sizes so far apart that a sum in double is not exact. */
static void fill(suite_random *r, const oc_conv_nchw16c *g)
{
    const uint32_t apart = suite_below(r, 2) ? 1 : 60;
    const int64_t pixels = product_of(g->window.in, 2);
    for (int64_t i = 0; i < g->images * g->channels * pixels; i++)
        nchw[i] = ldexpf((float)suite_below(r, 2001) / 1000 - 1, -(int)suite_below(r, apart));
    round_to(g->type, nchw, half_x, g->images * g->channels * pixels);
    fill_nchw16c(nchw16c, MOST, nchw, g->images, g->channels, pixels);
    round_to(g->type, nchw16c, half_x, MOST);
    for (int64_t i = 0; i < g->out_channels * g->channels * 9; i++)
        w[i] = (float)suite_below(r, 2001) / 1000 - 1;
    for (int64_t i = 0; i < 64; i++)
        bias[i] = i < g->out_channels ? (float)suite_below(r, 100) / 10 : 0;
    oc_winograd_pack(packed, w, g->channels, g->out_channels, &(oc_work){0});
}

/* The greatest distance of y from the convolution in double, of some results. */
static double error_of(const oc_conv_nchw16c *g, const float *y, suite_random *r)
{
    const oc_window *v = &g->window;
    const int64_t pixels = product_of(v->in, 2), positions = product_of(v->out, 2);
    double most = 0;
    for (int k = 0; k < 200; k++) {
        const int64_t image = suite_below(r, (uint32_t)g->images);
        const int64_t out_channel = suite_below(r, (uint32_t)g->out_channels);
        const int64_t p = suite_below(r, (uint32_t)positions);
        double sum = g->b ? (double)bias[out_channel] : 0;
        for (int64_t t = 0; t < g->channels * 9; t++) {
            const int64_t at = pixel_at(v, p, t % 9);
            if (at >= 0)
                sum += (double)w[out_channel * g->channels * 9 + t] *
                       (double)nchw[(image * g->channels + t / 9) * pixels + at];
        }
        const int64_t i = (image * g->out_channels + out_channel) * positions + p;
        const double error = fabs(sum - (double)y[in_nchw16c(i, g->out_channels, positions)]);
        most = error > most ? error : most;
    }
    return most;
}

/* On the threads of g's work. */
static bool fits(const oc_conv_nchw16c *g)
{
    return oc_winograd_suits(g) &&
           g->images * (g->channels + OC_BLOCK_CHANNELS) * product_of(g->window.in, 2) < MOST &&
           g->images * (g->out_channels + OC_BLOCK_CHANNELS) * product_of(g->window.out, 2) <
               MOST &&
           oc_winograd_scratch(g) <= sizeof scratch;
}

/* want becomes the convolution of floats by the scalar variant, then rounded. */
static void define(const oc_conv_nchw16c *g, suite_random *r, uint32_t seed)
{
    oc_conv_nchw16c floats = *g;
    floats.cpu = specification_cpu();
    floats.type = OC_F32;
    floats.x = nchw16c;
    floats.y = want;
    oc_winograd_run(&floats, scratch);
    const double error = error_of(g, want, r);
    suite_assert(error < 5e-5, "off by %g; OC_SEED=%u", error, seed);
    round_to(g->type, want, half_y, MOST);
}

static void run_variant(oc_conv_nchw16c g, const oc_winograd_variant *v)
{
    const bool half = oc_type_is_half(g.type);
    g.cpu = v->need;
    g.x = half ? (const void *)half_x : nchw16c;
    g.y = half ? (void *)half_y : got;
    memset(g.y, 0xff, half ? sizeof half_y : sizeof got);
    memset(scratch, 0xff, sizeof scratch);
    oc_winograd_run(&g, scratch);
    if (half)
        oc_half_pick(g.type, oc_cpu_detect())->widen(got, half_y, MOST);
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(37);
    pool threads;
    pool_open(&threads, 3);
    int fitted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv_nchw16c g = random_conv(&r);
        g.work.threads = 3;
        if (!fits(&g))
            continue;
        fitted++;
        g.work.threads = 1;
        g.type = random_float_type(&r);
        fill(&r, &g);
        const int64_t out_channels = g.out_channels, positions = product_of(g.window.out, 2);
        define(&g, &r, seed);
        g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                           .threads = round % 2 ? 3 : 1};
        EACH_VARIANT (oc_winograd_variant, v, oc_winograd_variants) {
            run_variant(g, v);
            for (int64_t i = 0; i < g.images * out_channels * positions; i++) {
                const int64_t at = in_nchw16c(i, out_channels, positions);
                ASSERT_SAME(got[at], want[at], i, seed, "%s type %d", v->isa, (int)g.type);
            }
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(fitted, ROUNDS / 3);
}
END_TEST

START_TEST(what_does_not_suit)
{
    const oc_conv_nchw16c good = {.images = 1,
                                  .algorithm = OC_CONV_WINOGRAD,
                                  .groups = 1,
                                  .channels = 16,
                                  .out_channels = 16,
                                  .window = {.axes = 2,
                                             .in = {16, 16},
                                             .kernel = {3, 3},
                                             .out = {14, 14},
                                             .stride = {1, 1},
                                             .dilation = {1, 1}}};
    oc_conv_nchw16c g = good;
    ck_assert(oc_winograd_suits(&g));
    g.images = 100; /* the shape of one image decides */
    ck_assert(oc_winograd_suits(&g));
    g = good, g.channels = 15;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.out_channels = 15;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.groups = 2;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.kernel[1] = 5;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.stride[0] = 2;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.dilation[1] = 2;
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.out[0] = g.window.out[1] = 9; /* 9 tiles */
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.out[1] = 1; /* mostly behind the last column */
    ck_assert(!oc_winograd_suits(&g));
    g = good, g.window.out[1] = INT64_MAX / 4;
    ck_assert(!oc_winograd_suits(&g));
}
END_TEST

/* ---- --bench */

static void run_conv(const void *variant, void *ctx)
{
    oc_conv_nchw16c g = *(oc_conv_nchw16c *)ctx;
    g.cpu = ((const oc_winograd_variant *)variant)->need;
    oc_winograd_run(&g, scratch);
}

static void bench_winograd(const bench *how)
{
    for (int size = 14; size <= 28; size += 14) {
        oc_conv_nchw16c g = {.images = 1,
                             .algorithm = OC_CONV_WINOGRAD,
                             .groups = 1,
                             .channels = 32,
                             .out_channels = 32,
                             .x = nchw16c,
                             .w = packed,
                             .type = OC_F32,
                             .y = got,
                             .window = square_window(size, 3, 1)};
        bench_fill(nchw16c, MOST);
        bench_fill(packed, MOST);
        bench_case c = {.elements = 32.0 * 32 * 9 * size * size, .run = run_conv, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d x %d, 32 to 32 channels", size, size);
        BENCH(how, &c, oc_winograd_variant, oc_winograd_variants, in);
    }
}

KERNEL_SUITE(winograd, "one product of the definition", variants_equal_scalar, what_does_not_suit)
