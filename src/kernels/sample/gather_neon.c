/* SPDX-License-Identifier: Apache-2.0
 * gather_neon.c - weighted sums by windows of pixels, 4 floats or 2 doubles at a time. */
#include "base/smallfloat.h"
#include "kernels/sample/gather.h"
#include "kernels/common/saturate.h"
#include "kernels/common/simd_neon.inc"

#include "kernels/sample/gather_types.inc"

extern const oc_gather_variant oc_gather_neon;
const oc_gather_variant oc_gather_neon = {
    .isa = "neon",
    .need = OC_CPU_NEON,
    .sum = {[OC_F32] = sum_f32,
            [OC_F64] = sum_f64,
            [OC_F16] = sum_f16,
            [OC_BF16] = sum_bf16,
            [OC_U8] = sum_u8},
};
