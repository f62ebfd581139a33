/* SPDX-License-Identifier: Apache-2.0
 * depthwise_avx2.c - the sums of depthwise.h, 8 floats or 4 doubles in a register. */
#include "kernels/product/depthwise.h"

#include <immintrin.h>

#define T              float
#define V              __m256
#define W              8
#define NAME(x)        x##_f32
#define ZERO           _mm256_setzero_ps
#define SPLAT          _mm256_set1_ps
#define LOAD           _mm256_loadu_ps
#define STORE          _mm256_storeu_ps
#define ADD(sum, a, b) _mm256_fmadd_ps(a, b, sum)
#include "kernels/product/depthwise_simd.inc"

#define T              double
#define V              __m256d
#define W              4
#define NAME(x)        x##_f64
#define ZERO           _mm256_setzero_pd
#define SPLAT          _mm256_set1_pd
#define LOAD           _mm256_loadu_pd
#define STORE          _mm256_storeu_pd
#define ADD(sum, a, b) _mm256_fmadd_pd(a, b, sum)
#include "kernels/product/depthwise_simd.inc"

extern const oc_depthwise_variant oc_depthwise_avx2;
const oc_depthwise_variant oc_depthwise_avx2 = {"avx2", OC_CPU_AVX2, sums_f32, sums_f64};
