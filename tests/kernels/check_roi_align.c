/* SPDX-License-Identifier: Apache-2.0
 * check_roi_align.c - RoiAlign against the definition, sample by sample in double.
 *
 * Sample counts and range checks come out alike in float and double (roi_jobs.h); the values then
 * differ by rounding alone. */
#include "bench.h"
#include "roi_jobs.h"

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

static void check_mode(oc_roi_mode mode)
{
    static const oc_type types[] = {OC_F32, OC_F64, OC_F16, OC_BF16};
    roi_memory m = roi_memory_new();
    suite_random r = suite_random_new(5);
    for (int round = 0; round < 1200; round++) {
        const uint32_t seed = r.state;
        const oc_type type = types[round % 4];
        oc_roi_align g = roi_random_job(&r, type, mode, &m);
        const int64_t n = g.n_rois * g.channels * g.out_h * g.out_w;
        if (suite_below(&r, 4) == 0) /* a pixel that only the bins that meet it may see */
            element_set(type, m.x, suite_below(&r, (uint32_t)(g.height * g.width)), (double)NAN);
        memset(m.y, 0xa5, (N_Y + 1) * sizeof(double));
        ck_assert_int_eq(oc_roi_align_bad(&g), -1);
        roi_run(&g, 1);
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
    roi_memory_free(&m);
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
    roi_memory m = roi_memory_new();
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
                roi_run(&g, 1);
                for (int k = 0; k < 4; k++) {
                    const float got = ((const float *)m.y)[k];
                    ck_assert(got >= 0 && got <= 1.0001f);
                    if (i == 0) /* inside the output channel, of pixels that are all 1 */
                        ck_assert(fabsf(got - 1) < (mode == OC_ROI_MAX && !ratio ? 1 : 1e-5f));
                }
            }
    ck_assert_int_lt((clock() - begin) / CLOCKS_PER_SEC, 5);
    roi_memory_free(&m);
}
END_TEST

/* More bins in a row than are kept at one time. */
START_TEST(long_rows_of_bins)
{
    enum { BINS = 512, WIDE = 4000 };
    roi_memory m = roi_memory_new();
    static float y[BINS];
    suite_random r = suite_random_new(4);
    for (int round = 0; round < 12; round++) {
        oc_roi_align g = roi_random_job(&r, OC_F32, (oc_roi_mode)(round % 3), &m);
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
        roi_run(&g, 1);
        for (int i = 0; i < BINS; i++) {
            const double want = pooled(&g, 0, 0, 0, i);
            ck_assert_msg(fabs(want - (double)y[i]) < 4e-6, "bin %d: %g, not %g", i, (double)y[i],
                          want);
        }
    }
    roi_memory_free(&m);
}
END_TEST

START_TEST(bad_regions_are_found)
{
    roi_memory m = roi_memory_new();
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
    roi_memory_free(&m);
}
END_TEST

/* ---- --bench */

static void run_job(const void *variant, void *ctx)
{
    oc_roi_align *g = ctx;
    g->cpu = bench_cpu(((const oc_roi_variant *)variant)->isa);
    oc_roi_align_run(g);
}

/* Regions of a detector: of all sizes on one output channel, in bins of 7 x 7. */
static void random_regions(float *rois, int n, int side)
{
    suite_random r = {3};
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 2; a++) {
            rois[i * 4 + a] = (float)suite_below(&r, 1000) * (float)side / 1250;
            rois[i * 4 + 2 + a] = rois[i * 4 + a] + 1 + (float)suite_below(&r, 1000) / 50;
        }
}

static void bench_roi_align(const bench *b)
{
    enum { MAP = 50, REGIONS = 60, BINS = 7, MOST = 64 };
    static const char *const modes[] = {"avg", "max", "bilinear max"};
    static float x[MOST * MAP * MAP], y[REGIONS * MOST * BINS * BINS], rois[REGIONS * 4];
    static const int64_t image[REGIONS];
    bench_fill(x, MOST * MAP * MAP);
    random_regions(rois, REGIONS, MAP);
    for (int i = 0; i < 6; i++) {
        oc_roi_align g = {.mode = (oc_roi_mode)(i / 2),
                          .type = OC_F32,
                          .x = x,
                          .rois = rois,
                          .image = image,
                          .y = y,
                          .channels = i % 2 ? MOST : 2,
                          .height = MAP,
                          .width = MAP,
                          .n_rois = REGIONS,
                          .out_h = BINS,
                          .out_w = BINS,
                          .sampling_ratio = 2,
                          .scale = 1,
                          .half_pixel = true,
                          .cpu = oc_cpu_detect()};
        oc_roi_align_measure(&g);
        const size_t size = (size_t)oc_roi_align_scratch(&g);
        g.scratch = aligned_alloc(64, (size + 63) / 64 * 64);
        bench_case c = {
            .elements = REGIONS * BINS * BINS * (double)g.channels, .run = run_job, .ctx = &g};
        snprintf(c.name, sizeof c.name, "%s, %d channels", modes[i / 2], (int)g.channels);
        BENCH(b, &c, oc_roi_variant, oc_roi_variants, isa);
        free(g.scratch);
    }
}

KERNEL_SUITE(roi_align, "a bin", average, maximum_of_corners, maximum_of_samples,
             huge_regions_cost_what_the_map_costs, long_rows_of_bins, bad_regions_are_found)
