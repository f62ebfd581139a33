/* SPDX-License-Identifier: Apache-2.0
 * int8_avx512.h - the operations of int8.h in AVX-512; int8_avx2.h explains them. */
#pragma once

enum { i32x16_SUMS = 16 };

OP(u32v, u32v_add, (u32v a, u32v b), _mm512_add_epi32(a, b))
OP(u32v, u32v_less, (u32v a, u32v b, u32v c), _mm512_sub_epi32(a, _mm512_mullo_epi32(b, c)))

static inline f32v f32v_load_inverted(const uint8_t *p, uint8_t flip)
{
    const __m128i code = _mm_xor_si128(load_128(p), _mm_set1_epi8((int8_t)flip));
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(code));
}

OP(f32v, f32v_of, (u32v v), _mm512_cvtepi32_ps(v))

/* A number that does not fit becomes the least integer. */
OP(u32v, u32v_round, (f32v v), _mm512_cvtps_epi32(_mm512_min_ps(v, _mm512_set1_ps(0x1p30F))))

/* The bytes of four times 16 numbers: those of the first 16 in the first quarter, and so on. */
typedef __m512i u8x64v;

/* Limits four times 16 numbers to bytes. Packing brings quarter i of each into quarter i, in
 * fours, which then move to their places. */
static inline u8x64v limited_bytes(u32v v[4][1], int zero, int low, int high)
{
    const __m512i place = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i add = _mm512_set1_epi16((int16_t)zero);
    const __m512i a = _mm512_adds_epi16(_mm512_packs_epi32(v[0][0], v[1][0]), add);
    const __m512i b = _mm512_adds_epi16(_mm512_packs_epi32(v[2][0], v[3][0]), add);
    const __m512i four = _mm512_permutexvar_epi32(place, _mm512_packus_epi16(a, b));
    const __m512i least = _mm512_max_epu8(four, _mm512_set1_epi8((int8_t)low));
    return _mm512_min_epu8(least, _mm512_set1_epi8((int8_t)high));
}

static inline void store_bytes(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    const __m512i y = _mm512_xor_si512(v, _mm512_set1_epi8((int8_t)flip));
    if (step == 16) {
        _mm512_mask_storeu_epi32(p, (__mmask16)((1u << 4 * n) - 1), y);
        return;
    }
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_castsi512_si128(y));
    if (n > 1)
        _mm_storeu_si128((__m128i *)(void *)(p + step), _mm512_extracti32x4_epi32(y, 1));
    if (n > 2)
        _mm_storeu_si128((__m128i *)(void *)(p + 2 * step), _mm512_extracti32x4_epi32(y, 2));
    if (n > 3)
        _mm_storeu_si128((__m128i *)(void *)(p + 3 * step), _mm512_extracti32x4_epi32(y, 3));
}

typedef u32v u8v4, i8v4;

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    int32_t quad;
    __builtin_memcpy(&quad, p, sizeof quad);
    return _mm512_set1_epi32(quad);
}

/* Transposes four times 16 bytes: the bytes i of all four come into element i. */
static inline u32v turned(u32v rows)
{
    const __m512i place = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i byte = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i four = _mm512_permutexvar_epi32(place, rows);
    return _mm512_shuffle_epi8(four, _mm512_broadcast_i32x4(byte));
}

static inline void turn_rows(int8_t *to, const uint8_t *p, int64_t step, uint8_t flip)
{
    __m512i rows = _mm512_castsi128_si512(load_128(p));
    rows = _mm512_inserti32x4(rows, load_128(p + step), 1);
    rows = _mm512_inserti32x4(rows, load_128(p + 2 * step), 2);
    rows = _mm512_inserti32x4(rows, load_128(p + 3 * step), 3);
    _mm512_storeu_si512(to, _mm512_xor_si512(turned(rows), _mm512_set1_epi8((int8_t)flip)));
}

/* Loads four pixels of 16 bytes: the bytes of one channel come into one element. */
#define OC_SIMD_PIXELS
static inline void u8v4_pixels(u8v4 r[1], const uint8_t *p)
{
    r[0] = turned(_mm512_loadu_si512(p));
}

#ifdef OC_SIMD_VNNI

enum { i8x64_HALVES = 1 };

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    return _mm512_loadu_si512(p);
}

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w), _mm512_dpbusd_epi32(sum, x, w))

#else

enum { i8x64_HALVES = 2 };

OP(u8v4, u8v4_half, (u8v4 v, const int half),
   half ? _mm512_srli_epi16(v, 8) : _mm512_and_si512(v, _mm512_set1_epi16(0xff)))

static inline i8v4 i8v4_load(const int8_t *p, const int half)
{
    const u32v v = _mm512_loadu_si512(p);
    return _mm512_srai_epi16(half ? v : _mm512_slli_epi16(v, 8), 8);
}

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w), u32v_add_pairs(sum, x, w))

#endif
