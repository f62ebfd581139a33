/* SPDX-License-Identifier: Apache-2.0
 * half_neon.c - float16 by its own instructions; bfloat16 in integers, four at a time. */
#include "kernels/common/half.h"
#include "kernels/common/neon.inc"

#define OC_VEC_NEON
#include "kernels/common/vec.h"

#define codes         vld1_u16
#define put_codes     vst1_u16
#define widened_f16   neon_of_f16
#define narrowed_f16  neon_to_f16
#define widened_bf16  neon_of_bf16
#define narrowed_bf16 neon_to_bf16
#include "kernels/common/half_simd.inc"

extern const oc_half_variant oc_f16_neon, oc_bf16_neon;
const oc_half_variant oc_f16_neon = {"neon", OC_CPU_NEON, widen_f16, narrow_f16};
const oc_half_variant oc_bf16_neon = {"neon", OC_CPU_NEON, widen_bf16, narrow_bf16};
