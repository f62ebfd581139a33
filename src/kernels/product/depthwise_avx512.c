/* SPDX-License-Identifier: Apache-2.0
 * depthwise_avx512.c - the sums of depthwise.h, 16 floats or 8 doubles in a register. */
#include "kernels/product/depthwise.h"

#include <immintrin.h>

#define T              float
#define V              __m512
#define W              16
#define NAME(x)        x##_f32
#define ZERO           _mm512_setzero_ps
#define SPLAT          _mm512_set1_ps
#define LOAD           _mm512_loadu_ps
#define STORE          _mm512_storeu_ps
#define ADD(sum, a, b) _mm512_fmadd_ps(a, b, sum)
#include "kernels/product/depthwise_simd.inc"

#define T              double
#define V              __m512d
#define W              8
#define NAME(x)        x##_f64
#define ZERO           _mm512_setzero_pd
#define SPLAT          _mm512_set1_pd
#define LOAD           _mm512_loadu_pd
#define STORE          _mm512_storeu_pd
#define ADD(sum, a, b) _mm512_fmadd_pd(a, b, sum)
#include "kernels/product/depthwise_simd.inc"

extern const oc_depthwise_variant oc_depthwise_avx512;
const oc_depthwise_variant oc_depthwise_avx512 = {"avx512", OC_CPU_AVX512, sums_f32, sums_f64};
