/* SPDX-License-Identifier: Apache-2.0
 * half_avx2.c - float16 by its own instructions; bfloat16 in integers, eight at a time. */
#include "kernels/common/half.h"
#include "kernels/common/vec.h"

static inline __m128i codes(const uint16_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void put_codes(uint16_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

static inline __m256 widened_f16(__m128i code)
{
    return _mm256_cvtph_ps(code);
}

static inline __m256 widened_bf16(__m128i code)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(code), 16));
}

static inline __m128i narrowed_f16(__m256 v)
{
    return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* A NaN keeps its sign and becomes quiet. */
static inline __m128i narrowed_bf16(__m256 v)
{
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m256i code = _mm256_srli_epi32(_mm256_blendv_epi8(sum, quiet, nan), 16);
    return _mm_packus_epi32(_mm256_castsi256_si128(code), _mm256_extracti128_si256(code, 1));
}

#include "kernels/common/half_simd.inc"

extern const oc_half_variant oc_f16_avx2, oc_bf16_avx2;
const oc_half_variant oc_f16_avx2 = {"avx2", OC_CPU_AVX2, widen_f16, narrow_f16};
const oc_half_variant oc_bf16_avx2 = {"avx2", OC_CPU_AVX2, widen_bf16, narrow_bf16};
