/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes.c - the scalar variants of nchw16c_bytes.h, element by element. */
#include "kernels/layout/nchw16c_bytes.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define ELEMENT u8
#include "kernels/layout/nchw16c_bytes.inc"
#define ELEMENT u16
#include "kernels/layout/nchw16c_bytes.inc"

OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_bytes, in_u8, out_u8)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_bytes)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_halves, in_u16, out_u16)
OC_VARIANTS(oc_nchw16c_variant, oc_nchw16c_halves)
