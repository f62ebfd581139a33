/* SPDX-License-Identifier: Apache-2.0
 * int8_avx2.h - the operations of int8.h in AVX2.
 *
 * Its instruction for bytes limits the sum of two products to 16 bits. So bytes become 16-bit
 * numbers, those with even and those with odd places by themselves, two of which a 32-bit element
 * holds; their products are exact. */
#ifndef OC_KERNELS_SIMD_INT8_AVX2_H
#define OC_KERNELS_SIMD_INT8_AVX2_H

enum { i32x16_SUMS = 4 };

typedef struct {
    u32v even, odd;
} u8v4, i8v4;

static inline u32v u32v_add(u32v a, u32v b)
{
    return _mm256_add_epi32(a, b);
}

static inline u32v u32v_less(u32v a, u32v b, u32v c)
{
    return _mm256_sub_epi32(a, _mm256_mullo_epi32(b, c));
}

static inline f32v f32v_of(u32v v)
{
    return _mm256_cvtepi32_ps(v);
}

static inline u32v u32v_round(f32v v)
{
    return _mm256_cvtps_epi32(v);
}

static inline void u32v_store_u8(uint8_t *p, u32v v)
{
    const __m128i wide = low_halves(_mm256_and_si256(v, _mm256_set1_epi32(0xff)));
    _mm_storeu_si64(p, _mm_packus_epi16(wide, wide));
}

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    int32_t quad;
    memcpy(&quad, p, sizeof quad);
    const u32v v = _mm256_set1_epi32(quad);
    return (u8v4){_mm256_and_si256(v, _mm256_set1_epi16(0xff)), _mm256_srli_epi16(v, 8)};
}

static inline i8v4 i8v4_load(const int8_t *p)
{
    const u32v v = load_256(p);
    return (i8v4){_mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8), _mm256_srai_epi16(v, 8)};
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    return u32v_add_pairs(u32v_add_pairs(sum, x.even, w.even), x.odd, w.odd);
}

#endif
