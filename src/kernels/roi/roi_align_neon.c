/* SPDX-License-Identifier: Apache-2.0
 * roi_align_neon.c - the bins of a block of channels in four registers a pixel. */
#include "kernels/layout/nchw16c.h"
#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"
#include "kernels/common/precondition.h"
#include "kernels/roi/roi_align.h"

#include <math.h>

#define REAL    float
#define NAME(x) x##_f32
#include "kernels/roi/roi_block.inc"

#define REAL    double
#define NAME(x) x##_f64
#include "kernels/roi/roi_block.inc"

extern const oc_roi_variant oc_roi_neon;
const oc_roi_variant oc_roi_neon = {
    .isa = "neon",
    .need = OC_CPU_NEON,
    .block_f32 = {avg_f32, max_f32, bilinear_max_f32},
    .block_f64 = {avg_f64, max_f64, bilinear_max_f64},
};
