/* SPDX-License-Identifier: Apache-2.0
 * check_pool.c - every variant of the loops of pools against scalar to the bit; windows against
 * their definition; rows of floats in registers against windows tap by tap. */
#include "bench.h"
#include "convs.h"
#include "elements.h"
#include "kernels/pool/pool.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { N = 70, STEP = 3, ROUNDS = 300 };

static const struct {
    const char *name;
    oc_type type;
    size_t member;
} folds[] = {
    {"max_f32", OC_F32, offsetof(oc_pool_loops, max_f32)},
    {"max_f64", OC_F64, offsetof(oc_pool_loops, max_f64)},
    {"max_i8", OC_I8, offsetof(oc_pool_loops, max_i8)},
    {"max_u8", OC_U8, offsetof(oc_pool_loops, max_u8)},
    {"sum_f32", OC_F32, offsetof(oc_pool_loops, sum_f32)},
    {"sum_f64", OC_F64, offsetof(oc_pool_loops, sum_f64)},
};
enum { FOLDS = sizeof folds / sizeof *folds };

static const oc_pool_fold *fold_of(const oc_pool_loops *v, int i)
{
    return (const oc_pool_fold *)(const void *)((const char *)v + folds[i].member);
}

static void fill(suite_random *r, oc_type type, void *data, int n)
{
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN};
    const bool whole = type == OC_I8 || type == OC_U8;
    for (int i = 0; i < n; i++) {
        const double x = (double)suite_below(r, 256) - (type == OC_U8 ? 0 : 128);
        element_set(type, data, i,
                    !whole && suite_below(r, 8) == 0 ? special[suite_below(r, 5)] : x);
    }
}

/* Applies one of the three loops of a fold to `to`, which holds what is there before. */
static void apply(const oc_pool_fold *f, int loop, void *to, const void *x, const void *y,
                  int64_t step, int64_t n)
{
    if (loop == 0)
        f->pair(to, x, y, n);
    else if (loop == 1)
        f->across(to, x, n);
    else
        f->along(to, x, step, n);
}

START_TEST(variants_equal_scalar)
{
    suite_random r = suite_random_new(31);
    const oc_pool_loops *scalar = oc_pool_pick(OC_CPU_SCALAR);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t seed = r.state;
        for (int i = 0; i < FOLDS; i++) {
            double x[N * STEP], y[N], before[N], want[N], got[N]; /* of any type */
            const int64_t n = suite_below(&r, N), step = 1 + suite_below(&r, STEP);
            const int loop = (int)suite_below(&r, 3);
            fill(&r, folds[i].type, x, N * STEP);
            fill(&r, folds[i].type, y, N);
            fill(&r, folds[i].type, before, N);
            memcpy(want, before, sizeof want);
            apply(fold_of(scalar, i), loop, want, x, y, step, n);
            EACH_VARIANT (oc_pool_loops, v, oc_pool_variants) {
                memcpy(got, before, sizeof got);
                apply(fold_of(v, i), loop, got, x, y, step, n);
                for (int k = 0; k < N; k++) {
                    const double a = element_get(folds[i].type, got, k);
                    const double b = element_get(folds[i].type, want, k);
                    ASSERT_SAME(a, b, k, seed, "%s %s loop %d", v->isa, folds[i].name, loop);
                }
            }
        }
    }
}
END_TEST

START_TEST(variants_divide_like_scalar)
{
    suite_random r = suite_random_new(32);
    const oc_pool_loops *scalar = oc_pool_pick(OC_CPU_SCALAR);
    for (int round = 0; round < ROUNDS; round++) {
        float x[N], count[N], want[N], got[N];
        double wide[N], wide_count[N], wide_want[N], wide_got[N];
        const int64_t n = suite_below(&r, N);
        fill(&r, OC_F32, x, N);
        for (int k = 0; k < N; k++) {
            wide[k] = (double)x[k];
            wide_count[k] = 1 + suite_below(&r, 9);
            count[k] = (float)wide_count[k];
        }
        memcpy(want, x, sizeof want);
        memcpy(wide_want, wide, sizeof wide);
        scalar->divide_f32(want, count, 3, n);
        scalar->divide_f64(wide_want, wide_count, 3, n);
        EACH_VARIANT (oc_pool_loops, v, oc_pool_variants) {
            memcpy(got, x, sizeof got);
            memcpy(wide_got, wide, sizeof wide);
            v->divide_f32(got, count, 3, n);
            v->divide_f64(wide_got, wide_count, 3, n);
            for (int k = 0; k < N; k++)
                suite_assert(SAME(got[k], want[k]) && SAME(wide_got[k], wide_want[k]),
                             "%s: [%d] is %a and %a", v->isa, k, (double)got[k], wide_got[k]);
        }
    }
}
END_TEST

/* ---- windows */

/* The window at y[row][column] of the only plane, tap by tap. */
static double pooled(const oc_pooling *g, const float *x, int64_t row, int64_t column)
{
    const oc_window *w = &g->window;
    double result = g->kind == OC_POOL_MAX ? -INFINITY : 0;
    int count = 0;
    for (int64_t i = 0; i < w->kernel[0]; i++)
        for (int64_t j = 0; j < w->kernel[1]; j++) {
            const int64_t at = row * w->stride[0] + i * w->dilation[0] - w->pad[0];
            const int64_t to = column * w->stride[1] + j * w->dilation[1] - w->pad[1];
            if (at < 0 || at >= w->in[0] || to < 0 || to >= w->in[1])
                continue;
            const double tap = (double)x[at * w->in[1] + to];
            result = g->kind != OC_POOL_MAX ? result + tap : fmax(result, tap);
            count++;
        }
    return g->kind == OC_POOL_AVERAGE && count ? (double)(float)(result / count) : result;
}

/* Scratch memory is as large as asked for, and no larger. */
static void run_pooling(const oc_pooling *g)
{
    uint64_t bytes;
    ck_assert(oc_pooling_scratch(g, 1, &bytes));
    void *scratch = aligned_alloc(64, (size_t)bytes);
    oc_pooling_run(g, scratch);
    free(scratch);
}

/* Rows of more than one block, and windows with few or no taps in the image. */
START_TEST(windows_are_as_defined)
{
    enum { HEIGHT = 4, WIDTH = 1500, TALL = 5, LONG = 1700 };
    suite_random r = suite_random_new(33);
    float *x = malloc(HEIGHT * WIDTH * sizeof *x), *y = malloc(TALL * LONG * sizeof *y);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        x[i] = (float)suite_below(&r, 64);
    for (int kind = 0; kind < 3; kind++)
        for (int wide = 0; wide < 3; wide++) {
            const int64_t kernel = wide == 0 ? 3 : wide == 1 ? 40000 : 3000000;
            oc_pooling g = {.kind = (oc_pooling_kind)kind,
                            .type = OC_F32,
                            .loops = oc_pool_pick(oc_cpu_detect()),
                            .x = x,
                            .y = y,
                            .planes = 1,
                            .window = {.axes = 2,
                                       .in = {HEIGHT, WIDTH},
                                       .kernel = {2, kernel},
                                       .out = {TALL, LONG},
                                       .stride = {1, 1},
                                       .dilation = {2, 1},
                                       .pad = {3, 100}}};
            run_pooling(&g);
            for (int64_t i = 0; i < TALL; i++)
                for (int64_t j = 0; j < LONG; j += wide ? 97 : 1) {
                    const double want = pooled(&g, x, i, j);
                    suite_assert((double)y[i * LONG + j] == want, "kind %d [%d,%d] is %g, not %g",
                                 kind, (int)i, (int)j, (double)y[i * LONG + j], want);
                }
        }
    free(x);
    free(y);
}
END_TEST

/* A window of 1 to 3 axes; pads may crop, and reach past the image. */
static oc_window random_window(suite_random *r)
{
    oc_window w = {.axes = 1 + (int)suite_below(r, 3)};
    for (int a = 0; a < w.axes; a++) {
        const bool last = a + 1 == w.axes;
        w.in[a] = 1 + suite_below(r, last ? 90 : 6);
        w.kernel[a] = 1 + suite_below(r, 4);
        w.stride[a] = 1 + suite_below(r, last ? 2 : 3);
        w.dilation[a] = 1 + suite_below(r, 2);
        w.pad[a] = (int64_t)suite_below(r, 5) - 1;
        w.pad_end[a] = (int64_t)suite_below(r, 4);
        w.out[a] = positions_along(&w, a, 0);
    }
    return w;
}

START_TEST(rows_equal_taps_one_by_one)
{
    enum { MOST = 6 * 6 * 90 };
    suite_random r = suite_random_new(34);
    float x[MOST], want[2 * MOST], got[2 * MOST];
    for (int round = 0; round < 4 * ROUNDS; round++) {
        const uint32_t seed = r.state;
        const bool hostile = suite_below(&r, 3) == 0;
        oc_pooling g = {.kind = suite_below(&r, 2) ? OC_POOL_AVERAGE : OC_POOL_MAX,
                        .type = OC_F32,
                        .count_pad = suite_below(&r, 2),
                        .loops = oc_pool_pick(OC_CPU_SCALAR),
                        .x = x,
                        .y = want,
                        .planes = 1,
                        .window = random_window(&r)};
        const int64_t n = product_of(g.window.out, g.window.axes);
        if (n > 2 * MOST)
            continue;
        for (int i = 0; i < MOST; i++)
            x[i] = (float)number(&r, hostile);
        run_pooling(&g);
        EACH_VARIANT (oc_pool_rows_variant, v, oc_pool_rows_variants) {
            memset(got, 0xff, sizeof got);
            g.rows = v;
            g.y = got;
            run_pooling(&g);
            for (int64_t i = 0; i < n; i++)
                ASSERT_SAME(got[i], want[i], i, seed, "%s %s", v->isa,
                            g.kind == OC_POOL_MAX ? "maximum" : "average");
        }
    }
}
END_TEST

/* ---- bench: a row of 112 floats, half of it kept */

typedef struct row {
    int fold, loop;
    int64_t step;
    float to[112], x[224], y[112];
} row;

static void run_row(const void *variant, void *ctx)
{
    row *t = ctx;
    apply(fold_of(variant, t->fold), t->loop, t->to, t->x, t->y, t->step, 112);
}

typedef struct window_row {
    oc_pool_row r;
    float line[256], x[3][224], y[112];
} window_row;

static void run_window_row(const void *variant, void *ctx)
{
    ((const oc_pool_rows_variant *)variant)->max(&((const window_row *)ctx)->r);
}

static void bench_windows(const bench *b)
{
    for (int stride = 1; stride <= 2; stride++) {
        window_row t;
        bench_case c = {.elements = 112, .run = run_window_row, .ctx = &t};
        t.r = (oc_pool_row){.rows = 3,
                            .n = 112 * stride,
                            .to = t.line + 1,
                            .line = t.line,
                            .y = t.y,
                            .out = 112,
                            .taps = 3,
                            .tap_step = 1,
                            .stride = stride};
        for (int i = 0; i < 3; i++) {
            bench_fill(t.x[i], 224);
            t.r.row[i] = t.x[i];
        }
        bench_fill(t.line, 256);
        snprintf(c.name, sizeof c.name, "max_f32 3x3 stride %d", stride);
        BENCH(b, &c, oc_pool_rows_variant, oc_pool_rows_variants, max);
    }
}

static void bench_pool(const bench *b)
{
    static const char *const loops[] = {"pair", "across", "along", "along step 2"};
    for (int fold = 0; fold < FOLDS; fold += 4)
        for (int loop = 0; loop < 4; loop++) {
            row t = {.fold = fold, .loop = loop < 3 ? loop : 2, .step = loop < 3 ? 1 : 2};
            bench_case c = {.elements = 112, .run = run_row, .ctx = &t};
            bench_fill(t.x, 224);
            bench_fill(t.y, 112);
            snprintf(c.name, sizeof c.name, "%s %s", folds[fold].name, loops[loop]);
            BENCH(b, &c, oc_pool_loops, oc_pool_variants, divide_f32);
        }
    bench_windows(b);
}

KERNEL_SUITE(pool, "element", variants_equal_scalar, variants_divide_like_scalar,
             windows_are_as_defined, rows_equal_taps_one_by_one)
