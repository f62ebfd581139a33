/* SPDX-License-Identifier: Apache-2.0
 * check_grid_large.c - GridSample of images that no cache holds: scattered positions are walked
 * plane by plane, and results written past the caches. Bits are those of each plane by itself, for
 * which neither is worth while. */
#include "bench.h"
#include "kernels/sample/gather.h"
#include "kernels/sample/grid_sample.h"
#include "pool.h"

#include <math.h>
#include <string.h>

enum { H = 517, W = 523, POINTS = H * W, CHANNELS = 9, CANARY = 64 };

typedef struct images {
    char *x, *want, *got;
    float *transposed, *random;
} images;

static images images_new(suite_random *r, size_t size)
{
    const size_t bytes = (size_t)CHANNELS * POINTS * size;
    images m = {malloc(bytes), malloc(bytes + CANARY), malloc(bytes + CANARY),
                malloc(POINTS * 2 * sizeof(float)), malloc(POINTS * 2 * sizeof(float))};
    for (size_t i = 0; i < bytes / size; i++)
        if (size == sizeof(float))
            ((float *)(void *)m.x)[i] = (float)suite_below(r, 1 << 20) / (1 << 20);
        else
            ((double *)(void *)m.x)[i] = (double)suite_below(r, 1 << 20) / (1 << 20);
    for (int i = 0; i < POINTS; i++) {
        const float x = (2.0f * (float)(i % W) + 1) / W - 1,
                    y = (2.0f * (float)(i / W) + 1) / H - 1;
        m.transposed[2 * i] = 0.98f * x - 0.17f * y;
        m.transposed[2 * i + 1] = 0.17f * x + 0.98f * y;
        for (int k = 0; k < 2; k++)
            m.random[2 * i + k] = (float)suite_below(r, 1 << 20) / (1 << 18) * 0.6f - 1.2f;
    }
    return m;
}

static void images_free(images *m)
{
    free(m->x);
    free(m->want);
    free(m->got);
    free(m->transposed);
    free(m->random);
}

static oc_grid_sample job(oc_type type, oc_grid_mode mode, oc_grid_padding padding,
                          const oc_position_array *positions)
{
    static const unsigned char outside[32] = {0};
    return (oc_grid_sample){.sampler = {.rank = 2, .n = {H, W}, .mode = mode, .padding = padding},
                            .type = type,
                            .batch = 1,
                            .channels = CHANNELS,
                            .width = W,
                            .points = POINTS,
                            .outside = outside,
                            .positions = oc_positions_from_array,
                            .source = positions,
                            .cpu = oc_cpu_detect()};
}

static void check(oc_type type, int threads)
{
    suite_random r = suite_random_new(12);
    const size_t size = oc_type_size(type), plane = POINTS * size;
    images m = images_new(&r, size);
    pool p;
    pool_open(&p, threads);
    for (int round = 0; round < 6; round++) {
        const oc_position_array positions = {.data = round & 1 ? m.random : m.transposed,
                                             .type = OC_F32,
                                             .points = POINTS,
                                             .rank = 2};
        oc_grid_sample g =
            job(type, (oc_grid_mode)(round / 2), (oc_grid_padding)(round / 2), &positions);
        g.channels = 1;
        for (size_t c = 0; c < CHANNELS; c++) {
            g.x = m.x + c * plane;
            g.y = m.want + c * plane;
            oc_grid_sample_run(&g);
        }
        g.channels = CHANNELS;
        g.x = m.x;
        g.y = m.got;
        memset(m.got, 0xa5, CHANNELS * plane + CANARY);
        memset(m.want + CHANNELS * plane, 0xa5, CANARY);
        g.work = (oc_work){.parallel = &p.parallel, .threads = threads};
        oc_grid_sample_run(&g);
        ck_assert_msg(!memcmp(m.want, m.got, CHANNELS * plane + CANARY), "%s, round %d, %d threads",
                      oc_type_name(type), round, threads);
    }
    pool_close(&p);
    images_free(&m);
}

START_TEST(planes_together_and_alone)
{
    check(OC_F32, 1);
    check(OC_F32, 2);
    check(OC_F64, 7);
}
END_TEST

/* ---- --bench */

static void run_large(const void *variant, void *ctx)
{
    oc_grid_sample *g = ctx;
    g->cpu = bench_cpu(((const oc_gather_variant *)variant)->isa);
    oc_grid_sample_run(g);
}

static void bench_grid_large(const bench *b)
{
    suite_random r = {12};
    images m = images_new(&r, sizeof(float));
    for (int i = 0; i < 4; i++) {
        const oc_position_array positions = {
            .data = i % 2 ? m.random : m.transposed, .type = OC_F32, .points = POINTS, .rank = 2};
        oc_grid_sample g =
            job(OC_F32, i / 2 ? OC_GRID_CUBIC : OC_GRID_LINEAR, OC_PAD_ZEROS, &positions);
        g.x = m.x;
        g.y = m.got;
        bench_case c = {.elements = CHANNELS * (double)POINTS, .run = run_large, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%s, %s", i / 2 ? "cubic" : "linear",
                 i % 2 ? "scattered" : "transposed");
        BENCH(b, &c, oc_gather_variant, oc_gather_variants, isa);
    }
    images_free(&m);
}

KERNEL_SUITE(grid_large, "a result", planes_together_and_alone)
