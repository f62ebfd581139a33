/* SPDX-License-Identifier: Apache-2.0
 * check_conv_transpose_nchw16c.c - transposed convolutions in NCHW16c, by every variant and on
 * threads, against the scalar one in NCHW, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/matmul/tile_nchw16c.h"
#include "kernels/conv/conv_transpose_nchw16c.h"
#include "kernels/conv/conv_transpose.h"
#include "pool.h"

#include <string.h>

enum { ROUNDS = 80, MOST = 40000 };

static float nchw[MOST], weights[MOST], bias[MOST], want[MOST], w_part[MOST], y_part[MOST];
static _Alignas(64) float nchw16c[MOST], got[MOST], packed[MOST], bias_nchw16c[MOST];

typedef struct shape {
    int64_t images, channels, out_channels, size[2], kernel[2];
} shape;

static shape random_shape(suite_random *r)
{
    shape s = {.images = 1 + suite_below(r, 2),
               .channels = 1 + suite_below(r, 40),
               .out_channels = 1 + suite_below(r, 40)};
    for (int a = 0; a < 2; a++) {
        s.size[a] = 1 + suite_below(r, a ? 19 : 3);
        s.kernel[a] = 1 + suite_below(r, 3);
    }
    return s;
}

static void run_in_nchw(const shape *s, bool with_bias)
{
    int64_t taps[9];
    oc_conv_transpose g = {.conv = {.type = OC_F32,
                                    .cpu = OC_CPU_SCALAR,
                                    .x = nchw,
                                    .w = weights,
                                    .b = with_bias ? bias : NULL,
                                    .y = want,
                                    .images = s->images,
                                    .groups = 1,
                                    .channels = s->channels,
                                    .out_channels = s->out_channels,
                                    .window = {.axes = 2}},
                           .w_part = w_part,
                           .y_part = y_part,
                           .tap_part = taps};
    for (int a = 0; a < 2; a++) {
        oc_window *w = &g.conv.window;
        w->in[a] = s->size[a];
        w->kernel[a] = w->stride[a] = s->kernel[a];
        w->out[a] = s->size[a] * s->kernel[a];
        w->dilation[a] = 1;
    }
    oc_conv_transpose_run(&g);
}

START_TEST(nchw16c_equals_nchw)
{
    suite_random r = suite_random_new(81);
    pool threads;
    pool_open(&threads, 3);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        const shape s = random_shape(&r);
        const bool hostile = suite_below(&r, 3) == 0, with_bias = suite_below(&r, 2);
        const int64_t taps = s.kernel[0] * s.kernel[1], pixels = s.size[0] * s.size[1];
        const int64_t blocks = s.images * oc_channel_blocks(s.out_channels) * 16,
                      n_w = s.channels * s.out_channels;
        if (blocks * pixels * taps > MOST || s.images * 48 * pixels > MOST ||
            oc_conv_transpose_nchw16c_size(s.channels, s.out_channels, taps) > MOST)
            continue;
        for (int64_t i = 0; i < s.images * s.channels * pixels; i++)
            nchw[i] = (float)number(&r, hostile);
        for (int64_t i = 0; i < n_w * taps; i++)
            weights[i] = (float)number(&r, hostile);
        memset(bias_nchw16c, 0, sizeof bias_nchw16c);
        for (int64_t i = 0; i < s.out_channels; i++)
            bias_nchw16c[i] = bias[i] = (float)number(&r, false);
        fill_nchw16c(nchw16c, MOST, nchw, s.images, s.channels, pixels);
        run_in_nchw(&s, with_bias);
        memset(packed, 0xff, sizeof packed);
        oc_conv_transpose_nchw16c_pack(packed, weights, s.channels, s.out_channels, taps,
                                       &(oc_work){0});
        EACH_VARIANT (oc_tile_nchw16c_variant, v, oc_tile_nchw16c_variants) {
            oc_conv_transpose_nchw16c g = {.cpu = v->need,
                                           .x = nchw16c,
                                           .w = packed,
                                           .b = with_bias ? bias_nchw16c : NULL,
                                           .y = got,
                                           .images = s.images,
                                           .channels = s.channels,
                                           .out_channels = s.out_channels,
                                           .height = s.size[0],
                                           .width = s.size[1],
                                           .rows = s.kernel[0],
                                           .columns = s.kernel[1]};
            memset(got, 0xff, sizeof got);
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            oc_conv_transpose_nchw16c_run(&g);
            const int64_t positions = pixels * taps;
            for (int64_t i = 0; i < s.images * s.out_channels * positions; i++)
                ASSERT_SAME(got[in_nchw16c(i, s.out_channels, positions)], want[i], i, seed, "%s",
                            v->isa);
        }
    }
    pool_close(&threads);
}
END_TEST

/* ---- bench: 32 pixels of 64 channels to 32 output channels, twice as wide and high */

static void run_row(const void *variant, void *ctx)
{
    oc_conv_transpose_nchw16c g = *(const oc_conv_transpose_nchw16c *)ctx;
    g.cpu = ((const oc_tile_nchw16c_variant *)variant)->need;
    oc_conv_transpose_nchw16c_run(&g);
}

static void bench_conv_transpose_nchw16c(const bench *b)
{
    oc_conv_transpose_nchw16c g = {.x = nchw16c,
                                   .w = packed,
                                   .y = got,
                                   .images = 1,
                                   .channels = 64,
                                   .out_channels = 32,
                                   .height = 1,
                                   .width = 32,
                                   .rows = 2,
                                   .columns = 2};
    bench_case c = {
        .name = "2x2, stride 2", .elements = 32 * 64 * 32 * 4, .run = run_row, .ctx = &g};
    bench_fill(nchw16c, MOST);
    bench_fill(packed, MOST);
    BENCH(b, &c, oc_tile_nchw16c_variant, oc_tile_nchw16c_variants, dense[0][0]);
}

KERNEL_SUITE(conv_transpose_nchw16c, "a product", nchw16c_equals_nchw)
