/* SPDX-License-Identifier: Apache-2.0
 * int8_avx512.h - the operations of int8.h in AVX-512, as int8_avx2.h has them. */
#ifndef OC_KERNELS_SIMD_INT8_AVX512_H
#define OC_KERNELS_SIMD_INT8_AVX512_H

enum { i32x16_SUMS = 16 };

static inline u32v u32v_add(u32v a, u32v b)
{
    return _mm512_add_epi32(a, b);
}

static inline u32v u32v_less(u32v a, u32v b, u32v c)
{
    return _mm512_sub_epi32(a, _mm512_mullo_epi32(b, c));
}

static inline f32v f32v_of(u32v v)
{
    return _mm512_cvtepi32_ps(v);
}

static inline u32v u32v_round(f32v v)
{
    return _mm512_cvtps_epi32(v);
}

static inline void u32v_store_u8(uint8_t *p, u32v v)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(v));
}

static inline u32v quads_at(const void *p)
{
    int32_t quad;
    __builtin_memcpy(&quad, p, sizeof quad);
    return _mm512_set1_epi32(quad);
}

/* Four pixels of 16 bytes: the bytes of one channel come into one element. */
#define OC_SIMD_PIXELS
static inline u32v turned_pixels(const uint8_t *p)
{
    const __m512i place = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i byte = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i four = _mm512_permutexvar_epi32(place, _mm512_loadu_si512(p));
    return _mm512_shuffle_epi8(four, _mm512_broadcast_i32x4(byte));
}

#ifdef OC_SIMD_VNNI

typedef u32v u8v4, i8v4;

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    return quads_at(p);
}

static inline void u8v4_pixels(u8v4 r[1], const uint8_t *p)
{
    r[0] = turned_pixels(p);
}

static inline i8v4 i8v4_load(const int8_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    return _mm512_dpbusd_epi32(sum, x, w);
}

#else

typedef struct {
    u32v even, odd;
} u8v4, i8v4;

static inline u8v4 split_bytes(u32v v)
{
    return (u8v4){_mm512_and_si512(v, _mm512_set1_epi16(0xff)), _mm512_srli_epi16(v, 8)};
}

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    return split_bytes(quads_at(p));
}

static inline void u8v4_pixels(u8v4 r[1], const uint8_t *p)
{
    r[0] = split_bytes(turned_pixels(p));
}

static inline i8v4 i8v4_load(const int8_t *p)
{
    const u32v v = _mm512_loadu_si512(p);
    return (i8v4){_mm512_srai_epi16(_mm512_slli_epi16(v, 8), 8), _mm512_srai_epi16(v, 8)};
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    return u32v_add_pairs(u32v_add_pairs(sum, x.even, w.even), x.odd, w.odd);
}

#endif
#endif
