/* SPDX-License-Identifier: Apache-2.0
 * check_roi_variants.c - RoiAlign by every variant, by blocks and by planes, on any number of
 * threads: the scalar variant's bits. */
#include "roi_jobs.h"

/* Regions anywhere: inside, about and far outside, negative, of no size, huge. */
static void hostile_rois(suite_random *r, const oc_roi_align *g, void *rois)
{
    static const double far[] = {0, -1, 1e4, -1e6, 3e7, -2e9, 1e18, 0x1p-140};
    for (int64_t i = 0; i < g->n_rois * 4; i++)
        element_set(g->type == OC_F64 ? OC_F64 : OC_F32, rois, i,
                    suite_below(r, 12) ? (double)suite_below(r, 5000) / 200 - 6
                                       : far[suite_below(r, 8)]);
}

/* Pixels; some are NaN, Inf, or zeros of either sign. */
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
    roi_memory m = roi_memory_new();
    void *want = calloc(N_Y, sizeof(double));
    suite_random r = suite_random_new(9);
    for (int round = 0; round < 1200; round++) {
        const uint32_t seed = r.state;
        oc_roi_align g = roi_random_job(&r, types[round % 4], (oc_roi_mode)(round / 4 % 3), &m);
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
        roi_run(&g, 1);
        g.y = m.y;
        for (int i = 0; i < 3; i++) {
            const int n = threads[(round + i) % 3];
            g.cpu = masks[i] & oc_cpu_detect();
            memset(m.y, 0xa5, N_Y * sizeof(double));
            roi_run(&g, n);
            check_same(&g, m.y, want, g.cpu, n, seed);
        }
    }
    free(want);
    roi_memory_free(&m);
}
END_TEST

/* Several groups of blocks, several chunks of regions, rows longer than a tile, an output
 * channel that is little looked at, an output larger than caches; each against the scalar
 * variant. */
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
        roi_run(&g, 2);
        g.y = y;
        g.cpu = oc_cpu_detect();
        roi_run(&g, 2);
        ck_assert_msg(memcmp(y, want, (size_t)n_y * sizeof *y) == 0, "job %d", (int)k);
        free(x);
        free(y);
        free(want);
        free(rois);
        free(image);
    }
}
END_TEST

SUITE("roi_variants", threads_and_variants_do_not_matter, large_jobs)
