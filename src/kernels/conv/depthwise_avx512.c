/* SPDX-License-Identifier: Apache-2.0
 * depthwise_avx512.c - the sums of depthwise.h, 16 floats or 8 doubles in a register. */
#include "kernels/conv/depthwise.h"

#include <immintrin.h>

#include "kernels/matmul/vectors.inc"
#include "kernels/conv/depthwise_simd.inc"

#define DOUBLE
#include "kernels/matmul/vectors.inc"
#include "kernels/conv/depthwise_simd.inc"

extern const oc_depthwise_variant oc_depthwise_avx512;
const oc_depthwise_variant oc_depthwise_avx512 = {"avx512", OC_CPU_AVX512, sums_f32, sums_f64};
