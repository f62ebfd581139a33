/* SPDX-License-Identifier: Apache-2.0
 * check_grid_blocks.c - GridSample by blocks of channels against each channel by itself: the same
 * bits, for every type, variant and number of tasks. */
#include "bench.h"
#include "elements.h"
#include "kernels/sample/grid_blocks.h"
#include "kernels/sample/grid_sample.h"
#include "pool.h"

#include <string.h>

enum { N_POOLS = 3 };

static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16, OC_I8,  OC_U8, OC_I16,
                                OC_U16, OC_I32, OC_U32, OC_I64,  OC_U64, OC_C64};

static const int pool_threads[N_POOLS] = {1, 2, 7};

/* A random image of the type; NaN and Inf among the pixels of floats. */
static void fill(suite_random *r, oc_type type, char *x, int64_t n)
{
    static const double special[] = {NAN, INFINITY, -INFINITY, 0};
    for (int64_t i = 0; i < n; i++) {
        double v = (double)suite_below(r, 255) - 127;
        if (type == OC_U8 || type == OC_U16 || type == OC_U32 || type == OC_U64)
            v = fabs(v);
        if (!element_is_int(type))
            v = suite_below(r, 12) ? v / 64 : special[suite_below(r, 4)];
        element_set(type, x, i, v);
    }
}

static float coordinate(suite_random *r)
{
    static const float special[] = {-1, 1, 0, INFINITY, -INFINITY, NAN, 4096.25f, -1.2f};
    return suite_below(r, 8) ? (float)suite_below(r, 1 << 16) / (1 << 14) - 2
                             : special[suite_below(r, 8)];
}

/* Equal to the bit, or both NaN. */
static void check_same(const oc_grid_sample *g, const char *want, const char *got, int64_t n,
                       uint32_t seed)
{
    const size_t size = oc_type_size(g->type);
    if (memcmp(want, got, (size_t)(n + 1) * size) == 0) /* and nothing past the end */
        return;
    const int parts = element_parts(g->type);
    for (int64_t i = 0; i < n * parts; i++) {
        const size_t part = size / (size_t)parts;
        const bool same = memcmp(want + (size_t)i * part, got + (size_t)i * part, part) == 0;
        const double a = element_get(g->type, want, i), b = element_get(g->type, got, i);
        suite_assert(same || (isnan(a) && isnan(b)),
                     "type %s, mode %d, padding %d, rank %d, %d channels, cpu %u: %g, not %g at "
                     "%d; OC_SEED=%u",
                     oc_type_name(g->type), (int)g->sampler.mode, (int)g->sampler.padding,
                     g->sampler.rank, (int)g->channels, g->cpu, b, a, (int)i, seed);
    }
    suite_assert(memcmp(want + (size_t)n * size, got + (size_t)n * size, size) == 0,
                 "written past the end; OC_SEED=%u", seed);
}

static oc_grid_sample random_job(suite_random *r, const oc_position_array *positions)
{
    const int rank = 1 + (int)suite_below(r, 3);
    oc_grid_sample g = {.sampler = {.rank = rank,
                                    .mode = suite_below(r, 2) ? OC_GRID_LINEAR : OC_GRID_CUBIC,
                                    .padding = (oc_grid_padding)suite_below(r, 3),
                                    .align = suite_below(r, 2)},
                        .type = types[suite_below(r, sizeof types / sizeof *types)],
                        .batch = 1 + (int)suite_below(r, 3),
                        .channels = 1 + (int)suite_below(r, 40),
                        .width = 1 + (int)suite_below(r, 70),
                        .positions = oc_positions_from_array,
                        .source = positions};
    for (int a = 0; a < rank; a++)
        g.sampler.n[a] = 1 + (int32_t)suite_below(r, rank == 1 ? 300 : rank == 2 ? 50 : 9);
    g.points = g.width * (1 + (int)suite_below(r, 20));
    return g;
}

/* Returns whether the job went by blocks. */
static bool check_job(suite_random *r, const pool p[N_POOLS])
{
    const uint32_t seed = r->state;
    oc_position_array positions = {.type = OC_F32};
    oc_grid_sample g = random_job(r, &positions);
    int64_t plane = 1;
    for (int a = 0; a < g.sampler.rank; a++)
        plane *= g.sampler.n[a];
    const int64_t n_x = g.batch * g.channels * plane, n_y = g.batch * g.channels * g.points;
    const int64_t n_grid = g.batch * g.points * g.sampler.rank;
    const size_t size = oc_type_size(g.type), bytes = (size_t)(n_y + 1) * size;
    char *x = malloc((size_t)n_x * size), *want = malloc(bytes), *got = malloc(bytes);
    float *grid = malloc((size_t)n_grid * sizeof *grid);
    fill(r, g.type, x, n_x * element_parts(g.type));
    for (int64_t i = 0; i < n_grid; i++)
        grid[i] = coordinate(r);
    positions.data = grid;
    positions.points = g.points;
    positions.rank = g.sampler.rank;
    g.x = x;
    g.y = want;
    memset(want, 0xa5, bytes);
    oc_grid_sample_run(&g);
    bool any = false;
    for (int k = 0; k < N_POOLS * 3; k++) {
        static const unsigned cpus[] = {OC_CPU_SCALAR, OC_CPU_AVX2, ~0u};
        const int tasks = pool_threads[k % N_POOLS];
        const size_t scratch = oc_grid_sample_scratch(&g, tasks);
        g.cpu = oc_cpu_detect() & cpus[k / N_POOLS];
        g.y = got;
        g.scratch = scratch ? aligned_alloc(64, scratch) : NULL;
        memset(got, 0xa5, bytes);
        g.work = (oc_work){.parallel = &p[k % N_POOLS].parallel, .threads = tasks};
        oc_grid_sample_run(&g);
        free(g.scratch);
        check_same(&g, want, got, n_y, seed);
        any |= scratch > 0;
    }
    free(x);
    free(want);
    free(got);
    free(grid);
    return any;
}

START_TEST(blocks_give_the_bits_of_nchw)
{
    pool p[N_POOLS];
    for (int i = 0; i < N_POOLS; i++)
        pool_open(&p[i], pool_threads[i]);
    suite_random r = suite_random_new(11);
    int by_blocks = 0;
    for (int i = 0; i < 400; i++)
        by_blocks += check_job(&r, p);
    if (!getenv("OC_SEED"))
        ck_assert_int_gt(by_blocks, 100);
    for (int i = 0; i < N_POOLS; i++)
        pool_close(&p[i]);
}
END_TEST

/* Which channels are worth a block, and that a plane too large for one has none. */
START_TEST(scratch_is_bounded)
{
    oc_grid_sample g = {.sampler = {.rank = 2, .n = {100, 100}},
                        .type = OC_F32,
                        .batch = 3,
                        .channels = 64,
                        .width = 100,
                        .points = 10000};
    const size_t block = 100 * 100 * 64;
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 1), block);
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 8 * block);
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 100), 12 * block); /* no more than there are */
    g.channels = 11; /* too few for a block of 16, but for cubic */
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 0);
    g.sampler.mode = OC_GRID_CUBIC;
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 3 * block);
    g.sampler.mode = OC_GRID_NEAREST;
    g.channels = 64;
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 0);
    g.sampler.mode = OC_GRID_LINEAR;
    g.type = OC_C64;
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 0);
    g.type = OC_U8;
    g.points = 100; /* few results for the number of pixels */
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 0);
    g.sampler.n[0] = g.sampler.n[1] = 4000;
    g.width = 4000;
    g.points = 4000 * 4000;
    ck_assert_uint_eq(oc_grid_sample_scratch(&g, 8), 0);
    g.sampler.n[0] = g.sampler.n[1] = 900;
    g.width = 900;
    g.points = 900 * 900;
    ck_assert_uint_le(oc_grid_sample_scratch(&g, 8), 64 << 20);
    ck_assert_uint_gt(oc_grid_sample_scratch(&g, 8), 0);
}
END_TEST

/* ---- --bench */

static void run_blocks(const void *variant, void *ctx)
{
    oc_grid_sample *g = ctx;
    g->cpu = bench_cpu(((const oc_grid_block_variant *)variant)->isa);
    oc_grid_sample_run(g);
}

/* Feature output channels of 32 channels, sampled at random positions; a few lie outside. */
static void bench_grid_blocks(const bench *b)
{
    enum { CHANNELS = 32, MOST = 128 * 128 };
    static float x[CHANNELS * MOST], y[CHANNELS * MOST], grid[2 * MOST];
    bench_fill(x, CHANNELS * MOST);
    bench_fill(grid, 2 * MOST);
    for (int i = 0; i < 4; i++) {
        const int side = i / 2 ? 128 : 32;
        const oc_position_array positions = {grid, OC_F32, side * side, 2, 0};
        oc_grid_sample g = {.sampler = {.rank = 2, .n = {side, side}},
                            .type = OC_F32,
                            .x = x,
                            .y = y,
                            .batch = 1,
                            .channels = CHANNELS,
                            .width = side,
                            .points = side * side,
                            .positions = oc_positions_from_array,
                            .source = &positions};
        g.sampler.mode = i % 2 ? OC_GRID_CUBIC : OC_GRID_LINEAR;
        g.scratch = aligned_alloc(64, oc_grid_sample_scratch(&g, 1));
        bench_case c = {.elements = CHANNELS * (double)g.points, .run = run_blocks, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%s, side %d", i % 2 ? "cubic" : "linear", side);
        BENCH(b, &c, oc_grid_block_variant, oc_grid_block_variants, isa);
        free(g.scratch);
    }
}

KERNEL_SUITE(grid_blocks, "a result", blocks_give_the_bits_of_nchw, scratch_is_bounded)
