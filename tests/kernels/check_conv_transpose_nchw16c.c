/* SPDX-License-Identifier: Apache-2.0
 * check_conv_transpose_nchw16c.c - transposed convolutions in NCHW16c, by every variant and on
 * threads, against the scalar one in NCHW, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/matmul/tile_nchw16c.h"
#include "kernels/conv/conv_algorithm.h"
#include "kernels/conv/conv_transpose_nchw16c.h"
#include "kernels/conv/conv_transpose.h"
#include "kernels/conv/conv_weights.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 300, MOST = 60000, SCRATCH = 1 << 19 };

static float nchw[MOST], weights[MOST], bias[MOST], want[MOST], w_part[MOST], y_part[MOST];
static _Alignas(64) float nchw16c[MOST], got[MOST], packed[MOST],
    bias_nchw16c[MOST], scratch[SCRATCH];
static _Alignas(64) uint16_t half_x[MOST], half_y[MOST]; /* of half numbers: x and y */

/* Groups that share blocks, also evenly; kernels longer and shorter than their distances; pads that
 * crop and that add; results that end before the kernels do, or behind them. */
static oc_conv_nchw16c random_transpose(suite_random *r)
{
    oc_conv_nchw16c g = {.images = 1 + suite_below(r, 2),
                         .groups = suite_below(r, 3) ? 1 : 2,
                         .channels = 1 + suite_below(r, 40),
                         .out_channels = 8 + suite_below(r, 40),
                         .nchw = suite_below(r, 2),
                         .w = packed,
                         .b = suite_below(r, 2) ? bias_nchw16c : NULL,
                         .y = got};
    if (g.groups > 1 && suite_below(r, 2))
        g.channels = g.out_channels = 8, g.nchw = false;
    g.x = g.nchw ? nchw : nchw16c;
    oc_window *w = &g.window;
    w->axes = 1 + (int)suite_below(r, 2);
    for (int a = 0; a < w->axes; a++) {
        w->in[a] = 1 + suite_below(r, a ? 12 : 5);
        w->stride[a] = 1 + suite_below(r, 3);
        w->kernel[a] = w->stride[a] + suite_below(r, 4);
        w->dilation[a] = suite_below(r, 4) ? 1 : 2;
        w->pad[a] = (int64_t)suite_below(r, 5) - 1;
        const int64_t full =
            (w->in[a] - 1) * w->stride[a] + (w->kernel[a] - 1) * w->dilation[a] + 1;
        w->out[a] = full - w->pad[a] + (int64_t)suite_below(r, 5) - 3;
        w->out[a] = w->out[a] < 1 ? 1 : w->out[a];
    }
    return g;
}

/* False: NCHW16c has no algorithm for it. */
static bool chooses(oc_conv_nchw16c *g)
{
    oc_conv c = {.images = g->images,
                 .groups = g->groups,
                 .channels = g->channels,
                 .out_channels = g->out_channels,
                 .window = g->window};
    g->algorithm = oc_conv_transpose_choose(&c, OC_F32);
    return g->algorithm != OC_CONV_NONE;
}

/* On three threads. */
static bool fits(const oc_conv_nchw16c *g)
{
    const oc_window *w = &g->window;
    const int64_t area = product_of(w->kernel, w->axes), all = g->groups * g->out_channels;
    const int64_t in = oc_channel_blocks(g->groups * g->channels) * product_of(w->in, w->axes);
    const int64_t out = oc_channel_blocks(all) * product_of(w->out, w->axes);
    return g->images * in * OC_BLOCK_CHANNELS < MOST &&
           g->images * out * OC_BLOCK_CHANNELS < MOST && all * g->channels * area < MOST &&
           oc_conv_transpose_nchw16c_packed(g) < MOST &&
           oc_conv_transpose_nchw16c_scratch(g) <= sizeof scratch;
}

static void fill(suite_random *r, oc_conv_nchw16c *g)
{
    const int kind = random_kind(r);
    const int64_t channels = g->groups * g->channels, all = g->groups * g->out_channels;
    const int64_t pixels = product_of(g->window.in, g->window.axes);
    const int64_t n_w = all * g->channels * product_of(g->window.kernel, g->window.axes);
    for (int64_t i = 0; i < g->images * channels * pixels; i++)
        nchw[i] = (float)number(r, kind);
    scale_for(g->type, nchw, g->images * channels * pixels, 1e-5f);
    round_to(g->type, nchw, half_x, g->images * channels * pixels);
    for (int64_t i = 0; i < n_w; i++)
        weights[i] = (float)number(r, kind);
    scale_for(g->type, weights, n_w, 1e-9f);
    memset(bias_nchw16c, 0, sizeof bias_nchw16c);
    for (int64_t i = 0; i < all; i++)
        bias_nchw16c[i] = bias[i] = (float)number(r, PLAIN_NUMBERS);
    fill_nchw16c(nchw16c, MOST, nchw, g->images, channels, pixels);
    if (!g->nchw)
        round_to(g->type, nchw16c, half_x, MOST);
    if (oc_type_is_half(g->type))
        g->x = half_x, g->y = half_y;
    memset(packed, 0xff, sizeof packed);
    oc_conv_transpose_nchw16c_pack(g, packed, weights, &(oc_work){0});
    g->finite = oc_conv_nchw16c_finite(OC_F32, weights, n_w, &(oc_work){0});
}

static void run_in_nchw(const oc_conv_nchw16c *g)
{
    int64_t taps[64];
    const oc_conv_transpose t = {.conv = {.algorithm = OC_CONV_IM2COL,
                                          .type = OC_F32,
                                          .cpu = specification_cpu(),
                                          .x = nchw,
                                          .w = weights,
                                          .b = g->b ? bias : NULL,
                                          .y = want,
                                          .images = g->images,
                                          .groups = g->groups,
                                          .channels = g->channels,
                                          .out_channels = g->out_channels,
                                          .window = g->window},
                                 .w_part = w_part,
                                 .y_part = y_part,
                                 .tap_part = taps};
    oc_conv_transpose_run(&t);
    round_to(g->type, want, half_y, MOST);
}

static void compare(const char *isa, const oc_conv_nchw16c *g, uint32_t seed)
{
    const int64_t all = g->groups * g->out_channels,
                  positions = product_of(g->window.out, g->window.axes);
    if (oc_type_is_half(g->type))
        oc_half_pick(g->type, oc_cpu_detect())->widen(got, half_y, MOST);
    for (int64_t i = 0; i < g->images * all * positions; i++)
        ASSERT_SAME(got[in_nchw16c(i, all, positions)], want[i], i, seed,
                    "%s type %d, %d axes, kernel %d, stride %d", isa, (int)g->type, g->window.axes,
                    (int)g->window.kernel[0], (int)g->window.stride[0]);
}

START_TEST(nchw16c_equals_nchw)
{
    suite_random r = suite_random_new(81);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv_nchw16c g = random_transpose(&r);
        g.work.threads = 3;
        if (!chooses(&g) || !fits(&g))
            continue;
        suited++;
        g.type = random_float_type(&r);
        g.w_type = OC_F32;
        fill(&r, &g);
        run_in_nchw(&g);
        EACH_VARIANT (oc_tile_nchw16c_variant, v, oc_tile_nchw16c_variants) {
            g.cpu = v->need;
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            memset(got, 0xff, sizeof got);
            memset(half_y, 0xff, sizeof half_y);
            oc_conv_transpose_nchw16c_run(&g, scratch);
            compare(v->isa, &g, seed);
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 2);
}
END_TEST

START_TEST(what_does_not_suit)
{
    const oc_conv_nchw16c good = {.images = 1,
                                  .groups = 1,
                                  .channels = 3,
                                  .out_channels = 8,
                                  .window = {.axes = 2,
                                             .in = {9, 9},
                                             .kernel = {3, 3},
                                             .out = {18, 18},
                                             .stride = {2, 2},
                                             .dilation = {1, 1}}};
    oc_conv_nchw16c g = good;
    ck_assert(chooses(&g));
    g.out_channels = 7;
    ck_assert(!chooses(&g));
    g = good, g.window.axes = 3;
    ck_assert(!chooses(&g));
    g = good, g.window.dilation[1] = 2; /* no odd position has a tap */
    ck_assert(!chooses(&g));
    g = good, g.window.stride[0] = 4;
    ck_assert(!chooses(&g));
    g = good, g.window.stride[0] = g.window.kernel[0] = 1 << 20; /* too many parts */
    ck_assert(!chooses(&g));
}
END_TEST

/* ---- bench: 16 x 16 pixels of 64 channels to 32 output channels, twice as wide and high */

static void run_all(const void *variant, void *ctx)
{
    oc_conv_nchw16c g = *(const oc_conv_nchw16c *)ctx;
    g.cpu = ((const oc_tile_nchw16c_variant *)variant)->need;
    oc_conv_transpose_nchw16c_run(&g, scratch);
}

static void bench_conv_transpose_nchw16c(const bench *b)
{
    oc_conv_nchw16c g = {.algorithm = OC_CONV_TILES,
                         .type = OC_F32,
                         .w_type = OC_F32,
                         .x = nchw16c,
                         .finite = true,
                         .w = packed,
                         .y = got,
                         .images = 1,
                         .groups = 1,
                         .channels = 64,
                         .out_channels = 32,
                         .window = {.axes = 2,
                                    .in = {16, 16},
                                    .kernel = {4, 4},
                                    .out = {32, 32},
                                    .stride = {2, 2},
                                    .dilation = {1, 1},
                                    .pad = {1, 1}}};
    bench_case c = {
        .name = "4 x 4, stride 2", .elements = 32 * 32 * 32 * 64 * 4, .run = run_all, .ctx = &g};
    bench_fill(nchw16c, MOST);
    bench_fill(packed, MOST);
    BENCH(b, &c, oc_tile_nchw16c_variant, oc_tile_nchw16c_variants, dense[0][0]);
}

KERNEL_SUITE(conv_transpose_nchw16c, "a product", nchw16c_equals_nchw, what_does_not_suit)
