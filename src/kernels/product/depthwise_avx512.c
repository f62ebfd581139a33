/* SPDX-License-Identifier: Apache-2.0
 * depthwise_avx512.c - the sums of depthwise.h, 16 floats or 8 doubles in a register. */
#include "kernels/product/depthwise.h"

#include <immintrin.h>

#include "kernels/product/vectors.inc"
#include "kernels/product/depthwise_simd.inc"

#define DOUBLE
#include "kernels/product/vectors.inc"
#include "kernels/product/depthwise_simd.inc"

extern const oc_depthwise_variant oc_depthwise_avx512;
const oc_depthwise_variant oc_depthwise_avx512 = {"avx512", OC_CPU_AVX512, sums_f32, sums_f64};
