/* SPDX-License-Identifier: Apache-2.0
 * gather_simd.c - the weighted sums of gather.h by windows of pixels. */
#include "kernels/sample/gather.h"

#include "kernels/common/element.h"
#include "kernels/simd/windows.h"

#define TYPE_f32  OC_F32
#define TYPE_f64  OC_F64
#define TYPE_f16  OC_F16
#define TYPE_bf16 OC_BF16
#define TYPE_u8   OC_U8

#define ELEMENT f32
#include "kernels/sample/gather_windows.inc"
#define ELEMENT f64
#include "kernels/sample/gather_windows.inc"
#define ELEMENT f16
#include "kernels/sample/gather_windows.inc"
#define ELEMENT bf16
#include "kernels/sample/gather_windows.inc"
#define ELEMENT u8
#include "kernels/sample/gather_windows.inc"

OC_ISA_VARIANT(oc_gather_variant, oc_gather_variants,
               .sum = {[OC_F32] = sum_f32,
                       [OC_F64] = sum_f64,
                       [OC_F16] = sum_f16,
                       [OC_BF16] = sum_bf16,
                       [OC_U8] = sum_u8})
