/* SPDX-License-Identifier: Apache-2.0
 * check_depthwise.c - convolutions by few output channels, by every variant and on threads, against
 * the sums written out, to the bit. */
#include "bench.h"
#include "convs.h"
#include "kernels/conv/depthwise.h"
#include "kernels/conv/depthwise_strips.h"
#include "pool.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 1200, MOST = 30000 };

static union {
    float f32[MOST];
    double f64[MOST];
} x, w, b, got, want;

/* As conv.h states it. */
#define DEFINE(member, T, add)                                                                     \
    static void define_##member(const oc_conv *g)                                                  \
    {                                                                                              \
        const oc_window *v = &g->window;                                                           \
        const int64_t pixels = product_of(v->in, v->axes), area = product_of(v->kernel, v->axes);  \
        const int64_t taps = area * g->channels;                                                   \
        const int64_t positions = product_of(v->out, v->axes);                                     \
        for (int64_t i = 0; i < g->images * g->groups * g->out_channels; i++)                      \
            for (int64_t p = 0; p < positions; p++) {                                              \
                T sum = 0;                                                                         \
                for (int64_t k = 0; k < taps; k++) {                                               \
                    const int64_t at = pixel_at(v, p, k % area);                                   \
                    const T pixel =                                                                \
                        at < 0                                                                     \
                            ? 0                                                                    \
                            : x.member[(i / g->out_channels * g->channels + k / area) * pixels +   \
                                       at];                                                        \
                    sum = add(sum, w.member[i % (g->groups * g->out_channels) * taps + k], pixel); \
                }                                                                                  \
                if (g->b)                                                                          \
                    sum = sum + b.member[i % (g->groups * g->out_channels)];                       \
                want.member[i * positions + p] = sum;                                              \
            }                                                                                      \
    }                                                                                              \
                                                                                                   \
    static void compare_##member(const char *isa, const oc_conv *g, int64_t n, uint32_t seed)      \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            ASSERT_SAME(got.member[i], want.member[i], i, seed, "%s " #member " %d axes", isa,     \
                        g->window.axes);                                                           \
    }                                                                                              \
                                                                                                   \
    static void fill_##member(suite_random *r, const oc_conv *g, int64_t n)                        \
    {                                                                                              \
        const int kind = random_kind(r);                                                           \
        const int64_t out_channels = g->groups * g->out_channels, channels = g->channels;          \
        const int64_t in =                                                                         \
            g->images * g->groups * channels * product_of(g->window.in, g->window.axes);           \
        for (int64_t i = 0; i < in; i++)                                                           \
            x.member[i] = (T)number(r, kind);                                                      \
        for (int64_t i = 0;                                                                        \
             i < out_channels * channels * product_of(g->window.kernel, g->window.axes); i++)      \
            w.member[i] = (T)number(r, kind);                                                      \
        for (int64_t i = 0; i < out_channels; i++)                                                 \
            b.member[i] = (T)number(r, PLAIN_NUMBERS);                                             \
        for (int64_t i = 0; i < n; i++)                                                            \
            got.member[i] = -1;                                                                    \
    }

DEFINE(f32, float, add_f32)
DEFINE(f64, double, add_f64)

/* Windows of 1 to 4 axes, a few with long rows; pads may crop. */
static oc_conv random_conv(suite_random *r)
{
    oc_conv g = {.type = suite_below(r, 2) ? OC_F64 : OC_F32,
                 .images = 1 + suite_below(r, 2),
                 .groups = 1 + suite_below(r, 3),
                 .channels = suite_below(r, 2) ? 1 : 1 + suite_below(r, 4),
                 .out_channels = 1 + suite_below(r, 4),
                 .x = &x,
                 .w = &w,
                 .b = suite_below(r, 2) ? &b : NULL,
                 .y = &got};
    oc_window *v = &g.window;
    v->axes = 1 + (int)suite_below(r, 4);
    for (int a = 0; a < v->axes; a++) {
        const bool is_long = a >= v->axes - 2 && v->axes <= 2;
        const bool row = a == v->axes - 1 && v->axes == 1 && suite_below(r, 4) == 0;
        v->in[a] = row ? 1 + suite_below(r, 1500) : 1 + suite_below(r, is_long ? 40 : 5);
        v->kernel[a] = 1 + suite_below(r, is_long ? 5 : 3);
        v->stride[a] = 1 + suite_below(r, suite_below(r, 2) ? 2 : 4);
        v->dilation[a] = 1 + suite_below(r, 3);
        v->pad[a] = (int64_t)suite_below(r, 5) - 1;
        v->out[a] = positions_along(v, a, suite_below(r, 3));
    }
    return g;
}

START_TEST(strips_equal_the_definition)
{
    suite_random r = suite_random_new(21);
    pool threads;
    pool_open(&threads, 3);
    int suited = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        oc_conv g = random_conv(&r);
        const int64_t n =
            g.images * g.groups * g.out_channels * product_of(g.window.out, g.window.axes);
        const int64_t in =
            g.images * g.groups * g.channels * product_of(g.window.in, g.window.axes);
        if (n > MOST || in > MOST || !oc_depthwise_suits(&g))
            continue;
        suited++;
        (g.type == OC_F64 ? fill_f64 : fill_f32)(&r, &g, n);
        (g.type == OC_F64 ? define_f64 : define_f32)(&g);
        EACH_VARIANT (oc_depthwise_variant, v, oc_depthwise_variants) {
            g.cpu = v->need;
            memset(&got, 0xff, sizeof got);
            g.work = (oc_work){.parallel = round % 2 ? &threads.parallel : NULL,
                               .threads = round % 2 ? 3 : 1};
            oc_depthwise_run(&g);
            (g.type == OC_F64 ? compare_f64 : compare_f32)(v->isa, &g, n, seed);
        }
    }
    pool_close(&threads);
    ck_assert_int_gt(suited, ROUNDS / 2);
}
END_TEST

/* Windows that have no strips: they must be left to patches. */
START_TEST(large_windows_do_not_suit)
{
    const oc_conv good = {.type = OC_F32,
                          .groups = 2,
                          .channels = 1,
                          .out_channels = 1,
                          .window = {.axes = 2,
                                     .in = {9, 9},
                                     .kernel = {3, 3},
                                     .out = {7, 7},
                                     .stride = {1, 1},
                                     .dilation = {1, 1}}};
    oc_conv g = good;
    ck_assert(oc_depthwise_suits(&g));
    g.channels = 2;
    ck_assert(oc_depthwise_suits(&g));
    g.channels = 0;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.out_channels = 5;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.type = OC_I16;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.kernel[0] = g.window.kernel[1] = 1;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.kernel[0] = 0;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.kernel[0] = INT32_MAX;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.stride[1] = 9;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.dilation[1] = INT32_MAX;
    ck_assert(!oc_depthwise_suits(&g));
    g = good, g.window.out[1] = 0;
    ck_assert(!oc_depthwise_suits(&g));
}
END_TEST

/* ---- --bench */

static void run_conv(const void *variant, void *ctx)
{
    oc_conv g = *(oc_conv *)ctx;
    g.cpu = ((const oc_depthwise_variant *)variant)->need;
    oc_depthwise_run(&g);
}

/* Layers of MobileNet, a few channels of each. */
static void bench_depthwise(const bench *how)
{
    static const int cases[][4] = {
        {112, 3, 1, 2}, {112, 3, 2, 2}, {28, 5, 1, 24}, {14, 3, 1, 96}, {7, 3, 1, 384}};
    for (int i = 0; i < 5; i++) {
        const int size = cases[i][0], kernel = cases[i][1], stride = cases[i][2];
        oc_conv g = {.type = OC_F32,
                     .images = 1,
                     .groups = cases[i][3],
                     .channels = 1,
                     .out_channels = 1,
                     .x = &x,
                     .w = &w,
                     .b = &b,
                     .y = &got,
                     .window = square_window(size, kernel, stride)};
        bench_case c = {.elements =
                            (double)g.groups * size * size / stride / stride * kernel * kernel,
                        .run = run_conv,
                        .ctx = &g};
        snprintf(c.name, sizeof c.name, "%d x %d, kernel %d, stride %d", size, size, kernel,
                 stride);
        BENCH(how, &c, oc_depthwise_variant, oc_depthwise_variants, f32);
    }
}

KERNEL_SUITE(depthwise, "one product, added to its sum", strips_equal_the_definition,
             large_windows_do_not_suit)
