/* SPDX-License-Identifier: Apache-2.0
 * depthwise_simd.c - the sums of depthwise.h, up to eight registers at a time. */
#include "kernels/conv/depthwise.h"

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

#define TEMPLATE "kernels/conv/depthwise_blocks.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_depthwise_variant, oc_depthwise_variants, sums_f32, sums_f64)
