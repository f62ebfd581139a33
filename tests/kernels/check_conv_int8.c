/* SPDX-License-Identifier: Apache-2.0
 * check_conv_int8.c - convolutions of 8-bit integers, by every variant and on threads, against the
 * sums written out. */
#include "bench.h"
#include "convs.h"
#include "int8.h"
#include "kernels/conv/conv_int8.h"
#include "pool.h"

#include <math.h>

enum { ROUNDS = 400, MOST = 40000, LINE = OC_BLOCK_CHANNELS };

static uint8_t nchw[MOST], codes[MOST + 1];
static _Alignas(64) uint8_t blocks[MOST];
static int8_t weights[MOST];
static _Alignas(64) int8_t packed[8 * MOST];
static int32_t bias[256], z[256], sums[MOST + 1];
static float factor[256];
static _Alignas(64) char scratch[1 << 22];

static int64_t area_of(const oc_window *w)
{
    return product_of(w->kernel, w->axes);
}

static oc_window random_window(suite_random *r)
{
    oc_window w = {.axes = 1 + (int)suite_below(r, 2)};
    for (int a = 0; a < w.axes; a++) {
        w.in[a] = 1 + suite_below(r, 12);
        w.kernel[a] = 1 + suite_below(r, 5);
        w.stride[a] = 1 + suite_below(r, 3);
        w.dilation[a] = 1 + suite_below(r, 2);
        w.pad[a] = (int64_t)suite_below(r, 4) - 1;
        w.pad_end[a] = suite_below(r, 3);
        w.out[a] = positions_along(&w, a, 0);
    }
    return w;
}

static oc_conv_int8 random_conv(suite_random *r)
{
    static const int sizes[] = {1, 2, 3, 4, 8, 12, 16, 20, 33};
    oc_conv_int8 g = {.images = 1 + suite_below(r, 2), .window = random_window(r)};
    const bool grouped = suite_below(r, 3) == 0;
    g.groups = grouped ? 1 + suite_below(r, 20) : 1;
    g.channels = sizes[suite_below(r, grouped ? 5 : 9)];
    g.out_channels = sizes[suite_below(r, grouped ? 5 : 9)];
    if (grouped && suite_below(r, 2)) /* depthwise */
        g.channels = g.out_channels = 1;
    g.flip = suite_below(r, 2) ? OC_INT8_SIGN : 0;
    g.zero = (uint8_t)suite_below(r, 256);
    g.nchw = oc_conv_int8_takes_nchw(&g) && suite_below(r, 2);
    return g;
}

static int64_t most_packed(const oc_conv_int8 *g)
{
    oc_conv_int8 own = *g;
    own.algorithm = oc_conv_int8_choose(g);
    return oc_conv_int8_packed(&own, area_of(&g->window));
}

static bool fits(const oc_conv_int8 *g)
{
    const int64_t in = g->groups * g->channels + LINE, out = g->groups * g->out_channels;
    return g->images * in * product_of(g->window.in, g->window.axes) < MOST &&
           g->images * (out + LINE) * product_of(g->window.out, g->window.axes) < MOST &&
           out * g->channels * area_of(&g->window) < MOST &&
           most_packed(g) < (int64_t)sizeof packed;
}

/* Numbers, and the image in both layouts; places without a channel hold anything. */
static void fill(suite_random *r, const oc_conv_int8 *g)
{
    const int64_t channels = g->groups * g->channels;
    const int64_t pixels = product_of(g->window.in, g->window.axes);
    const int64_t stored = oc_channel_blocks(channels) * LINE;
    for (int i = 0; i < MOST; i++) {
        nchw[i] = (uint8_t)suite_below(r, 256);
        blocks[i] = (uint8_t)suite_below(r, 256);
        weights[i] = (int8_t)((int)suite_below(r, 256) - 128);
    }
    for (int64_t i = 0; i < g->images * channels * pixels; i++) {
        const int64_t c = i / pixels % channels, image = i / pixels / channels;
        blocks[((image * stored + c / LINE * LINE) * pixels + i % pixels * LINE) + c % LINE] =
            nchw[i];
    }
    for (int i = 0; i < 256; i++) {
        bias[i] = (int)suite_below(r, 20001) - 10000;
        factor[i] = (float)suite_below(r, 1000) / 65536;
        z[i] = (int)suite_below(r, 256) - 128;
    }
}

/* The sum of position p and output channel m: what is in the padding is g->zero. */
static int32_t sum_of(const oc_conv_int8 *g, int64_t image, int64_t m, int64_t p)
{
    const int64_t area = area_of(&g->window), pixels = product_of(g->window.in, g->window.axes);
    int32_t sum = bias[m];
    for (int64_t c = 0; c < g->channels; c++)
        for (int64_t k = 0; k < area; k++) {
            const int64_t at = pixel_at(&g->window, p, k);
            const int64_t channel = (image * g->groups + m / g->out_channels) * g->channels + c;
            const int x = at < 0 ? g->zero : nchw[channel * pixels + at] ^ g->flip;
            sum += x * weights[(m * g->channels + c) * area + k];
            sum -= g->z ? (x - g->zero) * z[m] : 0;
        }
    return sum;
}

static void check_conv(const oc_conv_int8 *g, const char *isa, uint32_t seed)
{
    const int64_t all = g->groups * g->out_channels,
                  positions = product_of(g->window.out, g->window.axes);
    const int64_t stored = oc_channel_blocks(all) * LINE;
    for (int64_t i = 0; i < g->images * all * positions; i++) {
        const int64_t image = i / positions / all, m = i / positions % all, p = i % positions;
        const int64_t at = (image * stored + m / LINE * LINE) * positions + p * LINE + m % LINE;
        const int32_t sum = sum_of(g, image, m, p);
        const int32_t want = g->rescale ? code_of(g->rescale, sum, m) : sum;
        const int32_t got = g->rescale ? codes[at] : sums[at];
        suite_assert(got == want, "%s: image %d, channel %d, position %d is %d, not %d; OC_SEED=%u",
                     isa, (int)image, (int)m, (int)p, got, want, seed);
    }
    const int64_t behind = g->images * stored * positions;
    suite_assert(g->rescale ? codes[behind] == 0xaa : sums[behind] == (int32_t)0xaaaaaaaa,
                 "%s writes behind the result", isa);
}

START_TEST(convolutions_equal_the_definition)
{
    suite_random r = suite_random_new(390);
    pool threads;
    pool_open(&threads, 3);
    int fitted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv_int8 g = random_conv(&r);
        const int32_t sign = suite_below(&r, 2) ? INT8_MIN : 0;
        const int32_t zero = sign + (int32_t)suite_below(&r, 256);
        const int32_t low = sign + (int32_t)suite_below(&r, 100);
        const oc_rescale rescale = {factor, zero, low, low + (int32_t)suite_below(&r, 156)};
        if (!fits(&g))
            continue;
        ck_assert(oc_conv_int8_suits(&g));
        fitted++;
        fill(&r, &g);
        g.algorithm = oc_conv_int8_choose(&g);
        oc_conv_int8_pack(&g, packed, weights, area_of(&g.window), &(oc_work){0});
        g.x = g.nchw ? nchw : blocks;
        g.w = packed;
        g.b = bias;
        g.z = g.groups == 1 && suite_below(&r, 2) ? z : NULL;
        g.rescale = suite_below(&r, 2) ? &rescale : NULL;
        g.y = g.rescale ? (void *)codes : (void *)sums;
        g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                           .threads = round % 2 ? 3 : 1};
        EACH_VARIANT (oc_tile_int8_variant, v, oc_tile_int8_variants) {
            g.cpu = v->need;
            memset(codes, 0xaa, sizeof codes);
            memset(sums, 0xaa, sizeof sums);
            ck_assert_uint_le(oc_conv_int8_scratch(&g), sizeof scratch);
            oc_conv_int8_run(&g, scratch);
            check_conv(&g, v->isa, seed);
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(fitted, ROUNDS / 2);
}
END_TEST

/* ---- --bench */

static void run_conv(const void *variant, void *ctx)
{
    oc_conv_int8 g = *(oc_conv_int8 *)ctx;
    g.cpu = ((const oc_tile_int8_variant *)variant)->need;
    oc_conv_int8_run(&g, scratch);
}

/* Layers that networks have, small enough for the memory of the tests. */
static void bench_conv_int8(const bench *how)
{
    static const int cases[][4] = {{14, 3, 1, 64}, {14, 1, 1, 128}, {28, 3, 2, 32}};
    for (int i = 0; i < 3; i++) {
        const oc_rescale rescale = {factor, 100, 0, 255};
        oc_conv_int8 g = {.algorithm = OC_CONV_TILES,
                          .x = blocks,
                          .w = packed,
                          .b = bias,
                          .rescale = &rescale,
                          .y = codes,
                          .images = 1,
                          .groups = 1,
                          .channels = cases[i][3],
                          .out_channels = cases[i][3],
                          .window = square_window(cases[i][0], cases[i][1], cases[i][2])};
        bench_case c = {.elements =
                            (double)(g.channels * g.out_channels) * oc_window_taps(&g.window),
                        .run = run_conv,
                        .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d channels, %d x %d, kernel %d", cases[i][3], cases[i][0],
                 cases[i][0], cases[i][1]);
        BENCH(how, &c, oc_tile_int8_variant, oc_tile_int8_variants, tile[0][0]);
    }
}

KERNEL_SUITE(conv_int8, "one product, added to its sum", convolutions_equal_the_definition)
