/* SPDX-License-Identifier: Apache-2.0
 * roi_axis.c - the taps of a region's bins along one axis, in float or in double. */
#include "kernels/roi/roi_axis.h"

#include "base/cpu.h"
#include "kernels/common/element.h"

/* Up to here the samples of a bin are counted exactly in double; no more are taken. */
#define MOST_SAMPLES 0x1p53f

#define CEIL        OC_PASTE(OC_CEIL, ELEMENT)
#define OC_CEIL_f32 ceilf
#define OC_CEIL_f64 ceil

#define TEMPLATE "kernels/roi/roi_axis.inc"
#include "kernels/common/floats.inc"

int64_t oc_roi_grid(const oc_roi_align *g, int64_t roi, int axis)
{
    return g->type == OC_F64 ? grid_f64(g, roi, axis) : grid_f32(g, roi, axis);
}

bool oc_roi_is_finite(const oc_roi_align *g, int64_t roi)
{
    return g->type == OC_F64 ? is_finite_f64(g, roi) : is_finite_f32(g, roi);
}

uint64_t oc_roi_bin_taps(const oc_roi_align *g, int64_t roi, int axis)
{
    const int64_t n = axis ? g->height : g->width, grid = oc_roi_grid(g, roi, axis);
    const int64_t by_pixels = g->mode == OC_ROI_BILINEAR_MAX ? 2 * (n + 2) : n;
    return (uint64_t)(grid < by_pixels / 2 ? 2 * grid : by_pixels);
}

static uint64_t weights_size(const oc_roi_align *g, uint64_t taps)
{
    return oc_cache_lines(taps * (g->type == OC_F64 ? sizeof(double) : sizeof(float)));
}

uint64_t oc_roi_axis_size(const oc_roi_align *g, uint64_t bins, uint64_t taps)
{
    return oc_cache_lines((bins + 1) * sizeof(int32_t)) + oc_cache_lines(bins) +
           oc_cache_lines(taps * sizeof(int32_t)) +
           (g->mode == OC_ROI_AVG ? 1 : 2) * weights_size(g, taps);
}

oc_roi_axis oc_roi_axis_new(char **at, const oc_roi_align *g, uint64_t bins, uint64_t taps,
                            int axis)
{
    oc_roi_axis x = {.n = axis ? g->height : g->width};
    x.first = (int32_t *)(void *)*at;
    *at += oc_cache_lines((bins + 1) * sizeof(int32_t));
    x.outside = (bool *)*at;
    *at += oc_cache_lines(bins);
    x.index = (int32_t *)(void *)*at;
    *at += oc_cache_lines(taps * sizeof(int32_t));
    x.a = *at;
    *at += weights_size(g, taps);
    if (g->mode != OC_ROI_AVG) {
        x.b = *at;
        *at += weights_size(g, taps);
    }
    x.first[0] = 0;
    return x;
}

void oc_roi_axis_clear(oc_roi_axis *x)
{
    x->bins = 0;
    x->first[0] = 0;
}

void oc_roi_axis_add(oc_roi_axis *x, const oc_roi_align *g, int64_t roi, int axis, int64_t bin)
{
    if (g->type == OC_F64)
        add_bin_f64(x, g, roi, axis, bin);
    else
        add_bin_f32(x, g, roi, axis, bin);
}
