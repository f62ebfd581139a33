/* SPDX-License-Identifier: Apache-2.0
 * roi_jobs.h - random jobs for RoiAlign, and running them.
 *
 * Coordinates are multiples of 1/8 and bins are few, so that sample counts and range checks come
 * out alike in float and double. */
#pragma once

#include "elements.h"
#include "kernels/roi/roi_align.h"
#include "kernels/roi/roi_bins.h"
#include "pool.h"

#include <string.h>

enum { IMAGES = 2, CHANNELS = 70, SIDE = 12, ROIS = 3, OUT = 4 };
enum { N_X = IMAGES * CHANNELS * SIDE * SIDE, N_Y = ROIS * CHANNELS * OUT * OUT };

/* Room for elements of any type. */
typedef struct roi_memory {
    void *x, *y, *rois;
    int64_t *image;
} roi_memory;

static inline roi_memory roi_memory_new(void)
{
    return (roi_memory){calloc(N_X, sizeof(double)), calloc(N_Y + 1, sizeof(double)),
                        calloc(ROIS * 4, sizeof(double)), calloc(ROIS, sizeof(int64_t))};
}

static inline void roi_memory_free(roi_memory *m)
{
    free(m->x);
    free(m->y);
    free(m->rois);
    free(m->image);
}

/* Runs on this number of threads; nothing may be written past the scratch memory. */
static inline void roi_run(oc_roi_align *g, int threads)
{
    pool p;
    pool_open(&p, threads);
    g->work = (oc_work){.parallel = &p.parallel, .threads = threads};
    oc_roi_align_measure(g);
    const size_t size = (size_t)oc_roi_align_scratch(g);
    g->scratch = aligned_alloc(64, (size + 127) / 64 * 64);
    memset((char *)g->scratch + size, 0x5a, 64);
    oc_roi_align_run(g);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(((char *)g->scratch)[size + (size_t)i], 0x5a);
    free(g->scratch);
    pool_close(&p);
}

static inline oc_roi_align roi_random_job(suite_random *r, oc_type type, oc_roi_mode mode,
                                          roi_memory *m)
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
        const uint32_t wide = suite_below(r, 8) ? 16 : 400; /* mostly about the output channel */
        m->image[i] = suite_below(r, IMAGES);
        for (int k = 0; k < 4; k++)
            element_set(roi_type, m->rois, i * 4 + k,
                        (double)suite_below(r, wide * 8) / 8 - wide / 4);
    }
    return g;
}
