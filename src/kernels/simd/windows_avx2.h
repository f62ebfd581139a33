/* SPDX-License-Identifier: Apache-2.0
 * windows_avx2.h - the windows of windows.h in AVX2. */
#pragma once

#include "kernels/simd/windows_x86.h"

/* ---- windows in one register */

OP(__m256i, join, (__m128i a, __m128i b), _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1))

/* Loads windows of 8 bytes: a and a + 1, then those 4 elements farther on. */
OP(__m256i, eights, (const void *p, const int32_t *o, int a, size_t size),
   join(pair_8(p, o, a, size), pair_8(p, o, a + 4, size)))

/* Loads windows of 16 bytes: a, and the one `step` elements farther on. */
OP(__m256i, sixteens, (const void *p, const int32_t *o, int a, int step, size_t size),
   join(at_16(p, o, a, size), at_16(p, o, a + step, size)))

/* Loads windows of 4 bytes for all 8 elements. */
OP(__m256i, fours, (const void *p, const int32_t *o, size_t size),
   _mm256_setr_epi32(at_4(p, o[0], size), at_4(p, o[1], size), at_4(p, o[2], size),
                     at_4(p, o[3], size), at_4(p, o[4], size), at_4(p, o[5], size),
                     at_4(p, o[6], size), at_4(p, o[7], size)))

/* Loads windows of 2 bytes for all 8 elements, each into 4 bytes. */
OP(__m256i, twos, (const void *p, const int32_t *o),
   _mm256_setr_epi32(at_2(p, o[0]), at_2(p, o[1]), at_2(p, o[2]), at_2(p, o[3]), at_2(p, o[4]),
                     at_2(p, o[5]), at_2(p, o[6]), at_2(p, o[7])))

static inline void f32v_load2(f32v *v, const float *p, const int32_t *o)
{
    const __m256 a = _mm256_castsi256_ps(eights(p, o, 0, 4));
    const __m256 b = _mm256_castsi256_ps(eights(p, o, 2, 4));
    v[0] = _mm256_shuffle_ps(a, b, 0x88);
    v[1] = _mm256_shuffle_ps(a, b, 0xdd);
}

static inline void f32v_load4(f32v *v, const float *p, const int32_t *o)
{
    const __m256 a = _mm256_castsi256_ps(sixteens(p, o, 0, 4, 4));
    const __m256 b = _mm256_castsi256_ps(sixteens(p, o, 1, 4, 4));
    const __m256 c = _mm256_castsi256_ps(sixteens(p, o, 2, 4, 4));
    const __m256 d = _mm256_castsi256_ps(sixteens(p, o, 3, 4, 4));
    const __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    const __m256 ab2 = _mm256_unpackhi_ps(a, b), cd2 = _mm256_unpackhi_ps(c, d);
    v[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm256_shuffle_ps(ab2, cd2, 0x44);
    v[3] = _mm256_shuffle_ps(ab2, cd2, 0xee);
}

static inline void f64v_load2(f64v *v, const double *p, const int32_t *o)
{
    const __m256d a = _mm256_castsi256_pd(sixteens(p, o, 0, 2, 8));
    const __m256d b = _mm256_castsi256_pd(sixteens(p, o, 1, 2, 8));
    v[0] = _mm256_unpacklo_pd(a, b);
    v[1] = _mm256_unpackhi_pd(a, b);
}

/* ---- 16 and 8 bits */

OP(__m256i, low_half, (__m256i v), _mm256_and_si256(v, _mm256_set1_epi32(0xffff)))

/* Packs the low 16 bits of each element side by side. */
static inline __m128i pack_16(__m256i v)
{
    const __m256i both = _mm256_packus_epi32(v, v);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(both, 0x08));
}

/* Returns elements 2k and 2k+1 of the four 16-bit elements of each window, as elements of 32
 * bits in order. */
static inline __m256i of_four(const void *p, const int32_t *o, int k)
{
    const __m256 a = _mm256_castsi256_ps(eights(p, o, 0, 2));
    const __m256 b = _mm256_castsi256_ps(eights(p, o, 2, 2));
    return _mm256_castps_si256(k ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88));
}

static inline void split_f16(f32v *v, __m256i w)
{
    v[0] = _mm256_cvtph_ps(pack_16(low_half(w)));
    v[1] = _mm256_cvtph_ps(pack_16(_mm256_srli_epi32(w, 16)));
}

static inline void split_bf16(f32v *v, __m256i w)
{
    v[0] = _mm256_castsi256_ps(_mm256_slli_epi32(w, 16));
    v[1] = _mm256_castsi256_ps(_mm256_and_si256(w, _mm256_set1_epi32((int)0xffff0000)));
}

static inline void f32v_load4_f16(f32v *v, const uint16_t *p, const int32_t *o)
{
    split_f16(v, of_four(p, o, 0));
    split_f16(v + 2, of_four(p, o, 1));
}

static inline void f32v_load4_bf16(f32v *v, const uint16_t *p, const int32_t *o)
{
    split_bf16(v, of_four(p, o, 0));
    split_bf16(v + 2, of_four(p, o, 1));
}

/* Returns byte k of each element. */
OP(f32v, of_bytes, (__m256i w, int k),
   _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(w, 8 * k), _mm256_set1_epi32(255))))

static inline void f32v_load2_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const __m256i w = twos(p, o);
    v[0] = of_bytes(w, 0);
    v[1] = of_bytes(w, 1);
}

static inline void f32v_load4_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const __m256i w = fours(p, o, 1);
    for (int k = 0; k < 4; k++)
        v[k] = of_bytes(w, k);
}
