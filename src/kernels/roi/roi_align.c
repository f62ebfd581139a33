/* SPDX-License-Identifier: Apache-2.0
 * roi_align.c - chooses between RoiAlign channel by channel and by blocks of channels. */
#include "kernels/roi/roi_align.h"

#include "base/cpu.h"
#include "base/int.h"
#include "kernels/common/precondition.h"
#include "kernels/roi/roi_axis.h"
#include "kernels/roi/roi_ways.h"

uint64_t oc_roi_align_scratch(const oc_roi_align *g)
{
    return oc_roi_blocks_serve(g) ? oc_roi_blocks_scratch(g) : oc_roi_nchw_scratch(g);
}

/* A cell of pixels gives two taps to each bin that shares it; rounding adds at most one cell on
 * either side of a bin. */
static void measure(oc_roi_align *g, int64_t roi, int axis)
{
    const uint64_t bins = (uint64_t)(axis ? g->out_h : g->out_w);
    const uint64_t pixels = (uint64_t)(axis ? g->height : g->width);
    const uint64_t of_bin = oc_roi_bin_taps(g, roi, axis);
    const uint64_t by_bins = bins * of_bin, by_cells = 2 * (pixels + 2 + 3 * bins) + of_bin;
    const uint64_t taps = oc_min(by_bins, by_cells);
    g->bin_taps[axis] = oc_max(of_bin, g->bin_taps[axis]);
    g->axis_taps[axis] = oc_max(taps, g->axis_taps[axis]);
}

void oc_roi_align_measure(oc_roi_align *g)
{
    for (int axis = 0; axis < 2; axis++)
        g->bin_taps[axis] = g->axis_taps[axis] = 0;
    OC_LOOP (&g->work, roi, g->n_rois, 32) {
        measure(g, roi, 0);
        measure(g, roi, 1);
    }
}

int64_t oc_roi_align_bad(const oc_roi_align *g)
{
    OC_LOOP (&g->work, roi, g->n_rois, 64)
        if (!oc_roi_is_finite(g, roi))
            return roi;
    return -1;
}

void oc_roi_align_run(const oc_roi_align *g)
{
    assert(g->channels >= 0 && g->n_rois >= 0 && g->sampling_ratio >= 0);
    assert(g->out_h >= 1 && g->out_w >= 1);
    assert(g->height >= 1 && g->height <= OC_ROI_SIDE_MAX);
    assert(g->width >= 1 && g->width <= OC_ROI_SIDE_MAX);
    assert(oc_roi_align_bad(g) < 0 && oc_is_aligned(g->scratch, OC_CACHE_LINE));
    if (oc_roi_blocks_serve(g))
        oc_roi_blocks_run(g);
    else
        oc_roi_nchw_run(g, NULL, g->n_rois, g->scratch);
}
