/* SPDX-License-Identifier: Apache-2.0
 * roi_bins_simd.c - the bins of a block of channels. */
#include "kernels/roi/roi_bins.h"

#include "kernels/common/element.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define TEMPLATE "kernels/roi/roi_block.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_roi_variant, oc_roi_variants, .block_f32 = {avg_f32, max_f32, bilinear_max_f32},
               .block_f64 = {avg_f64, max_f64, bilinear_max_f64})
