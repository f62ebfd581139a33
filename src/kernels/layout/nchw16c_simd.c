/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_simd.c - converts to NCHW16c and back by transposing squares in registers: as many
 * registers as each has elements. */
#include "kernels/layout/nchw16c.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

#define TEMPLATE "kernels/layout/nchw16c_square.inc"
#include "kernels/common/image_types.inc"

OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F32, in_f32, out_f32)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F64, in_f64, out_f64)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_F16, in_f16, out_f16)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_BF16, in_bf16, out_bf16)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_U8, in_u8, out_u8)
