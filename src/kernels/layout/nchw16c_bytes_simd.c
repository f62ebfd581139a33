/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes_simd.c - elements of one and two bytes to NCHW16c and back, by squares in
 * registers. */
#include "kernels/layout/nchw16c_bytes.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

enum { SIDE = OC_BLOCK_CHANNELS };

#define ELEMENT u8
#include "kernels/layout/nchw16c_bytes_square.inc"

#define ELEMENT u16
#include "kernels/layout/nchw16c_bytes_square.inc"

OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_bytes, in_u8, out_u8)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_halves, in_u16, out_u16)
