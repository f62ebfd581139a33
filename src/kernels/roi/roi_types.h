/* SPDX-License-Identifier: Apache-2.0
 * roi_types.h - the arguments of RoiAlign. */
#pragma once

#include "base/work.h"

typedef enum oc_roi_mode {
    OC_ROI_AVG,
    OC_ROI_MAX,
    OC_ROI_BILINEAR_MAX,
    OC_N_ROI_MODES
} oc_roi_mode;

/* A RoiAlign; roi_align.h says what it computes. */
typedef struct oc_roi_align {
    oc_roi_mode mode;
    oc_type type;         /* type of x and y: float, double, float16 or bfloat16 */
    const void *x;        /* [images][channels][height][width] */
    const void *rois;     /* [n_rois][4]: x1, y1, x2, y2; double for double, else float */
    const int64_t *image; /* [n_rois]; each is an image of x */
    void *y;              /* [n_rois][channels][out_h][out_w] */
    int64_t channels, height, width; /* height and width are 1 to OC_ROI_SIDE_MAX */
    int64_t n_rois, out_h, out_w;
    int64_t sampling_ratio; /* at least 0 */
    float scale;            /* scale of the regions' coordinates */
    /* true: regions are shifted by half a pixel; false: they are not, and their sides are at
     * least 1 */
    bool half_pixel;
    void *scratch; /* oc_roi_align_scratch bytes, aligned to 64 */
    unsigned cpu;
    oc_work work; /* what runs it; scratch is large enough for its threads */
    /* Found by oc_roi_align_measure along x and y: the most taps of a bin, and of all bins of a
     * region. */
    uint64_t bin_taps[2], axis_taps[2];
} oc_roi_align;

/* Up to this side, float tells neighbouring pixels apart up to one past the last. */
#define OC_ROI_SIDE_MAX ((INT64_C(1) << 24) - 1)
