/* SPDX-License-Identifier: Apache-2.0
 * check_conv_nchw16c.c - convolutions in NCHW16c, by every variant and on threads, from nchw and
 * from nchw16c, against the sums written out, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/conv/conv_algorithm.h"
#include "kernels/conv/conv_nchw16c.h"
#include "kernels/matmul/tile_nchw16c.h"
#include "pool.h"

#include <string.h>

enum {
    ROUNDS = 1000,
    SPREAD = 40,
    DEPTHWISE = 300,
    LONE = 200,
    MOST = 200000,
    SCRATCH = 1 << 20,
    BEHIND = 1 << 12,
    LISTED = 1 << 10 /* output channels, at most */
};

static float nchw[MOST], w[MOST], b[MOST], want[MOST];
static _Alignas(64) float nchw16c[MOST], packed[MOST], bias[MOST], got[MOST],
    scratch[SCRATCH + BEHIND];
static _Alignas(64) float center[LISTED], factor[LISTED], offset[LISTED];
static oc_conv_bands bands;
static _Alignas(64) uint16_t half_x[MOST], half_y[MOST], half_w[MOST]; /* of half numbers */

static int64_t channels_of(const oc_conv_nchw16c *g)
{
    return g->groups * g->channels;
}

static int64_t out_channels_of(const oc_conv_nchw16c *g)
{
    return g->groups * g->out_channels;
}

static int64_t pixels_of(const oc_conv_nchw16c *g)
{
    return product_of(g->window.in, g->window.axes);
}

static int64_t positions_of(const oc_conv_nchw16c *g)
{
    return product_of(g->window.out, g->window.axes);
}

/* What follows sums changes signs: those that it visits before they are complete, twice or never,
 * have the wrong one. */
static void negate(const void *ctx, float *y, int64_t block, int64_t first, int64_t n)
{
    (void)ctx, (void)block, (void)first;
    for (int64_t i = 0; i < n * OC_BLOCK_CHANNELS; i++)
        y[i] = -y[i];
}

/* What tiles may do of what follows, of one sum. */
static float finished(const oc_tile_finish *f, int64_t out_channel, float sum)
{
    if (f->factor)
        sum = (sum - f->center[out_channel]) * f->factor[out_channel] + f->offset[out_channel];
    return sum < f->least ? f->least : sum > f->greatest ? f->greatest : sum;
}

/* What follows where tiles do not: all of it, with the sign changed at last if `rest` does that. */
static void finish_here(const void *conv, float *y, int64_t block, int64_t first, int64_t n)
{
    const oc_conv_nchw16c *g = conv;
    const int64_t at = block % oc_channel_blocks(out_channels_of(g)) * OC_BLOCK_CHANNELS;
    for (int64_t i = 0; i < n * OC_BLOCK_CHANNELS; i++)
        y[i] = finished(g->after.finish, at + i % OC_BLOCK_CHANNELS, y[i]);
    if (g->after.rest)
        negate(NULL, y, block, first, n);
}

/* Nothing follows, signs change, or what tiles can do comes before, with or without limits. */
static void choose_after(suite_random *r, oc_conv_nchw16c *g, oc_tile_finish *f)
{
    *f = (oc_tile_finish){.least = suite_below(r, 2) ? 0 : -INFINITY,
                          .greatest = suite_below(r, 2) ? 6 : INFINITY};
    g->after = (oc_tile_epilogue){.run = suite_below(r, 2) ? negate : NULL};
    if (suite_below(r, 2) || out_channels_of(g) > LISTED || oc_type_is_half(g->type))
        return;
    if (suite_below(r, 2))
        f->center = center, f->factor = factor, f->offset = offset;
    for (int i = 0; i < LISTED; i++) {
        center[i] = (float)number(r, PLAIN_NUMBERS);
        factor[i] = (float)number(r, PLAIN_NUMBERS);
        offset[i] = (float)number(r, PLAIN_NUMBERS);
    }
    g->after = (oc_tile_epilogue){finish_here, g, NULL, f, suite_below(r, 2) ? negate : NULL};
}

/* Half results are limited to 0 .. this where they are limited. */
static const float MOST_OF_HALF = 2;

/* As conv_nchw16c.h states it: want is in NCHW. */
static void define(const oc_conv_nchw16c *g)
{
    const oc_window *v = &g->window;
    const int64_t pixels = pixels_of(g), area = product_of(v->kernel, v->axes);
    const int64_t taps = area * g->channels, positions = positions_of(g);
    for (int64_t i = 0; i < g->images * out_channels_of(g); i++)
        for (int64_t p = 0; p < positions; p++) {
            float sum = 0;
            for (int64_t k = 0; k < taps; k++) {
                const int64_t at = pixel_at(v, p, k % area);
                const int64_t plane = i / g->out_channels * g->channels + k / area;
                const float pixel = at < 0 ? 0 : nchw[plane * pixels + at];
                sum = add_f32(sum, w[i % out_channels_of(g) * taps + k], pixel);
            }
            sum = g->b ? sum + b[i % out_channels_of(g)] : sum;
            if (g->after.finish)
                sum = finished(g->after.finish, i % out_channels_of(g), sum);
            want[i * positions + p] =
                g->after.run == negate || g->after.rest == negate ? -sum : sum;
        }
    const int64_t n = g->images * out_channels_of(g) * positions;
    round_to(g->type, want, half_y, n);
    for (int64_t i = 0; i < n && g->after.bounds; i++)
        want[i] = want[i] < 0 ? 0 : want[i] > MOST_OF_HALF ? MOST_OF_HALF : want[i];
}

static void fill(suite_random *r, oc_conv_nchw16c *g)
{
    const int kind = random_kind(r);
    const int64_t channels = channels_of(g), out_channels = out_channels_of(g),
                  pixels = pixels_of(g);
    const int64_t area = product_of(g->window.kernel, g->window.axes);
    const int64_t n_x = g->images * channels * pixels, n_w = out_channels * g->channels * area;
    for (int64_t i = 0; i < n_x; i++)
        nchw[i] = (float)number(r, kind);
    scale_for(g->type, nchw, n_x, 1e-5f);
    round_to(g->type, nchw, half_x, n_x);
    fill_nchw16c(nchw16c, MOST, nchw, g->images, channels, pixels);
    for (int64_t i = 0; i < n_w; i++)
        w[i] = (float)number(r, kind);
    scale_for(g->type, w, n_w, 1e-9f);
    memset(bias, 0, sizeof bias);
    for (int64_t i = 0; i < out_channels; i++)
        bias[i] = b[i] = (float)number(r, PLAIN_NUMBERS);
    const oc_work alone = {0};
    const oc_conv_weights form = {g->type,     g->w_type,       g->groups,
                                  g->channels, g->out_channels, area};
    round_to(g->type, w, half_w, n_w);
    const void *given = oc_type_is_half(g->type) ? (const void *)half_w : w;
    oc_conv_nchw16c_pack(&form, oc_cpu_detect(), packed, given, &alone);
    if (!g->nchw)
        round_to(g->type, nchw16c, half_x, MOST);
    if (oc_type_is_half(g->type))
        g->x = half_x, g->y = half_y;
    g->finite = oc_conv_nchw16c_finite(g->type, given, n_w, &alone);
}

static void compare(const char *isa, const oc_conv_nchw16c *g, uint32_t seed)
{
    if (oc_type_is_half(g->type))
        oc_half_pick(g->type, oc_cpu_detect())->widen(got, half_y, MOST);
    const int64_t out_channels = out_channels_of(g), positions = positions_of(g);
    for (int64_t i = 0; i < g->images * out_channels * positions; i++)
        ASSERT_SAME(got[in_nchw16c(i, out_channels, positions)], want[i], i, seed,
                    "%s type %d, %d axes, %d groups of %d channels and %d output channels", isa,
                    (int)g->type, g->window.axes, (int)g->groups, (int)g->channels,
                    (int)g->out_channels);
}

/* Groups of every kind that suits; windows of 1 to 4 axes; pads may crop. */
static oc_conv_nchw16c random_conv(suite_random *r)
{
    static const int sizes[] = {1, 2, 4, 8};
    const int kind = (int)suite_below(r, 5);
    const int size = sizes[suite_below(r, 4)];
    oc_conv_nchw16c g = {.images = 1 + suite_below(r, 2),
                         .groups = 1,
                         .channels = 1 + suite_below(r, 40),
                         .out_channels = 1 + suite_below(r, suite_below(r, 2) ? 50 : 110),
                         .nchw = suite_below(r, 2),
                         .w = packed,
                         .b = suite_below(r, 2) ? bias : NULL,
                         .y = got};
    if (kind == 0) {
        g.groups = 2 + suite_below(r, 40 / (uint32_t)size);
        g.channels = g.out_channels = size;
        g.nchw = false;
    } else if (kind == 1) {
        g.groups = 2;
        g.channels = 16;
        g.out_channels = 16 + 16 * suite_below(r, 2);
    } else if (kind == 2) { /* blocks that groups share */
        g.groups = 2 + suite_below(r, 4);
        g.channels = 1 + suite_below(r, 40);
        g.out_channels = 8 + suite_below(r, 40);
    }
    g.x = g.nchw ? nchw : nchw16c;
    oc_window *v = &g.window;
    v->axes = 1 + (int)suite_below(r, 4);
    for (int a = 0; a < v->axes; a++) {
        const bool is_long = a >= v->axes - 2 && v->axes <= 2;
        v->in[a] = 1 + suite_below(r, is_long ? 20 : 4);
        v->kernel[a] = 1 + suite_below(r, is_long ? 4 : 3);
        v->stride[a] = 1 + suite_below(r, suite_below(r, 2) ? 2 : 4);
        v->dilation[a] = 1 + suite_below(r, 3);
        v->pad[a] = suite_below(r, 2) ? 0 : (int64_t)suite_below(r, 5) - 1;
        v->out[a] = positions_along(v, a, suite_below(r, 3));
    }
    return g;
}

/* The bytes of scratch memory that the convolution takes on that number of threads; sets `bands`.
 */
static uint64_t scratch_of(const oc_conv_nchw16c *g, int threads)
{
    oc_conv_nchw16c own = *g;
    own.work.threads = threads;
    bands = oc_conv_bands_for(&own);
    return oc_conv_nchw16c_scratch(&own, &bands);
}

/* By its definition; false: NCHW16c has no algorithm for it. */
static bool chooses(oc_conv_nchw16c *g)
{
    g->type = OC_F32;
    g->algorithm = oc_conv_choose_nchw16c(g, true);
    return g->algorithm != OC_CONV_NONE;
}

static bool fits(const oc_conv_nchw16c *g)
{
    const int64_t in = g->images * (channels_of(g) + OC_BLOCK_CHANNELS) * pixels_of(g);
    const int64_t out = g->images * (out_channels_of(g) + OC_BLOCK_CHANNELS) * positions_of(g);
    const int64_t area = product_of(g->window.kernel, g->window.axes);
    return in < MOST && out < MOST &&
           oc_conv_nchw16c_packed(g->groups, g->channels, g->out_channels, area) < MOST &&
           scratch_of(g, 3) <= SCRATCH * sizeof *scratch;
}

/* One position, and mostly one tap. */
static oc_conv_nchw16c lone_conv(suite_random *r)
{
    oc_conv_nchw16c g = {.images = 1 + suite_below(r, 2),
                         .groups = 1 + (suite_below(r, 8) == 0),
                         .channels = 1 + suite_below(r, 90),
                         .out_channels = 8 + suite_below(r, 150),
                         .nchw = suite_below(r, 2),
                         .w = packed,
                         .b = suite_below(r, 2) ? bias : NULL,
                         .y = got};
    g.x = g.nchw ? nchw : nchw16c;
    g.window.axes = 1 + (int)suite_below(r, 2);
    for (int a = 0; a < g.window.axes; a++) {
        g.window.in[a] = 1 + suite_below(r, 2);
        g.window.kernel[a] = suite_below(r, 4) ? 1 : g.window.in[a];
        g.window.out[a] = g.window.dilation[a] = 1;
        g.window.stride[a] = 2;
    }
    return g;
}

/* Taps far apart under few positions of many channels: most taps are in the padding, and no patch
 * holds all channels. */
static oc_conv_nchw16c spread_conv(suite_random *r)
{
    const uint32_t groups = 1 + suite_below(r, 3);
    oc_conv_nchw16c g = {.images = 1,
                         .groups = groups,
                         .channels = 200 + suite_below(r, 500 / groups),
                         .out_channels = 1 + suite_below(r, 40),
                         .nchw = suite_below(r, 2),
                         .w = packed,
                         .b = suite_below(r, 2) ? bias : NULL,
                         .y = got};
    g.x = g.nchw ? nchw : nchw16c;
    oc_window *v = &g.window;
    v->axes = 2;
    for (int a = 0; a < 2; a++) {
        v->in[a] = 3 + suite_below(r, 14);
        v->kernel[a] = 1 + suite_below(r, 3);
        v->stride[a] = 1 + suite_below(r, 2);
        v->dilation[a] = 1 + suite_below(r, 16);
        v->pad[a] = suite_below(r, 18);
        v->out[a] = positions_along(v, a, v->pad[a]);
    }
    return g;
}

/* Groups of one channel by the kernels and strides of depthwise_nchw16c.h, over images of fewer
 * positions than a tile and of many. */
static oc_conv_nchw16c depthwise_conv(suite_random *r)
{
    oc_conv_nchw16c g = {.images = 1 + suite_below(r, 2),
                         .groups = 2 + suite_below(r, 40),
                         .channels = 1,
                         .out_channels = 1,
                         .x = nchw16c,
                         .w = packed,
                         .b = suite_below(r, 2) ? bias : NULL,
                         .y = got};
    oc_window *v = &g.window;
    v->axes = 1 + (int)suite_below(r, 2);
    for (int a = 0; a < v->axes; a++) {
        const bool is_column = a == v->axes - 1;
        v->in[a] = 1 + suite_below(r, 33);
        v->kernel[a] = is_column ? 3 + 2 * suite_below(r, 3) : 1 + suite_below(r, 7);
        v->stride[a] = 1 + suite_below(r, 2);
        v->dilation[a] = is_column ? 1 : 1 + suite_below(r, 2);
        v->pad[a] = (int64_t)suite_below(r, 9) - 1;
        v->out[a] = positions_along(v, a, suite_below(r, 5));
    }
    return g;
}

static bool all_nan(const float *v, int64_t n)
{
    int64_t many = 0;
    for (int64_t i = 0; i < n; i++)
        many += isnan(v[i]) != 0;
    return many == n;
}

/* Counts the rounds whose convolution suits and fits. */
static int check(int rounds, uint32_t first_seed, oc_conv_nchw16c (*make)(suite_random *r))
{
    suite_random r = suite_random_new(first_seed);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < rounds; round++) {
        const uint32_t seed = r.state;
        oc_conv_nchw16c g = make(&r);
        if (!chooses(&g) || !fits(&g))
            continue;
        suited++;
        g.type = g.w_type = random_float_type(&r);
        if (suite_below(&r, 2) || g.algorithm != OC_CONV_TILES)
            g.w_type = OC_F32;
        oc_tile_finish finish;
        choose_after(&r, &g, &finish);
        const bool limited = oc_type_is_half(g.type) && suite_below(&r, 2);
        const oc_half_bounds limits = oc_half_bounds_of(limited ? g.type : OC_F16, 0, MOST_OF_HALF);
        g.after.bounds = limited ? &limits : NULL;
        fill(&r, &g);
        define(&g);
        EACH_VARIANT (oc_tile_nchw16c_variant, v, oc_tile_nchw16c_variants) {
            g.cpu = v->need;
            memset(got, 0xff, sizeof got);
            memset(half_y, 0xff, sizeof half_y);
            const int many = round % 2 ? 3 : 1;
            const size_t bytes = (size_t)scratch_of(&g, many);
            const int64_t size = (int64_t)(bytes / sizeof *scratch);
            memset(scratch, 0xff, (size_t)(size + BEHIND) * sizeof *scratch);
            {
                g.work =
                    (oc_work){.parallel = many > 1 ? &threads.parallel : NULL, .threads = many};
                oc_conv_nchw16c_run(&g, &bands, scratch);
            }
            compare(v->isa, &g, seed);
            ck_assert(all_nan(scratch + size, BEHIND));
        }
    }
    pool_close(&threads);
    return suited;
}

START_TEST(lanes_equal_the_definition)
{
    ck_assert_int_gt(check(ROUNDS, 23, random_conv), ROUNDS / 2);
}
END_TEST

START_TEST(taps_far_apart)
{
    ck_assert_int_gt(check(SPREAD, 29, spread_conv), SPREAD / 3);
}
END_TEST

START_TEST(groups_of_one_channel)
{
    ck_assert_int_gt(check(DEPTHWISE, 31, depthwise_conv), DEPTHWISE / 2);
}
END_TEST

START_TEST(one_position)
{
    ck_assert_int_gt(check(LONE, 37, lone_conv), LONE / 2);
}
END_TEST

START_TEST(what_does_not_suit)
{
    const oc_conv_nchw16c good = {.images = 1,
                                  .groups = 1,
                                  .channels = 3,
                                  .out_channels = 5,
                                  .window = {.axes = 2,
                                             .in = {9, 9},
                                             .kernel = {3, 3},
                                             .out = {7, 7},
                                             .stride = {1, 1},
                                             .dilation = {1, 1}}};
    oc_conv_nchw16c g = good;
    ck_assert(chooses(&g));
    g.groups = 2; /* few output channels, and a block holds no whole groups */
    ck_assert(!chooses(&g));
    g.channels = g.out_channels = 3;
    ck_assert(!chooses(&g));
    g.out_channels = 24;
    ck_assert(chooses(&g));
    g.channels = g.out_channels = 4;
    ck_assert(chooses(&g));
    g = good, g.window.dilation[1] = INT32_MAX;
    ck_assert(!chooses(&g));
    g = good, g.window.kernel[0] = INT32_MAX;
    ck_assert(!chooses(&g));
    g = good, g.window.stride[1] = INT32_MAX;
    ck_assert(!chooses(&g));
    g = good, g.channels = INT64_MAX / 32;
    ck_assert(!chooses(&g));
    g = good, g.window.out[1] = 0;
    ck_assert(!chooses(&g));
    g = good, g.window.in[1] = 0;
    ck_assert(!chooses(&g));
}
END_TEST

/* A patch of NCHW16c is one of whole blocks: what NCHW alone could hold has no algorithm, however X
 * lies, since it may come to lie otherwise. */
START_TEST(layout_of_x_does_not_decide)
{
    oc_conv_nchw16c g = {.images = 1, .groups = 2, .channels = 9, .out_channels = 8};
    g.window = (oc_window){
        .axes = 1, .in = {130003}, .kernel = {130000}, .out = {4}, .stride = {1}, .dilation = {1}};
    ck_assert(!chooses(&g));
    g.nchw = true;
    ck_assert(!chooses(&g));
    g.window.in[0] = 50003, g.window.kernel[0] = 50000;
    ck_assert(chooses(&g));
}
END_TEST

/* ---- --bench */

static void run_conv(const void *variant, void *ctx)
{
    oc_conv_nchw16c g = *(oc_conv_nchw16c *)ctx;
    g.cpu = ((const oc_tile_nchw16c_variant *)variant)->need;
    scratch_of(&g, 1);
    oc_conv_nchw16c_run(&g, &bands, scratch);
}

static void bench_conv_nchw16c(const bench *how)
{
    static const int cases[][5] = {/* size, kernel, groups, channels, output channels */
                                   {14, 3, 1, 32, 32},
                                   {14, 1, 1, 64, 64},
                                   {28, 3, 32, 1, 1},
                                   {28, 5, 32, 1, 1},
                                   {14, 3, 4, 8, 8}};
    for (int i = 0; i < 5; i++) {
        const int size = cases[i][0], kernel = cases[i][1], groups = cases[i][2];
        oc_conv_nchw16c g = {.images = 1,
                             .groups = groups,
                             .channels = cases[i][3],
                             .out_channels = cases[i][4],
                             .type = OC_F32,
                             .w_type = OC_F32,
                             .x = nchw16c,
                             .w = packed,
                             .y = got,
                             .window = square_window(size, kernel, 1)};
        g.algorithm = oc_conv_choose_nchw16c(&g, true);
        bench_fill(nchw16c, MOST);
        bench_fill(packed, MOST);
        bench_case c = {.elements = (double)out_channels_of(&g) * size * size * kernel * kernel *
                                    (double)g.channels,
                        .run = run_conv,
                        .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d x %d, kernel %d, %d groups of %d", size, size, kernel,
                 groups, cases[i][3]);
        BENCH(how, &c, oc_tile_nchw16c_variant, oc_tile_nchw16c_variants, dense[0][0]);
    }
}

KERNEL_SUITE(conv_nchw16c, "one product, added to its sum", lanes_equal_the_definition,
             taps_far_apart, groups_of_one_channel, one_position, what_does_not_suit,
             layout_of_x_does_not_decide)
