/* SPDX-License-Identifier: Apache-2.0
 * check_grid_sample.c - GridSample against the definition, worked out point by point in double.
 *
 * Coordinates are multiples of 1/64 and sizes are small, so positions are exact in every type and
 * no rounding can take a point to another pixel; the values then differ by rounding alone. */
#include "bench.h"
#include "elements.h"
#include "kernels/sample/gather.h"
#include "kernels/sample/grid_sample.h"
#include "pool.h"

#include <string.h>

typedef struct shape {
    oc_sampler s;
    oc_type type, grid_type;
    int batch, channels, width, points;
} shape;

/* ---- the definition */

static double reflect(double x, double low, double high)
{
    if (low == high)
        return low;
    while (x < low || x > high)
        x = x < low ? 2 * low - x : 2 * high - x;
    return x;
}

/* Coordinate or pixel x moved into the image. */
static double pad(const oc_sampler *s, int axis, double x)
{
    const double last = s->n[axis] - 1;
    if (s->padding == OC_PAD_ZEROS)
        return x;
    if (isnan(x))
        return 0;
    if (s->padding == OC_PAD_REFLECTION) {
        if (isinf(x))
            return 0;
        x = s->align ? reflect(x, 0, last) : reflect(x, -0.5, last + 0.5);
    }
    return fmin(fmax(x, 0), last);
}

static double cubic(double d)
{
    const double a = -0.75;
    d = fabs(d);
    return d <= 1  ? (a + 2) * d * d * d - (a + 3) * d * d + 1
           : d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a
                   : 0;
}

/* The weight that pixel p of an axis has for a sample at x, all its images included. */
static double weight(const oc_sampler *s, int axis, double x, int p)
{
    if (s->mode == OC_GRID_CUBIC) {
        if (s->padding == OC_PAD_BORDER)
            x = isnan(x) ? 0 : fmin(fmax(x, -9), s->n[axis] + 9);
        if (s->padding == OC_PAD_REFLECTION && !isfinite(x))
            x = 0;
        if (isinf(x))
            return 0;
        double sum = 0;
        for (double tap = floor(x) - 1; tap <= floor(x) + 2; tap++)
            if (pad(s, axis, tap) == p)
                sum += cubic(x - tap);
        return sum;
    }
    x = pad(s, axis, x);
    if (s->mode == OC_GRID_LINEAR)
        return isinf(x) ? 0 : fmax(0, 1 - fabs(x - p));
    const double down = floor(x), t = x - down;
    return p == (t > 0.5 || (t == 0.5 && fmod(down, 2) != 0) ? down + 1 : down);
}

/* One result: the sum over all pixels of the image. */
static double sample(const oc_sampler *s, oc_type type, const char *plane, int part,
                     const double *at)
{
    int64_t plane_n = 1;
    bool nan = false;
    for (int a = 0; a < s->rank; a++) {
        plane_n *= s->n[a];
        nan |= isnan(at[a]);
    }
    if (nan && s->padding == OC_PAD_ZEROS)
        return (double)NAN;
    double sum = 0;
    for (int64_t p = 0; p < plane_n; p++) {
        double w = 1;
        int64_t rest = p;
        for (int a = s->rank - 1; a >= 0; rest /= s->n[a--]) {
            const int c = s->rank - 1 - a, n = s->n[a];
            const double x = s->align ? (at[c] + 1) / 2 * (n - 1) : ((at[c] + 1) * n - 1) / 2;
            w *= weight(s, a, x, (int)(rest % n));
        }
        if (w != 0)
            sum += w * element_get(type, plane, p * element_parts(type) + part);
    }
    return sum;
}

/* ---- random cases */

static double limit(oc_type type, bool high)
{
    const int bits = 8 * (int)oc_type_size(type) < 32 ? 8 * (int)oc_type_size(type) : 32;
    if (type == OC_BOOL)
        return high;
    if (!element_is_int(type))
        return high ? 1 : -1;
    if (type == OC_U8 || type == OC_U16 || type == OC_U32 || type == OC_U64)
        return high ? ldexp(1, bits) - 1 : 0;
    return high ? ldexp(1, bits - 1) - 1 : -ldexp(1, bits - 1);
}

static double pixel(suite_random *r, oc_type type)
{
    const double low = limit(type, false), high = limit(type, true);
    const double v = low + (high - low) * suite_below(r, 1 << 16) / 65535;
    return element_is_int(type) || type == OC_BOOL ? floor(v) : v;
}

static double coordinate(suite_random *r)
{
    static const double special[] = {-1, 1, 0, INFINITY, -INFINITY, NAN, 4096.25, -4095.75, 0.5};
    if (suite_below(r, 8) == 0)
        return special[suite_below(r, sizeof special / sizeof *special)];
    return ((double)suite_below(r, 257) - 128) / 64;
}

static oc_grid_sample new_job(const shape *h, const void *x, void *y, const void *outside,
                              const oc_position_array *positions)
{
    return (oc_grid_sample){.sampler = h->s,
                            .type = h->type,
                            .x = x,
                            .y = y,
                            .batch = h->batch,
                            .channels = h->channels,
                            .width = h->width,
                            .points = h->points,
                            .outside = outside,
                            .positions = oc_positions_from_array,
                            .source = positions,
                            .f64 = h->grid_type == OC_F64,
                            .cpu = oc_cpu_detect()};
}

static int64_t plane_of(const shape *h)
{
    int64_t n = 1;
    for (int a = 0; a < h->s.rank; a++)
        n *= h->s.n[a];
    return n;
}

static void check_point(const shape *h, const char *plane, const void *y, int64_t i,
                        const double *at, uint32_t seed)
{
    const int parts = element_parts(h->type);
    for (int part = 0; part < parts; part++) {
        double want = sample(&h->s, h->type, plane, part, at);
        const double got = element_get(h->type, y, i * parts + part);
        bool good =
            fabs(want - got) <= element_tolerance(h->type, want) || (isnan(want) && isnan(got));
        if (element_is_int(h->type) || h->type == OC_BOOL) {
            const double low = limit(h->type, false), high = limit(h->type, true);
            const double slack = 1e-5 + 1e-6 * (oc_type_size(h->type) < 4 ? high : 1e-3 * high);
            want = isnan(want) ? 0 : want;
            if (oc_type_size(h->type) < 8) /* pixels of 8 bytes stay far from their limits */
                want = fmin(fmax(want, low), high);
            else if (low == 0)
                want = fmax(want, 0);
            good = got >= trunc(want - slack) && got <= trunc(want + slack);
        }
        ck_assert_msg(good,
                      "type %s, grid %s, mode %d, padding %d, align %d, rank %d: %g, not %g; "
                      "OC_SEED=%u",
                      oc_type_name(h->type), oc_type_name(h->grid_type), (int)h->s.mode,
                      (int)h->s.padding, h->s.align, h->s.rank, got, want, seed);
    }
}

static void check_case(suite_random *r, const shape *h, uint32_t seed)
{
    const int parts = element_parts(h->type);
    const int64_t plane = plane_of(h), rank = h->s.rank;
    const int64_t n_x = h->batch * h->channels * plane, n_y = h->batch * h->channels * h->points;
    const int64_t n_grid = h->batch * h->points * rank;
    const size_t size = oc_type_size(h->type);
    char *x = calloc((size_t)n_x, size), *y = malloc((size_t)(n_y + 1) * size);
    double *grid = calloc((size_t)n_grid, sizeof *grid);
    void *stored = calloc((size_t)n_grid, oc_type_size(h->grid_type));
    char outside[2 * sizeof(double) * 2] = {0};
    for (int part = 0; part < parts && !element_is_int(h->type) && h->type != OC_BOOL; part++)
        element_set(h->type, outside, parts + part, (double)NAN);
    for (int64_t i = 0; i < n_x * parts; i++)
        element_set(h->type, x, i, pixel(r, h->type));
    for (int64_t i = 0; i < n_grid; i++) {
        element_set(h->grid_type, stored, i, coordinate(r));
        grid[i] = element_get(h->grid_type, stored, i); /* as the type has it */
    }
    memset(y, 0xa5, (size_t)(n_y + 1) * size);
    const oc_position_array positions = {stored, h->grid_type, h->points, (int)rank,
                                         oc_cpu_detect()};
    const oc_grid_sample job = new_job(h, x, y, outside, &positions);
    oc_grid_sample_run(&job);
    for (int64_t i = 0; i < n_y; i++) {
        const int64_t image = i / h->points / h->channels, point = i % h->points;
        check_point(h, x + (size_t)(i / h->points * plane) * size, y, i,
                    grid + (image * h->points + point) * rank, seed);
    }
    for (size_t i = 0; i < size; i++)
        ck_assert_int_eq((unsigned char)y[(size_t)n_y * size + i], 0xa5); /* nothing past the end */
    free(x);
    free(y);
    free(grid);
    free(stored);
}

static void check_mode(oc_grid_mode mode)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16, OC_I8,
                                    OC_U8,  OC_I16, OC_U16, OC_I32,  OC_U32,
                                    OC_I64, OC_U64, OC_C64, OC_C128, OC_BOOL};
    static const oc_type grids[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    const uint32_t n_types = mode == OC_GRID_NEAREST ? 15 : 14; /* bool has no weighted sum */
    suite_random r = suite_random_new(20);
    for (uint32_t i = 0; i < 3 * 2 * 4 * n_types * 4; i++) {
        const uint32_t seed = r.state;
        const int rank = 1 + (int)(i / 6 % 4);
        shape h = {.s = {.rank = rank,
                         .mode = mode,
                         .padding = (oc_grid_padding)(i % 3),
                         .align = i / 3 % 2},
                   .type = types[i / 24 % n_types],
                   .grid_type = grids[i / 24 / n_types],
                   .batch = 1 + (int)suite_below(&r, 2),
                   .channels = 1 + (int)suite_below(&r, 3),
                   .width = 1 + (int)suite_below(&r, rank > 2 ? 12 : 150)};
        h.points = h.width * (1 + (int)suite_below(&r, 300 / (uint32_t)h.width > 20 ? 20 : 3));
        for (int a = 0; a < rank; a++)
            h.s.n[a] = 1 + (int32_t)suite_below(&r, rank > 2 ? 3 : 6);
        check_case(&r, &h, seed);
    }
}

START_TEST(linear)
{
    check_mode(OC_GRID_LINEAR);
}
END_TEST

START_TEST(nearest)
{
    check_mode(OC_GRID_NEAREST);
}
END_TEST

START_TEST(cubic_of_every_rank)
{
    check_mode(OC_GRID_CUBIC);
}
END_TEST

/* Many tiles and more than one block of channels, shared among 1, 2 and 7 threads; and the
 * scalar variants alone. */
START_TEST(threads_and_variants_do_not_matter)
{
    enum { CHANNELS = 70, WIDTH = 150, POINTS = 4 * WIDTH, SIDE = 9 };
    static float x[2 * CHANNELS * SIDE * SIDE], y[4][2 * CHANNELS * POINTS], grid[2 * POINTS * 2];
    static const int threads[] = {1, 2, 7, 1};
    suite_random r = suite_random_new(3);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)pixel(&r, OC_F32);
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++)
        grid[i] = (float)suite_below(&r, 1 << 20) / (1 << 18) - 2;
    const oc_position_array positions = {grid, OC_F32, POINTS, 2, 0};
    const float outside[] = {0, NAN};
    for (int mode = 0; mode < 3; mode++) {
        const shape h = {.s = {.rank = 2, .n = {SIDE, SIDE}, .mode = (oc_grid_mode)mode},
                         .type = OC_F32,
                         .grid_type = OC_F32,
                         .batch = 2,
                         .channels = CHANNELS,
                         .width = WIDTH,
                         .points = POINTS};
        for (int i = 0; i < 4; i++) {
            pool p;
            pool_open(&p, threads[i]);
            oc_grid_sample job = new_job(&h, x, y[i], outside, &positions);
            job.cpu = i < 3 ? oc_cpu_detect() : OC_CPU_SCALAR;
            job.work = (oc_work){.parallel = &p.parallel, .threads = threads[i]};
            oc_grid_sample_run(&job);
            pool_close(&p);
        }
        ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
        ck_assert_mem_eq(y[0], y[2], sizeof y[0]);
        ck_assert_mem_eq(y[0], y[3], sizeof y[0]);
    }
}
END_TEST

/* ---- --bench */

static void run_planes(const void *variant, void *ctx)
{
    oc_grid_sample *g = ctx;
    g->cpu = bench_cpu(((const oc_gather_variant *)variant)->isa);
    oc_grid_sample_run(g);
}

/* An image of three channels, transposed a little; each channel by itself. */
static void bench_grid_sample(const bench *b)
{
    enum { SIDE = 256, POINTS = SIDE * SIDE };
    static const char *const modes[] = {"linear", "nearest", "cubic"};
    static const oc_type types[] = {OC_F32, OC_F64, OC_U8};
    static const double outside[2];
    static float grid[2 * POINTS];
    static double x[3 * POINTS], y[3 * POINTS];
    const oc_position_array positions = {grid, OC_F32, POINTS, 2, 0};
    for (int i = 0; i < POINTS; i++) {
        const float at_x = (float)(i % SIDE) / 128 - 1, at_y = (float)(i / SIDE) / 128 - 1;
        grid[2 * i] = 0.98f * at_x - 0.17f * at_y;
        grid[2 * i + 1] = 0.17f * at_x + 0.98f * at_y;
    }
    for (int i = 0; i < 9; i++) {
        const shape h = {.s = {.rank = 2, .n = {SIDE, SIDE}, .mode = (oc_grid_mode)(i % 3)},
                         .type = types[i / 3],
                         .grid_type = OC_F32,
                         .batch = 1,
                         .channels = 3,
                         .width = SIDE,
                         .points = POINTS};
        oc_grid_sample job = new_job(&h, x, y, outside, &positions);
        bench_case c = {.elements = 3 * POINTS, .run = run_planes, .ctx = &job};
        snprintf(c.name, sizeof c.name, "%s, %s", oc_type_name(h.type), modes[i % 3]);
        BENCH(b, &c, oc_gather_variant, oc_gather_variants, isa);
    }
}

KERNEL_SUITE(grid_sample, "a result", linear, nearest, cubic_of_every_rank,
             threads_and_variants_do_not_matter)
