/* SPDX-License-Identifier: Apache-2.0
 * windows_avx512.h - the windows of windows.h in AVX-512. */
#pragma once

#include "kernels/simd/windows_x86.h"

/* ---- four windows, or two, in one register */

static inline __m512i join(__m128i a, __m128i b, __m128i c, __m128i d)
{
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Loads windows of 8 bytes: a and a + 1, then those 4, 8 and 12 elements farther on. */
OP(__m512i, eights, (const void *p, const int32_t *o, int a, size_t size),
   join(pair_8(p, o, a, size), pair_8(p, o, a + 4, size), pair_8(p, o, a + 8, size),
        pair_8(p, o, a + 12, size)))

/* Loads windows of 16 bytes: a, and those `step` elements farther on. */
OP(__m512i, sixteens, (const void *p, const int32_t *o, int a, int step, size_t size),
   join(at_16(p, o, a, size), at_16(p, o, a + step, size), at_16(p, o, a + 2 * step, size),
        at_16(p, o, a + 3 * step, size)))
OP(__m128i, four_at_4, (const char *p, const int32_t *o, size_t size),
   _mm_setr_epi32(at_4(p, o[0], size), at_4(p, o[1], size), at_4(p, o[2], size),
                  at_4(p, o[3], size)))
OP(__m128i, four_at_2, (const char *p, const int32_t *o),
   _mm_setr_epi32(at_2(p, o[0]), at_2(p, o[1]), at_2(p, o[2]), at_2(p, o[3])))

/* Loads windows of 4 bytes for all 16 elements. */
OP(__m512i, fours, (const void *p, const int32_t *o, size_t size),
   join(four_at_4(p, o, size), four_at_4(p, o + 4, size), four_at_4(p, o + 8, size),
        four_at_4(p, o + 12, size)))

/* Loads windows of 2 bytes for all 16 elements, each into 4 bytes. */
OP(__m512i, twos, (const void *p, const int32_t *o),
   join(four_at_2(p, o), four_at_2(p, o + 4), four_at_2(p, o + 8), four_at_2(p, o + 12)))

static inline void f32v_load2(f32v *v, const float *p, const int32_t *o)
{
    const __m512 a = _mm512_castsi512_ps(eights(p, o, 0, 4));
    const __m512 b = _mm512_castsi512_ps(eights(p, o, 2, 4));
    v[0] = _mm512_shuffle_ps(a, b, 0x88);
    v[1] = _mm512_shuffle_ps(a, b, 0xdd);
}

static inline void f32v_load4(f32v *v, const float *p, const int32_t *o)
{
    const __m512 a = _mm512_castsi512_ps(sixteens(p, o, 0, 4, 4));
    const __m512 b = _mm512_castsi512_ps(sixteens(p, o, 1, 4, 4));
    const __m512 c = _mm512_castsi512_ps(sixteens(p, o, 2, 4, 4));
    const __m512 d = _mm512_castsi512_ps(sixteens(p, o, 3, 4, 4));
    const __m512 ab = _mm512_unpacklo_ps(a, b), cd = _mm512_unpacklo_ps(c, d);
    const __m512 ab2 = _mm512_unpackhi_ps(a, b), cd2 = _mm512_unpackhi_ps(c, d);
    v[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm512_shuffle_ps(ab2, cd2, 0x44);
    v[3] = _mm512_shuffle_ps(ab2, cd2, 0xee);
}

static inline void f64v_load2(f64v *v, const double *p, const int32_t *o)
{
    const __m512d a = _mm512_castsi512_pd(sixteens(p, o, 0, 2, 8));
    const __m512d b = _mm512_castsi512_pd(sixteens(p, o, 1, 2, 8));
    v[0] = _mm512_unpacklo_pd(a, b);
    v[1] = _mm512_unpackhi_pd(a, b);
}

/* Returns elements 2k and 2k+1 of the four 16-bit elements of each window, as elements of 32
 * bits in order. */
static inline __m512i of_four(__m512i a, __m512i b, int k)
{
    const __m512 x = _mm512_castsi512_ps(a), y = _mm512_castsi512_ps(b);
    return _mm512_castps_si512(k ? _mm512_shuffle_ps(x, y, 0xdd) : _mm512_shuffle_ps(x, y, 0x88));
}

static inline void split_f16(f32v *v, __m512i w)
{
    v[0] = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(w));
    v[1] = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(w, 16)));
}

static inline void split_bf16(f32v *v, __m512i w)
{
    v[0] = _mm512_castsi512_ps(_mm512_slli_epi32(w, 16));
    v[1] = _mm512_castsi512_ps(_mm512_and_si512(w, _mm512_set1_epi32((int)0xffff0000)));
}

static inline void f32v_load4_f16(f32v *v, const uint16_t *p, const int32_t *o)
{
    const __m512i a = eights(p, o, 0, 2), b = eights(p, o, 2, 2);
    split_f16(v, of_four(a, b, 0));
    split_f16(v + 2, of_four(a, b, 1));
}

static inline void f32v_load4_bf16(f32v *v, const uint16_t *p, const int32_t *o)
{
    const __m512i a = eights(p, o, 0, 2), b = eights(p, o, 2, 2);
    split_bf16(v, of_four(a, b, 0));
    split_bf16(v + 2, of_four(a, b, 1));
}

static inline void f32v_load2_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const __m512i w = twos(p, o);
    v[0] = _mm512_cvtepi32_ps(_mm512_and_si512(w, _mm512_set1_epi32(255)));
    v[1] = _mm512_cvtepi32_ps(_mm512_srli_epi32(w, 8));
}

static inline void f32v_load4_u8(f32v *v, const uint8_t *p, const int32_t *o)
{
    const __m512i w = fours(p, o, 1), byte = _mm512_set1_epi32(255);
    for (int k = 0; k < 4; k++)
        v[k] = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(w, (unsigned)k * 8), byte));
}
