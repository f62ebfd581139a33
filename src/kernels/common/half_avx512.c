/* SPDX-License-Identifier: Apache-2.0
 * half_avx512.c - float16 by its own instructions; bfloat16 in integers, sixteen at a time. */
#include "kernels/common/half.h"
#include "kernels/common/vec.h"

static inline __m256i codes(const uint16_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void put_codes(uint16_t *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

static inline __m512 widened_f16(__m256i code)
{
    return _mm512_cvtph_ps(code);
}

static inline __m512 widened_bf16(__m256i code)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(code), 16));
}

static inline __m256i narrowed_f16(__m512 v)
{
    const __mmask16 all = 0xffff; /* gcc's macro for all lanes warns where it does not optimise */
    return _mm512_maskz_cvtps_ph(all, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* A NaN keeps its sign and becomes quiet. */
static inline __m256i narrowed_bf16(__m512 v)
{
    const __m512i bits = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    const __m512i code = _mm512_mask_or_epi32(sum, nan, bits, _mm512_set1_epi32(0x400000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(code, 16));
}

#include "kernels/common/half_simd.inc"

extern const oc_half_variant oc_f16_avx512, oc_bf16_avx512;
const oc_half_variant oc_f16_avx512 = {"avx512", OC_CPU_AVX512, widen_f16, narrow_f16};
const oc_half_variant oc_bf16_avx512 = {"avx512", OC_CPU_AVX512, widen_bf16, narrow_bf16};
