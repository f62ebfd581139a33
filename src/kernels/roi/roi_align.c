/* SPDX-License-Identifier: Apache-2.0
 * roi_align.c - the scalar bins, the table of variants, and the choice of planes or blocks. */
#include "kernels/roi/roi_align.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/roi/roi_walk.h"
#include "kernels/simd/simd.h"

#include <math.h>

#define ELEMENT f32
#include "kernels/roi/roi_bins.inc"

#define ELEMENT f64
#include "kernels/roi/roi_bins.inc"

#define ELEMENT f16
#include "kernels/roi/roi_bins.inc"

#define ELEMENT bf16
#include "kernels/roi/roi_bins.inc"

OC_ISA_VARIANT(oc_roi_variant, oc_roi_variants, .f32 = {avg_f32, max_f32, bilinear_max_f32},
               .f64 = {avg_f64, max_f64, bilinear_max_f64},
               .f16 = {avg_f16, max_f16, bilinear_max_f16},
               .bf16 = {avg_bf16, max_bf16, bilinear_max_bf16})
OC_VARIANTS(oc_roi_variant, oc_roi_variants)

oc_roi_bins_fn *oc_roi_bins_pick(const oc_roi_align *g)
{
    const oc_roi_variant *v;
    switch (g->type) {
    case OC_F32:
        OC_VARIANT_PICK(v, oc_roi_variants, f32[g->mode], g->cpu);
        return v->f32[g->mode];
    case OC_F64:
        OC_VARIANT_PICK(v, oc_roi_variants, f64[g->mode], g->cpu);
        return v->f64[g->mode];
    case OC_F16:
        OC_VARIANT_PICK(v, oc_roi_variants, f16[g->mode], g->cpu);
        return v->f16[g->mode];
    default:
        OC_VARIANT_PICK(v, oc_roi_variants, bf16[g->mode], g->cpu);
        return v->bf16[g->mode];
    }
}

oc_roi_block_fn *oc_roi_block_pick(const oc_roi_align *g)
{
    const oc_roi_variant *v;
    OC_VARIANT_PICK(v, oc_roi_variants, block_f32[g->mode], g->cpu);
    return g->type == OC_F64 ? v->block_f64[g->mode] : v->block_f32[g->mode];
}

size_t oc_roi_align_scratch(const oc_roi_align *g)
{
    return oc_roi_blocks_serve(g) ? oc_roi_blocks_scratch(g) : oc_roi_nchw_scratch(g);
}

/* A cell of pixels gives two taps to each bin that shares it; rounding adds at most one cell on
 * either side of a bin. */
static void measure(oc_roi_align *g, int64_t roi, int axis)
{
    const size_t bins = (size_t)(axis ? g->out_h : g->out_w);
    const size_t pixels = (size_t)(axis ? g->height : g->width);
    const size_t of_bin = oc_roi_bin_taps(g, roi, axis);
    const size_t by_bins = bins * of_bin, by_cells = 2 * (pixels + 2 + 3 * bins) + of_bin;
    const size_t taps = by_bins < by_cells ? by_bins : by_cells;
    g->bin_taps[axis] = of_bin > g->bin_taps[axis] ? of_bin : g->bin_taps[axis];
    g->axis_taps[axis] = taps > g->axis_taps[axis] ? taps : g->axis_taps[axis];
}

void oc_roi_align_measure(oc_roi_align *g)
{
    for (int axis = 0; axis < 2; axis++)
        g->bin_taps[axis] = g->axis_taps[axis] = 0;
    oc_pieces p = oc_pieces_of(&g->work, g->n_rois, 32);
    while (oc_pieces_next(&p))
        for (int64_t roi = p.first; roi < p.end; roi++) {
            measure(g, roi, 0);
            measure(g, roi, 1);
        }
}

int64_t oc_roi_align_bad(const oc_roi_align *g)
{
    oc_pieces p = oc_pieces_of(&g->work, g->n_rois, 64);
    while (oc_pieces_next(&p))
        for (int64_t roi = p.first; roi < p.end; roi++)
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
