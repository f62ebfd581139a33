/* SPDX-License-Identifier: Apache-2.0
 * check_affine_grid.c - AffineGrid against the definition in double, in pieces and on threads. */
#include "bench.h"
#include "elements.h"
#include "kernels/sample/affine_grid.h"
#include "kernels/sample/grid_sample.h"
#include "pool.h"

#include <string.h>

enum { MOST = 3 * 1000 * 3 }; /* numbers of the largest case */

/* The coordinate of point i among n, in closed form. */
static double place(bool align, int64_t n, int64_t i)
{
    if (align)
        return n == 1 ? 0 : 2.0 * (double)i / (double)(n - 1) - 1;
    return (2.0 * (double)i + 1) / (double)n - 1;
}

static double expected(const oc_affine_grid *g, const double *theta, int64_t point, int k)
{
    const double *row = theta + k * (g->rank + 1);
    double sum = row[g->rank];
    for (int a = g->rank - 1; a >= 0; point /= g->n[a--])
        sum += row[g->rank - 1 - a] * place(g->align, g->n[a], point % g->n[a]);
    return sum;
}

static oc_affine_grid random_grid(suite_random *r, oc_type type)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 10};
    oc_affine_grid g = {.rank = 2 + (int)suite_below(r, 2),
                        .align = suite_below(r, 2),
                        .type = type,
                        .batch = 1 + suite_below(r, 3),
                        .cpu = oc_cpu_detect()};
    for (int a = 0; a < g.rank; a++)
        g.n[a] = sizes[suite_below(r, sizeof sizes / sizeof *sizes)];
    return g;
}

static int64_t points_of(const oc_affine_grid *g)
{
    int64_t n = 1;
    for (int a = 0; a < g->rank; a++)
        n *= g->n[a];
    return n;
}

START_TEST(as_defined)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    double exact[36];
    void *y = malloc((MOST + 1) * sizeof(double)), *theta = malloc(36 * sizeof(double));
    suite_random r = suite_random_new(7);
    for (int round = 0; round < 800; round++) {
        const uint32_t seed = r.state;
        const oc_type type = types[round % 4];
        oc_affine_grid g = random_grid(&r, type);
        const int64_t points = points_of(&g), size = g.rank * (g.rank + 1);
        for (int64_t i = 0; i < g.batch * size; i++) {
            element_set(type, theta, i, (double)suite_below(&r, 4001) / 1000 - 2);
            exact[i] = element_get(type, theta, i);
        }
        memset(y, 0xa5, (MOST + 1) * sizeof(double));
        g.theta = theta;
        g.y = y;
        oc_affine_grid_run(&g);
        const int64_t n = g.batch * points * g.rank;
        for (int64_t i = 0; i < n; i++) {
            const int64_t image = i / g.rank / points;
            const double want =
                expected(&g, exact + image * size, i / g.rank % points, (int)(i % g.rank));
            const double got = element_get(type, y, i);
            const double slack =
                (type == OC_F64 ? 1e-14 : 4e-6) + fabs(want) * (type == OC_F16    ? 0x1p-11
                                                                : type == OC_BF16 ? 0x1p-8
                                                                                  : 0);
            ck_assert_msg(fabs(want - got) <= slack,
                          "%s, rank %d, align %d: %g, not %g; OC_SEED=%u", oc_type_name(type),
                          g.rank, g.align, got, want, seed);
        }
        const unsigned char *past = (const unsigned char *)y + (size_t)n * oc_type_size(type);
        for (int i = 0; i < 8; i++)
            ck_assert_int_eq(past[i], 0xa5);
    }
    free(y);
    free(theta);
}
END_TEST

/* Every variant, over any run of points, gives the bits that scalar gives for the whole. */
START_TEST(variants_in_pieces)
{
    static float whole[MOST], part[MOST + 4], theta[12];
    static double whole_f64[MOST], part_f64[MOST + 4], theta_f64[12];
    suite_random r = suite_random_new(11);
    const oc_affine_variant *scalar;
    OC_VARIANT_PICK(scalar, oc_affine_variants, isa, OC_CPU_SCALAR);
    for (int round = 0; round < 200; round++) {
        const uint32_t seed = r.state;
        oc_affine_grid g = random_grid(&r, OC_F32);
        const oc_affine_axes axes = oc_affine_source_new(&g, NULL).axes;
        g.type = OC_F64;
        const oc_affine_axes axes_f64 = oc_affine_source_new(&g, NULL).axes;
        const int64_t points = points_of(&g), first = suite_below(&r, (uint32_t)points);
        const int64_t count = 1 + suite_below(&r, (uint32_t)(points - first));
        const size_t numbers = (size_t)(count * g.rank), start = (size_t)(first * g.rank);
        for (int i = 0; i < 12; i++)
            theta[i] = (float)(theta_f64[i] = (double)suite_below(&r, 1 << 20) / (1 << 18) - 2);
        scalar->f32(whole, theta, &axes, 0, points);
        scalar->f64(whole_f64, theta_f64, &axes_f64, 0, points);
        EACH_VARIANT (oc_affine_variant, v, oc_affine_variants) {
            memset(part, 0xa5, sizeof part);
            v->f32(part, theta, &axes, first, count);
            ck_assert_msg(!memcmp(whole + start, part, numbers * sizeof *part), "%s; OC_SEED=%u",
                          v->isa, seed);
            ck_assert_int_eq(((unsigned char *)(part + numbers))[0], 0xa5);
            memset(part_f64, 0xa5, sizeof part_f64);
            v->f64(part_f64, theta_f64, &axes_f64, first, count);
            ck_assert_msg(!memcmp(whole_f64 + start, part_f64, numbers * sizeof *part_f64),
                          "%s; OC_SEED=%u", v->isa, seed);
            ck_assert_int_eq(((unsigned char *)(part_f64 + numbers))[0], 0xa5);
        }
    }
}
END_TEST

/* Positions made on the way are those read back from memory, in every type and in any pieces. */
START_TEST(positions_as_stored)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    static float wide[36];
    static double stored[MOST], want[MOST], got[MOST + 1], theta[36];
    suite_random r = suite_random_new(13);
    for (int round = 0; round < 800; round++) {
        const uint32_t seed = r.state;
        oc_affine_grid g = random_grid(&r, types[round % 4]);
        const int64_t points = points_of(&g), first = suite_below(&r, (uint32_t)points);
        const int n = 1 + (int)suite_below(&r, (uint32_t)(points - first));
        const int64_t image = suite_below(&r, (uint32_t)g.batch);
        const bool f64 = g.type == OC_F64 || suite_below(&r, 2);
        for (int i = 0; i < 36; i++)
            element_set(g.type, theta, i, (double)suite_below(&r, 1 << 20) / (1 << 18) - 2);
        g.theta = theta;
        g.y = stored;
        oc_affine_grid_run(&g);
        const oc_position_array array = {stored, g.type, points, g.rank, g.cpu};
        memset(got, 0xa5, sizeof got);
        oc_positions_from_array(&array, image, first, n, f64, want);
        g.y = NULL;
        const oc_affine_source source = oc_affine_source_new(&g, round % 8 < 4 ? wide : NULL);
        oc_positions_from_affine(&source, image, first, n, f64, got);
        const size_t size = (size_t)(n * g.rank) * (f64 ? sizeof(double) : sizeof(float));
        ck_assert_msg(memcmp(want, got, size) == 0, "%s, f64 %d; OC_SEED=%u", oc_type_name(g.type),
                      f64, seed);
        ck_assert_int_eq(((unsigned char *)got)[size], 0xa5);
    }
}
END_TEST

START_TEST(threads_do_not_matter)
{
    static float y[3][2 * 31 * 29 * 3 * 3];
    static float theta[24];
    static const int threads[] = {1, 2, 7};
    for (int i = 0; i < 24; i++)
        theta[i] = 0.25f + (float)i / 7;
    for (int i = 0; i < 3; i++) {
        pool p;
        pool_open(&p, threads[i]);
        oc_affine_grid g = {.rank = 3,
                            .n = {3, 31, 29},
                            .type = OC_F32,
                            .batch = 2,
                            .theta = theta,
                            .y = y[i],
                            .cpu = oc_cpu_detect()};
        g.work = (oc_work){.parallel = &p.parallel, .threads = threads[i]};
        oc_affine_grid_run(&g);
        pool_close(&p);
    }
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
    ck_assert_mem_eq(y[0], y[2], sizeof y[0]);
}
END_TEST

/* ---- --bench */

typedef struct stretch {
    oc_affine_axes axes;
    bool f64;
    int64_t count;
    const void *theta;
    void *y;
} stretch;

static void run_points(const void *variant, void *ctx)
{
    const oc_affine_variant *v = variant;
    const stretch *s = ctx;
    (s->f64 ? v->f64 : v->f32)(s->y, s->theta, &s->axes, 0, s->count);
}

/* A tile of GridSample's, and a grid that no near cache keeps. */
static void bench_affine_grid(const bench *b)
{
    enum { SIDE = 64, POINTS = SIDE * SIDE * SIDE };
    static double theta[12], y[POINTS * 3];
    for (int i = 0; i < 8; i++) {
        const bool f64 = i / 2 % 2;
        oc_affine_grid g = {.rank = 2 + i / 4, .type = f64 ? OC_F64 : OC_F32};
        for (int a = 0; a < g.rank; a++)
            g.n[a] = a > 0 || g.rank == 3 ? SIDE : SIDE * SIDE;
        stretch s = {oc_affine_source_new(&g, NULL).axes, f64, i % 2 ? POINTS : 512, theta, y};
        bench_case c = {.elements = (double)s.count, .run = run_points, .ctx = &s};
        c.bytes = c.elements * g.rank * (f64 ? 8 : 4);
        snprintf(c.name, sizeof c.name, "%s, rank %d, %d points", oc_type_name(g.type), g.rank,
                 (int)s.count);
        BENCH(b, &c, oc_affine_variant, oc_affine_variants, f32);
    }
}

KERNEL_SUITE(affine_grid, "a point", as_defined, variants_in_pieces, positions_as_stored,
             threads_do_not_matter)
