/* SPDX-License-Identifier: Apache-2.0
 * roi_bins.c - the scalar bins of one channel, and the table of variants. */
#include "kernels/roi/roi_bins.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

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
