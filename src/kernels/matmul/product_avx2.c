/* SPDX-License-Identifier: Apache-2.0
 * product_avx2.c - tiles of 6 rows: 12 of the 16 registers hold sums. */
#include "kernels/matmul/product.h"

#include "kernels/common/precondition.h"

#include <immintrin.h>
#include <string.h>

static inline __m256i first_8(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline __m256i first_4(int n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

#include "kernels/matmul/vectors.inc"
#define MASK                   __m256i
#define FIRST                  first_8
#define LOAD_SOME(p, mask)     _mm256_maskload_ps(p, mask)
#define STORE_SOME(p, mask, v) _mm256_maskstore_ps(p, mask, v)
#define MOST                   6
#include "kernels/matmul/product_simd.inc"

#define DOUBLE
#include "kernels/matmul/vectors.inc"
#define MASK                   __m256i
#define FIRST                  first_4
#define LOAD_SOME(p, mask)     _mm256_maskload_pd(p, mask)
#define STORE_SOME(p, mask, v) _mm256_maskstore_pd(p, mask, v)
#define MOST                   6
#include "kernels/matmul/product_simd.inc"

#define T                      uint32_t
#define V                      __m256i
#define W                      8
#define NAME(x)                x##_pairs
#define ZERO                   _mm256_setzero_si256
#define SPLAT(x)               _mm256_set1_epi32((int)(x))
#define LOAD(p)                _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v)            _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define ADD(sum, a, b)         _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#define MASK                   __m256i
#define FIRST                  first_8
#define LOAD_SOME(p, mask)     _mm256_maskload_epi32((const int *)(const void *)(p), mask)
#define STORE_SOME(p, mask, v) _mm256_maskstore_epi32((int *)(void *)(p), mask, v)
#define MOST                   6
#include "kernels/matmul/product_simd.inc"

#include "kernels/matmul/product_few_types.inc"

extern const oc_product_variant oc_product_avx2;
const oc_product_variant oc_product_avx2 = {"avx2",        OC_CPU_AVX2, product_f32, product_f64,
                                            product_pairs, few_f32,     few_f64};
