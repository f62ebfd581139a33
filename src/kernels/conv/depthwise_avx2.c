/* SPDX-License-Identifier: Apache-2.0
 * depthwise_avx2.c - the sums of depthwise.h, 8 floats or 4 doubles in a register. */
#include "kernels/conv/depthwise.h"

#include <immintrin.h>

#include "kernels/matmul/vectors.inc"
#include "kernels/conv/depthwise_simd.inc"

#define DOUBLE
#include "kernels/matmul/vectors.inc"
#include "kernels/conv/depthwise_simd.inc"

extern const oc_depthwise_variant oc_depthwise_avx2;
const oc_depthwise_variant oc_depthwise_avx2 = {"avx2", OC_CPU_AVX2, sums_f32, sums_f64};
