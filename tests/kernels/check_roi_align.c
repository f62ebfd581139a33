/* SPDX-License-Identifier: Apache-2.0
 * check_roi_align.c - RoiAlign against the definition, sample by sample in double.
 *
 * Coordinates are multiples of 1/8 and bins are few, so that sample counts and range checks come
 * out alike in float and double; the values then differ by rounding alone. */
#include "elements.h"
#include "kernels/roi/roi_align.h"
#include "suite.h"

#include <string.h>
#include <time.h>

/* ---- the definition */

typedef struct corner {
    int64_t pixel;
    double weight;
} corner;

/* The two pixels of an axis around position at; false when it is outside. */
static bool corners(double at, int64_t n, corner c[2])
{
    if (at < -1 || at > (double)n)
        return false;
    at = fmin(fmax(at, 0), (double)(n - 1));
    const int64_t low = (int64_t)at < n - 1 ? (int64_t)at : n - 1;
    c[0] = (corner){low, 1 - (at - (double)low)};
    c[1] = (corner){low + 1 < n ? low + 1 : low, at - (double)low};
    return true;
}

static double sample(const oc_roi_align *g, int64_t plane, const corner y[2], const corner x[2])
{
    double sum = 0, max = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const int64_t p = plane * g->height * g->width + y[i / 2].pixel * g->width + x[i % 2].pixel;
        const double v = y[i / 2].weight * x[i % 2].weight * element_get(g->type, g->x, p);
        sum += v;
        max = v > max || isnan(v) ? v : max;
    }
    return g->mode == OC_ROI_MAX ? max : sum;
}

static double pooled(const oc_roi_align *g, int64_t roi, int64_t channel, int64_t ph, int64_t pw)
{
    const double offset = g->half_pixel ? 0.5 : 0;
    double start[2], bin[2], n[2];
    for (int a = 0; a < 2; a++) {
        const oc_type type = g->type == OC_F64 ? OC_F64 : OC_F32;
        start[a] = element_get(type, g->rois, roi * 4 + a) * (double)g->scale - offset;
        double side = element_get(type, g->rois, roi * 4 + 2 + a) * (double)g->scale - offset;
        side -= start[a];
        if (!g->half_pixel)
            side = fmax(side, 1);
        bin[a] = side / (double)(a ? g->out_h : g->out_w);
        n[a] = g->sampling_ratio ? (double)g->sampling_ratio : fmax(ceil(bin[a]), 0);
    }
    double sum = 0, max = -INFINITY;
    for (double iy = 0; iy < n[1]; iy++)
        for (double ix = 0; ix < n[0]; ix++) {
            corner y[2], x[2];
            double v = 0;
            if (corners(start[1] + (double)ph * bin[1] + (iy + 0.5) * bin[1] / n[1], g->height,
                        y) &&
                corners(start[0] + (double)pw * bin[0] + (ix + 0.5) * bin[0] / n[0], g->width, x))
                v = sample(g, g->image[roi] * g->channels + channel, y, x);
            sum += v;
            max = v > max || isnan(v) ? v : max;
        }
    if (n[0] * n[1] == 0)
        return 0;
    return g->mode == OC_ROI_AVG ? sum / (n[0] * n[1]) : max;
}

/* ---- random cases */

enum { IMAGES = 2, CHANNELS = 70, SIDE = 12, ROIS = 3, OUT = 4 };
enum { N_X = IMAGES * CHANNELS * SIDE * SIDE, N_Y = ROIS * CHANNELS * OUT * OUT };

/* Room for elements of any type. */
typedef struct memory {
    void *x, *y, *rois;
    int64_t *image;
} memory;

static memory memory_new(void)
{
    return (memory){calloc(N_X, sizeof(double)), calloc(N_Y + 1, sizeof(double)),
                    calloc(ROIS * 4, sizeof(double)), calloc(ROIS, sizeof(int64_t))};
}

static void memory_free(memory *m)
{
    free(m->x);
    free(m->y);
    free(m->rois);
    free(m->image);
}

static void run(oc_roi_align *g, int threads)
{
    oc_memory heap = oc_memory_new(NULL, 0);
    oc_threads *pool;
    oc_error e = {0};
    ck_assert_int_eq(oc_threads_new(&heap, threads, &pool, &e), OC_OK);
    const oc_parallel parallel = oc_threads_parallel(pool);
    const size_t size = oc_roi_align_scratch(g, threads);
    g->scratch = aligned_alloc(64, (size + 127) / 64 * 64);
    memset((char *)g->scratch + size, 0x5a, 64);
    oc_roi_align_run(g, &parallel, threads);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(((char *)g->scratch)[size + (size_t)i], 0x5a);
    free(g->scratch);
    oc_threads_free(pool);
}

static oc_roi_align random_job(suite_random *r, oc_type type, oc_roi_mode mode, memory *m)
{
    static const int64_t ratios[] = {0, 0, 0, 1, 2, 3, 8, 64};
    static const float scales[] = {1, 1, 0.5f, 0.25f, -1};
    const oc_roi_align g = {.mode = mode,
                            .type = type,
                            .x = m->x,
                            .rois = m->rois,
                            .image = m->image,
                            .y = m->y,
                            .channels = 1 + suite_below(r, 3),
                            .height = 1 + suite_below(r, SIDE),
                            .width = 1 + suite_below(r, SIDE),
                            .n_rois = 1 + suite_below(r, ROIS),
                            .out_h = INT64_C(1) << suite_below(r, 3),
                            .out_w = INT64_C(1) << suite_below(r, 3),
                            .sampling_ratio = ratios[suite_below(r, 8)],
                            .scale = scales[suite_below(r, 5)],
                            .half_pixel = suite_below(r, 2),
                            .cpu = oc_cpu_detect()};
    const oc_type roi_type = type == OC_F64 ? OC_F64 : OC_F32;
    for (int64_t i = 0; i < IMAGES * g.channels * g.height * g.width; i++)
        element_set(type, m->x, i, (double)suite_below(r, 2001) / 1000 - 1);
    for (int64_t i = 0; i < g.n_rois; i++) {
        const uint32_t wide = suite_below(r, 8) ? 16 : 400; /* mostly about the map */
        m->image[i] = suite_below(r, IMAGES);
        for (int k = 0; k < 4; k++)
            element_set(roi_type, m->rois, i * 4 + k,
                        (double)suite_below(r, wide * 8) / 8 - wide / 4);
    }
    return g;
}

static void check_mode(oc_roi_mode mode)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    memory m = memory_new();
    suite_random r = suite_random_new(5);
    for (int round = 0; round < 1200; round++) {
        const uint32_t seed = r.state;
        const oc_type type = types[round % 4];
        oc_roi_align g = random_job(&r, type, mode, &m);
        const int64_t n = g.n_rois * g.channels * g.out_h * g.out_w;
        if (suite_below(&r, 4) == 0) /* a pixel that only the bins that meet it may see */
            element_set(type, m.x, suite_below(&r, (uint32_t)(g.height * g.width)), (double)NAN);
        memset(m.y, 0xa5, (N_Y + 1) * sizeof(double));
        ck_assert_int_eq(oc_roi_align_bad(&g), -1);
        run(&g, 1);
        for (int64_t i = 0; i < n; i++) {
            const int64_t pw = i % g.out_w, ph = i / g.out_w % g.out_h;
            const int64_t plane = i / g.out_w / g.out_h;
            const double want = pooled(&g, plane / g.channels, plane % g.channels, ph, pw);
            const double got = element_get(type, m.y, i);
            ck_assert_msg(fabs(want - got) <= element_tolerance(type, want) ||
                              (isnan(want) && isnan(got)),
                          "%s, ratio %d, half_pixel %d: %g, not %g; OC_SEED=%u", oc_type_name(type),
                          (int)g.sampling_ratio, g.half_pixel, got, want, seed);
        }
        ck_assert_int_eq(((unsigned char *)m.y)[(size_t)n * oc_type_size(type)], 0xa5);
    }
    memory_free(&m);
}

START_TEST(average)
{
    check_mode(OC_ROI_AVG);
}
END_TEST

START_TEST(maximum_of_corners)
{
    check_mode(OC_ROI_MAX);
}
END_TEST

START_TEST(maximum_of_samples)
{
    check_mode(OC_ROI_BILINEAR_MAX);
}
END_TEST

/* There are 2^60 samples and more in most of these. */
START_TEST(huge_regions_cost_what_the_map_costs)
{
    memory m = memory_new();
    const clock_t begin = clock();
    for (int i = 0; i < 9; i++)
        ((float *)m.x)[i] = 1;
    oc_roi_align g = {.type = OC_F32,
                      .x = m.x,
                      .rois = m.rois,
                      .image = m.image,
                      .y = m.y,
                      .channels = 1,
                      .height = 3,
                      .width = 3,
                      .n_rois = 1,
                      .out_h = 2,
                      .out_w = 2,
                      .sampling_ratio = INT64_C(1) << 30,
                      .scale = 1,
                      .half_pixel = true,
                      .cpu = oc_cpu_detect()};
    const float rois[][4] = {{0.5f, 0.5f, 2.5f, 2.5f},
                             {-1e9f, -1e9f, 1e9f, 1e9f},
                             {-1e38f, 0, 1e38f, 1e30f},
                             {-3e9f, -3, 3e9f, 6}};
    for (int mode = 0; mode < OC_N_ROI_MODES; mode++)
        for (int ratio = 0; ratio < 2; ratio++)
            for (size_t i = 0; i < sizeof rois / sizeof *rois; i++) {
                g.mode = (oc_roi_mode)mode;
                g.sampling_ratio = ratio ? INT64_C(1) << 30 : 0;
                memcpy(m.rois, rois[i], sizeof rois[i]);
                ck_assert_int_eq(oc_roi_align_bad(&g), -1);
                run(&g, 1);
                for (int k = 0; k < 4; k++) {
                    const float got = ((const float *)m.y)[k];
                    ck_assert(got >= 0 && got <= 1.0001f);
                    if (i == 0) /* inside the map, of pixels that are all 1 */
                        ck_assert(fabsf(got - 1) < (mode == OC_ROI_MAX && !ratio ? 1 : 1e-5f));
                }
            }
    ck_assert_int_lt((clock() - begin) / CLOCKS_PER_SEC, 5);
    memory_free(&m);
}
END_TEST

/* More bins in a row than are kept at one time. */
START_TEST(long_rows_of_bins)
{
    enum { BINS = 512, WIDE = 4000 };
    memory m = memory_new();
    static float y[BINS];
    suite_random r = suite_random_new(4);
    for (int round = 0; round < 12; round++) {
        oc_roi_align g = random_job(&r, OC_F32, (oc_roi_mode)(round % 3), &m);
        const bool wide = round % 2;
        g.n_rois = g.channels = g.out_h = 1;
        g.out_w = BINS;
        g.y = y;
        g.scale = 1;
        g.sampling_ratio = round < 6 ? 2 : 64;
        m.image[0] = 0;
        if (wide) {
            g.height = 2;
            g.width = WIDE;
            for (int64_t i = 0; i < g.height * g.width; i++)
                element_set(OC_F32, m.x, i, (double)suite_below(&r, 1000) / 1000);
        }
        ((float *)m.rois)[0] = -1.25f;
        ((float *)m.rois)[2] = wide ? 4094.75f : 14.75f; /* 8, or 1/32, for each bin */
        run(&g, 1);
        for (int i = 0; i < BINS; i++) {
            const double want = pooled(&g, 0, 0, 0, i);
            ck_assert_msg(fabs(want - (double)y[i]) < 4e-6, "bin %d: %g, not %g", i, (double)y[i],
                          want);
        }
    }
    memory_free(&m);
}
END_TEST

START_TEST(bad_regions_are_found)
{
    memory m = memory_new();
    oc_roi_align g = {.type = OC_F32, .rois = m.rois, .n_rois = 3, .scale = 2};
    float *rois = m.rois;
    ck_assert_int_eq(oc_roi_align_bad(&g), -1);
    rois[11] = NAN;
    ck_assert_int_eq(oc_roi_align_bad(&g), 2);
    rois[6] = 3e38f; /* too large once scaled */
    ck_assert_int_eq(oc_roi_align_bad(&g), 1);
    rois[0] = -1.5e38f;
    rois[2] = 1.5e38f; /* a side too large */
    ck_assert_int_eq(oc_roi_align_bad(&g), 0);
    memory_free(&m);
}
END_TEST

/* Regions anywhere: inside, about and far outside, negative, of no size, huge. */
static void hostile_rois(suite_random *r, const oc_roi_align *g, void *rois)
{
    static const double far[] = {0, -1, 1e4, -1e6, 3e7, -2e9, 1e18, 0x1p-140};
    for (int64_t i = 0; i < g->n_rois * 4; i++)
        element_set(g->type == OC_F64 ? OC_F64 : OC_F32, rois, i,
                    suite_below(r, 12) ? (double)suite_below(r, 5000) / 200 - 6
                                       : far[suite_below(r, 8)]);
}

/* Pixels of which some are NaN, Inf, or zeros of either sign. */
static void hostile_pixels(suite_random *r, const oc_roi_align *g, void *x)
{
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 0, -0.0};
    const uint32_t rare = suite_below(r, 2) ? 200 : 1u << 30;
    for (int64_t i = 0; i < IMAGES * g->channels * g->height * g->width; i++)
        element_set(g->type, x, i,
                    suite_below(r, rare) ? (double)suite_below(r, 2001) / 1000 - 1
                                         : odd[suite_below(r, 5)]);
}

static void check_same(const oc_roi_align *g, const void *y, const void *want, unsigned cpu,
                       int threads, uint32_t seed)
{
    const size_t size = oc_type_size(g->type);
    for (int64_t i = 0; i < N_Y; i++) {
        const size_t at = (size_t)i * size;
        if (memcmp((const char *)y + at, (const char *)want + at, size) != 0)
            suite_assert(isnan(element_get(g->type, y, i)) && isnan(element_get(g->type, want, i)),
                         "%s, mode %d, %d channels, cpu %x, %d threads: element %d is %g, not %g; "
                         "OC_SEED=%u",
                         oc_type_name(g->type), (int)g->mode, (int)g->channels, cpu, threads,
                         (int)i, element_get(g->type, y, i), element_get(g->type, want, i), seed);
    }
}

/* Channels by blocks or by planes, by any variant, on any number of threads. */
START_TEST(threads_and_variants_do_not_matter)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    static const unsigned masks[] = {OC_CPU_AVX2 | OC_CPU_AVX512, OC_CPU_AVX2, OC_CPU_NEON};
    static const int threads[] = {1, 2, 7};
    memory m = memory_new();
    void *want = calloc(N_Y, sizeof(double));
    suite_random r = suite_random_new(9);
    for (int round = 0; round < 1200; round++) {
        const uint32_t seed = r.state;
        oc_roi_align g = random_job(&r, types[round % 4], (oc_roi_mode)(round / 4 % 3), &m);
        g.channels = 1 + suite_below(&r, 40);
        g.out_h = 1 + suite_below(&r, OUT);
        g.out_w = 1 + suite_below(&r, OUT);
        hostile_rois(&r, &g, m.rois);
        hostile_pixels(&r, &g, m.x);
        if (oc_roi_align_bad(&g) >= 0)
            continue;
        g.y = want;
        g.cpu = OC_CPU_SCALAR;
        memset(want, 0xa5, N_Y * sizeof(double));
        run(&g, 1);
        g.y = m.y;
        for (int i = 0; i < 3; i++) {
            const int n = threads[(round + i) % 3];
            g.cpu = masks[i] & oc_cpu_detect();
            memset(m.y, 0xa5, N_Y * sizeof(double));
            run(&g, n);
            check_same(&g, m.y, want, g.cpu, n, seed);
        }
    }
    free(want);
    memory_free(&m);
}
END_TEST

/* Several groups of blocks, several chunks of regions, rows longer than a tile, a map of which
 * little is looked at, an output larger than caches; each against the scalar variant. */
START_TEST(large_jobs)
{
    static const struct {
        int64_t channels, height, width, rois, out_h, out_w;
        double side; /* of a region, at most */
    } jobs[] = {{33, 300, 500, 3, 7, 5, 400},    {33, 300, 500, 2, 2, 3, 3},
                {9, 20, 30, 20000, 1, 1, 20},    {20, 30, 20, 2, 3, 600, 25},
                {17, 40, 9, 300, 40, 9, 8},      {8, 6, 7, 2, 5000, 1, 9},
                {24, 200, 300, 20, 16, 16, 200}, {33, 20, 20, 700, 10, 10, 15}};
    suite_random r = suite_random_new(2);
    for (size_t k = 0; k < 2 * sizeof jobs / sizeof *jobs; k++) {
        const size_t i = k / 2;
        oc_roi_align g = {.mode = (oc_roi_mode)(k % 3),
                          .type = OC_F32,
                          .channels = jobs[i].channels,
                          .height = jobs[i].height,
                          .width = jobs[i].width,
                          .n_rois = jobs[i].rois,
                          .out_h = jobs[i].out_h,
                          .out_w = jobs[i].out_w,
                          .sampling_ratio = k % 2 * 2,
                          .scale = 1,
                          .half_pixel = true};
        const int64_t n_x = IMAGES * g.channels * g.height * g.width;
        const int64_t n_y = g.n_rois * g.channels * g.out_h * g.out_w;
        float *x = malloc((size_t)n_x * sizeof *x), *y = malloc((size_t)n_y * sizeof *y);
        float *want = malloc((size_t)n_y * sizeof *want);
        float *rois = malloc((size_t)g.n_rois * 4 * sizeof *rois);
        int64_t *image = malloc((size_t)g.n_rois * sizeof *image);
        for (int64_t p = 0; p < n_x; p++)
            x[p] = (float)suite_below(&r, 2001) / 1000 - 1;
        for (int64_t p = 0; p < g.n_rois; p++) {
            image[p] = suite_below(&r, IMAGES);
            for (int a = 0; a < 2; a++) {
                const double n = (double)(a ? g.height : g.width) * suite_below(&r, 1001) / 1000;
                rois[p * 4 + a] = (float)n;
                rois[p * 4 + 2 + a] = (float)(n + jobs[i].side * suite_below(&r, 1001) / 1000);
            }
        }
        g.x = x;
        g.rois = rois;
        g.image = image;
        g.y = want;
        run(&g, 2);
        g.y = y;
        g.cpu = oc_cpu_detect();
        run(&g, 2);
        ck_assert_msg(memcmp(y, want, (size_t)n_y * sizeof *y) == 0, "job %d", (int)k);
        free(x);
        free(y);
        free(want);
        free(rois);
        free(image);
    }
}
END_TEST

SUITE("roi_align", average, maximum_of_corners, maximum_of_samples,
      huge_regions_cost_what_the_map_costs, long_rows_of_bins, bad_regions_are_found,
      threads_and_variants_do_not_matter, large_jobs)
