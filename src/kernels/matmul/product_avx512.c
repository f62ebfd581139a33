/* SPDX-License-Identifier: Apache-2.0
 * product_avx512.c - tiles of 8 rows: 16 of the 32 registers hold sums. */
#include "kernels/matmul/product.h"

#include "kernels/common/precondition.h"

#include <immintrin.h>
#include <string.h>

#include "kernels/matmul/vectors.inc"
#define MASK                   __mmask16
#define FIRST(n)               (__mmask16)((1u << (n)) - 1)
#define LOAD_SOME(p, mask)     _mm512_maskz_loadu_ps(mask, p)
#define STORE_SOME(p, mask, v) _mm512_mask_storeu_ps(p, mask, v)
#define MOST                   8
#include "kernels/matmul/product_simd.inc"

#define DOUBLE
#include "kernels/matmul/vectors.inc"
#define MASK                   __mmask8
#define FIRST(n)               (__mmask8)((1u << (n)) - 1)
#define LOAD_SOME(p, mask)     _mm512_maskz_loadu_pd(mask, p)
#define STORE_SOME(p, mask, v) _mm512_mask_storeu_pd(p, mask, v)
#define MOST                   8
#include "kernels/matmul/product_simd.inc"

#define T                      uint32_t
#define V                      __m512i
#define W                      16
#define NAME(x)                x##_pairs
#define ZERO                   _mm512_setzero_si512
#define SPLAT(x)               _mm512_set1_epi32((int)(x))
#define LOAD                   _mm512_loadu_si512
#define STORE                  _mm512_storeu_si512
#define ADD(sum, a, b)         _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
#define MASK                   __mmask16
#define FIRST(n)               (__mmask16)((1u << (n)) - 1)
#define LOAD_SOME(p, mask)     _mm512_maskz_loadu_epi32(mask, p)
#define STORE_SOME(p, mask, v) _mm512_mask_storeu_epi32(p, mask, v)
#define MOST                   8
#include "kernels/matmul/product_simd.inc"

#include "kernels/matmul/product_few_types.inc"

extern const oc_product_variant oc_product_avx512;
const oc_product_variant oc_product_avx512 = {
    "avx512", OC_CPU_AVX512, product_f32, product_f64, product_pairs, few_f32, few_f64};
