/* SPDX-License-Identifier: Apache-2.0
 * roi_types.h - what is asked of RoiAlign? */
#ifndef OC_KERNELS_ROI_ROI_TYPES_H
#define OC_KERNELS_ROI_ROI_TYPES_H

#include "base/work.h"

#include <ocellus.h>

typedef enum oc_roi_mode {
    OC_ROI_AVG,
    OC_ROI_MAX,
    OC_ROI_BILINEAR_MAX,
    OC_N_ROI_MODES
} oc_roi_mode;

/* roi_align.h says what is computed. */
typedef struct oc_roi_align {
    oc_roi_mode mode;
    oc_type type;         /* of x and y: float, double, float16 or bfloat16 */
    const void *x;        /* [images][channels][height][width] */
    const void *rois;     /* [n_rois][4]: x1, y1, x2, y2; double for double, else float */
    const int64_t *image; /* [n_rois], each within x */
    void *y;              /* [n_rois][channels][out_h][out_w] */
    int64_t channels, height, width; /* height and width: 1 .. OC_ROI_SIDE_MAX */
    int64_t n_rois, out_h, out_w;
    int64_t sampling_ratio; /* >= 0 */
    float scale;            /* of the regions' coordinates */
    bool half_pixel;        /* else: no shift, and sides are at least 1 */
    void *scratch;          /* oc_roi_align_scratch bytes, aligned to 64 */
    unsigned cpu;
    oc_work work; /* what runs it; scratch is for its threads */
    /* What oc_roi_align_measure finds, along x and y: most taps of a bin, and of all bins of a
     * region. */
    size_t bin_taps[2], axis_taps[2];
} oc_roi_align;

/* Float tells neighbouring pixels apart up to one past the last. */
#define OC_ROI_SIDE_MAX ((INT64_C(1) << 24) - 1)

#endif
