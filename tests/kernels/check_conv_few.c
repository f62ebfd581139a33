/* SPDX-License-Identifier: Apache-2.0
 * check_conv_few.c - convolutions of few output channels, by every variant and on threads, from
 * NCHW and from NCHW16c, against the sums written out, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_few.h"
#include "kernels/conv/conv_transpose.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 600, MOST = 100000, SCRATCH = 1 << 21, BEHIND = 1 << 12 };

static float nchw[MOST], w[MOST], b[OC_FEW_MOST], want[MOST], got[MOST];
static _Alignas(64) float nchw16c[MOST], scratch[SCRATCH + BEHIND];
static uint16_t half_x[MOST], half_y[MOST]; /* of half numbers: x and y */

static int64_t pixels_of(const oc_conv *g)
{
    return product_of(g->window.in, g->window.axes);
}

static int64_t positions_of(const oc_conv *g)
{
    return product_of(g->window.out, g->window.axes);
}

static void define(const oc_conv *g)
{
    const oc_window *v = &g->window;
    const int64_t area = product_of(v->kernel, v->axes), taps = area * g->channels;
    for (int64_t i = 0; i < g->images * g->out_channels; i++)
        for (int64_t p = 0; p < positions_of(g); p++) {
            float sum = 0;
            for (int64_t k = 0; k < taps; k++) {
                const int64_t at = pixel_at(v, p, k % area);
                const int64_t plane = i / g->out_channels * g->channels + k / area;
                sum = add_f32(sum, w[i % g->out_channels * taps + k],
                              at < 0 ? 0 : nchw[plane * pixels_of(g) + at]);
            }
            want[i * positions_of(g) + p] = g->b ? sum + b[i % g->out_channels] : sum;
        }
    round_to(g->half, want, half_y, g->images * g->out_channels * positions_of(g));
}

/* Sets x and y, of floats or half numbers, and empties y. */
static void place(oc_conv *g)
{
    g->x = g->nchw16c ? nchw16c : nchw;
    g->y = got;
    if (g->half)
        g->x = half_x, g->y = half_y;
    memset(got, 0xff, sizeof got);
    memset(half_y, 0xff, sizeof half_y);
}

static void compare(const char *isa, const oc_conv *g, uint32_t seed)
{
    const int64_t n = g->images * g->out_channels * positions_of(g);
    if (g->half)
        oc_half_pick(g->half, oc_cpu_detect())->widen(got, half_y, n);
    for (int64_t i = 0; i < n; i++)
        ASSERT_SAME(got[i], want[i], i, seed, "%s half type %d, %d axes, kernel %d, %d to %d", isa,
                    (int)g->half, g->window.axes, (int)g->window.kernel[0], (int)g->channels,
                    (int)g->out_channels);
}

static void fill(suite_random *r, const oc_conv *g)
{
    const int kind = random_kind(r);
    const int64_t area = product_of(g->window.kernel, g->window.axes);
    for (int64_t i = 0; i < g->images * g->channels * pixels_of(g); i++)
        nchw[i] = (float)number(r, kind);
    scale_for(g->half, nchw, g->images * g->channels * pixels_of(g), 1e-5f);
    round_to(g->half, nchw, half_x, g->images * g->channels * pixels_of(g));
    fill_nchw16c(nchw16c, MOST, nchw, g->images, g->channels, pixels_of(g));
    if (g->nchw16c)
        round_to(g->half, nchw16c, half_x, MOST);
    for (int64_t i = 0; i < g->out_channels * g->channels * area; i++)
        w[i] = (float)number(r, kind);
    scale_for(g->half, w, g->out_channels * g->channels * area, 1e-9f);
    for (int64_t i = 0; i < g->out_channels; i++)
        b[i] = (float)number(r, PLAIN_NUMBERS);
}

/* Images of fewer pixels than a register and of several bands; pads may crop, and reach far. */
static oc_conv random_conv(suite_random *r)
{
    const bool is_large = suite_below(r, 6) == 0;
    oc_conv g = {.algorithm = OC_CONV_FEW,
                 .type = OC_F32,
                 .images = 1 + suite_below(r, 2),
                 .groups = 1,
                 .channels = 1 + suite_below(r, 40),
                 .out_channels = 1 + suite_below(r, OC_FEW_MOST),
                 .w = w,
                 .b = suite_below(r, 2) ? b : NULL,
                 .half = random_float_type(r),
                 .nchw16c = suite_below(r, 2),
                 .scratch = scratch};
    g.half = oc_type_is_half(g.half) ? g.half : OC_UNDEFINED;
    oc_window *v = &g.window;
    v->axes = 1 + (int)suite_below(r, 3) % 2;
    for (int a = 0; a < v->axes; a++) {
        v->in[a] = 1 + suite_below(r, is_large ? 60 : 12);
        v->kernel[a] = 1 + suite_below(r, 4);
        v->stride[a] = 1;
        v->dilation[a] = 1 + suite_below(r, 3) / 2;
        v->pad[a] = suite_below(r, 2) ? 0 : (int64_t)suite_below(r, 9) - 2;
        v->out[a] = positions_along(v, a, suite_below(r, 6));
    }
    return g;
}

/* On the threads of g's work. */
static bool fits(const oc_conv *g)
{
    const int64_t stored = oc_channel_blocks(g->channels) * OC_BLOCK_CHANNELS;
    return g->images * stored * pixels_of(g) < MOST &&
           g->images * g->out_channels * positions_of(g) < MOST &&
           oc_conv_few_scratch(g) <= SCRATCH * sizeof *scratch;
}

static bool all_nan(const float *v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isnan(v[i]))
            return false;
    return true;
}

START_TEST(lines_equal_the_definition)
{
    suite_random r = suite_random_new(41);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv g = random_conv(&r);
        g.work.threads = 3;
        if (!oc_conv_few_suits(&g) || !fits(&g))
            continue;
        suited++;
        fill(&r, &g);
        define(&g);
        EACH_VARIANT (oc_conv_few_variant, v, oc_conv_few_variants) {
            const int many = round % 2 ? 3 : 1;
            g.cpu = v->need;
            g.work = (oc_work){.parallel = many > 1 ? &threads.parallel : NULL, .threads = many};
            const int64_t size = (int64_t)(oc_conv_few_scratch(&g) / sizeof *scratch);
            place(&g);
            memset(scratch, 0xff, (size_t)(size + BEHIND) * sizeof *scratch);
            oc_conv_run(&g);
            compare(v->isa, &g, seed);
            ck_assert(all_nan(scratch + size, BEHIND));
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 2);
}
END_TEST

/* Kernels as long as their distances and longer; pads that crop and that add. */
static oc_conv random_transpose(suite_random *r)
{
    oc_conv g = random_conv(r);
    oc_window *v = &g.window;
    g.cpu = OC_CPU_SCALAR;
    for (int a = 0; a < v->axes; a++) {
        v->stride[a] = 1 + suite_below(r, 3);
        v->kernel[a] = v->stride[a] + suite_below(r, 4);
        v->pad[a] = (int64_t)suite_below(r, 5) - 1;
        const int64_t full =
            (v->in[a] - 1) * v->stride[a] + (v->kernel[a] - 1) * v->dilation[a] + 1;
        v->out[a] = full - v->pad[a] + (int64_t)suite_below(r, 5) - 3;
        v->out[a] = v->out[a] < 1 ? 1 : v->out[a];
    }
    return g;
}

/* By parts of a band that is copied once, and part by part from NCHW. */
START_TEST(parts_of_transposed_convolutions)
{
    static float w_part[MOST], y_part[MOST];
    suite_random r = suite_random_new(43);
    int64_t taps[64];
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv_transpose g = {
            .conv = random_transpose(&r), .w_part = w_part, .y_part = y_part, .tap_part = taps};
        oc_conv *v = &g.conv;
        v->work.threads = 3;
        if (!oc_conv_transpose_few_suits(v) ||
            oc_conv_transpose_few_scratch(v) > SCRATCH * sizeof *scratch ||
            v->images * 48 * pixels_of(v) > MOST ||
            v->images * v->out_channels * positions_of(v) > MOST)
            continue;
        suited++;
        fill(&r, v);
        const oc_type half = v->half;
        v->x = nchw, v->y = want, v->half = OC_UNDEFINED, v->algorithm = OC_CONV_IM2COL;
        v->cpu = specification_cpu();
        v->work.threads = 1;
        oc_conv_transpose_run(&g);
        round_to(half, want, half_y, MOST);
        v->half = half, v->algorithm = OC_CONV_FEW;
        g.conv.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                                .threads = round % 2 ? 3 : 1};
        EACH_VARIANT (oc_conv_few_variant, variant, oc_conv_few_variants) {
            v->cpu = variant->need;
            place(v);
            oc_conv_transpose_run(&g);
            compare(variant->isa, v, seed);
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 6);
}
END_TEST

START_TEST(what_does_not_suit)
{
    const oc_conv good = {.type = OC_F32,
                          .images = 1,
                          .groups = 1,
                          .channels = 8,
                          .out_channels = 4,
                          .window = square_window(9, 3, 1)};
    oc_conv g = good;
    ck_assert(oc_conv_few_suits(&g));
    g.out_channels = 7;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.groups = 2;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.type = OC_F64;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.channels = INT64_MAX;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.window.stride[0] = 2;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.window.dilation[0] = INT64_MAX;
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.window.in[1] = g.window.out[1] = 50000; /* no band fits */
    ck_assert(!oc_conv_few_suits(&g));
    g = good, g.window.out[0] = 0;
    ck_assert(!oc_conv_few_suits(&g));
}
END_TEST

/* ---- --bench */

static void run_conv(const void *variant, void *ctx)
{
    oc_conv g = *(oc_conv *)ctx;
    g.cpu = ((const oc_conv_few_variant *)variant)->need;
    oc_conv_run(&g);
}

static void bench_conv_few(const bench *how)
{
    static const int cases[][3] = {{1, 3, 16}, {3, 3, 32}, {4, 1, 32}};
    for (int i = 0; i < 3; i++) {
        const int out_channels = cases[i][0], kernel = cases[i][1], channels = cases[i][2];
        oc_conv g = {.algorithm = OC_CONV_FEW,
                     .type = OC_F32,
                     .images = 1,
                     .groups = 1,
                     .channels = channels,
                     .out_channels = out_channels,
                     .x = nchw16c,
                     .nchw16c = true,
                     .w = w,
                     .y = got,
                     .scratch = scratch,
                     .window = square_window(40, kernel, 1)};
        bench_fill(nchw16c, MOST);
        bench_fill(w, MOST);
        bench_case c = {.elements = 1600.0 * channels * out_channels * kernel * kernel,
                        .run = run_conv,
                        .ctx = &g};
        snprintf(c.name, sizeof c.name, "40 x 40, kernel %d, %d to %d", kernel, channels,
                 out_channels);
        BENCH(how, &c, oc_conv_few_variant, oc_conv_few_variants, line[0]);
    }
}

KERNEL_SUITE(conv_few, "one product, added to its sum", lines_equal_the_definition,
             parts_of_transposed_convolutions, what_does_not_suit)
