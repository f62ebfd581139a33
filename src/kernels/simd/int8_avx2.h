/* SPDX-License-Identifier: Apache-2.0
 * int8_avx2.h - the operations of int8.h in AVX2.
 *
 * AVX2's instruction for bytes limits the sum of two products to 16 bits. So bytes become 16-bit
 * numbers, two of which a 32-bit element holds; their products are exact. With OC_SIMD_VNNI one
 * instruction computes four products. */
#pragma once

enum { i32x16_SUMS = 6 };

typedef u32v u8v4, i8v4;

OP(u32v, u32v_add, (u32v a, u32v b), _mm256_add_epi32(a, b))
OP(u32v, u32v_less, (u32v a, u32v b, u32v c), _mm256_sub_epi32(a, _mm256_mullo_epi32(b, c)))

static inline f32v f32v_load_inverted(const uint8_t *p, uint8_t flip)
{
    const __m128i code = _mm_xor_si128(_mm_loadu_si64(p), _mm_set1_epi8((int8_t)flip));
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(code));
}

OP(f32v, f32v_of, (u32v v), _mm256_cvtepi32_ps(v))

/* A number that does not fit becomes the least integer. */
OP(u32v, u32v_round, (f32v v), _mm256_cvtps_epi32(_mm256_min_ps(v, _mm256_set1_ps(0x1p30F))))

/* The bytes of four times 16 numbers. */
typedef struct {
    __m256i r[2];
} u8x64v;

/* Limits two times 16 numbers to bytes. Pairs of fours come side by side, and are moved to their
 * places. */
static inline __m256i limited_pair(const u32v a[2], const u32v b[2], int zero, int low, int high)
{
    const __m256i place = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i add = _mm256_set1_epi16((int16_t)zero);
    const __m256i x = _mm256_adds_epi16(_mm256_packs_epi32(a[0], a[1]), add);
    const __m256i y = _mm256_adds_epi16(_mm256_packs_epi32(b[0], b[1]), add);
    /* holds numbers 0-3, 8-11 and so on, in the wrong order */
    const __m256i two = _mm256_packus_epi16(x, y);
    const __m256i least =
        _mm256_max_epu8(_mm256_permutevar8x32_epi32(two, place), _mm256_set1_epi8((int8_t)low));
    return _mm256_min_epu8(least, _mm256_set1_epi8((int8_t)high));
}

static inline u8x64v limited_bytes(u32v v[4][2], int zero, int low, int high)
{
    return (u8x64v){
        {limited_pair(v[0], v[1], zero, low, high), limited_pair(v[2], v[3], zero, low, high)}};
}

static inline void store_bytes(uint8_t *p, int64_t step, u8x64v v, const int n, uint8_t flip)
{
    const __m256i inverted = _mm256_set1_epi8((int8_t)flip);
    const __m256i a = _mm256_xor_si256(v.r[0], inverted), b = _mm256_xor_si256(v.r[1], inverted);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(a));
    if (n > 1)
        _mm_storeu_si128((__m128i *)(void *)(p + step), _mm256_extracti128_si256(a, 1));
    if (n > 2)
        _mm_storeu_si128((__m128i *)(void *)(p + 2 * step), _mm256_castsi256_si128(b));
    if (n > 3)
        _mm_storeu_si128((__m128i *)(void *)(p + 3 * step), _mm256_extracti128_si256(b, 1));
}

static inline void turn_rows(int8_t *to, const uint8_t *p, int64_t step, uint8_t flip)
{
    const __m128i inverted = _mm_set1_epi8((int8_t)flip);
    __m128i r[4];
    for (int i = 0; i < 4; i++)
        r[i] = _mm_xor_si128(load_128(p + i * step), inverted);
    const __m128i a = _mm_unpacklo_epi8(r[0], r[1]), b = _mm_unpacklo_epi8(r[2], r[3]);
    const __m128i c = _mm_unpackhi_epi8(r[0], r[1]), d = _mm_unpackhi_epi8(r[2], r[3]);
    __m128i *y = (__m128i *)(void *)to;
    _mm_storeu_si128(y, _mm_unpacklo_epi16(a, b));
    _mm_storeu_si128(y + 1, _mm_unpackhi_epi16(a, b));
    _mm_storeu_si128(y + 2, _mm_unpacklo_epi16(c, d));
    _mm_storeu_si128(y + 3, _mm_unpackhi_epi16(c, d));
}

static inline u8v4 u8v4_splat(const uint8_t *p)
{
    int32_t quad;
    memcpy(&quad, p, sizeof quad);
    return _mm256_set1_epi32(quad);
}

/* Loads four pixels of 16 bytes. Fours of channels of two pixels come side by side, then those
 * of all four pixels, then the bytes of one channel. */
#define OC_SIMD_PIXELS
static inline void u8v4_pixels(u8v4 r[2], const uint8_t *p)
{
    const __m256i place = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m256i a = _mm256_permutevar8x32_epi32(load_256(p), place);
    const __m256i b = _mm256_permutevar8x32_epi32(load_256(p + 32), place);
    const __m256i even = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(a, b), byte);
    const __m256i odd = _mm256_shuffle_epi8(_mm256_unpackhi_epi64(a, b), byte);
    r[0] = _mm256_permute2x128_si256(even, odd, 0x20);
    r[1] = _mm256_permute2x128_si256(even, odd, 0x31);
}

#ifdef OC_SIMD_VNNI

enum { i8x64_HALVES = 1 };

static inline i8v4 i8v4_load(const int8_t *p, OC_UNUSED const int half)
{
    return load_256(p);
}

OP(u32v, u32v_dot, (u32v sum, u8v4 x, i8v4 w), _mm256_dpbusd_avx_epi32(sum, x, w))

#else

enum { i8x64_HALVES = 2 };

OP(u8v4, u8v4_half, (u8v4 v, const int half),
   half ? _mm256_srli_epi16(v, 8) : _mm256_and_si256(v, _mm256_set1_epi16(0xff)))

static inline i8v4 i8v4_load(const int8_t *p, const int half)
{
    const u32v v = load_256(p);
    return _mm256_srai_epi16(half ? v : _mm256_slli_epi16(v, 8), 8);
}

/* ---- pairs of pixels, and of weights, one of each of two rows ---- */

/* Pixels of 16 channels as 16-bit numbers: channels 0 to 3 and 8 to 11, then 4 to 7 and 12 to
 * 15. */
#define OC_SIMD_PAIRS
typedef struct i16x32 {
    u32v r[2];
} i16x32;

/* b NULL: zeros take its place. */
static inline i16x32 i16x32_pixels(const uint8_t *a, const uint8_t *b)
{
    const __m256i x = _mm256_cvtepu8_epi16(load_128(a));
    const __m256i y = b ? _mm256_cvtepu8_epi16(load_128(b)) : _mm256_setzero_si256();
    return (i16x32){{_mm256_unpacklo_epi16(x, y), _mm256_unpackhi_epi16(x, y)}};
}

/* Loads number k of each four weights, from lines of four weights of 16 channels at a and b. */
static inline i16x32 i16x32_weights(const int8_t *a, const int8_t *b, int k)
{
    const __m128i left = _mm_cvtsi32_si128(24 - 8 * k);
    u32v v[2];
    for (int i = 0; i < 2; i++) {
        const __m256i x = _mm256_sll_epi32(load_256(a + 32 * i), left);
        const __m256i y = _mm256_sll_epi32(load_256(b + 32 * i), left);
        v[i] = _mm256_blend_epi16(_mm256_srai_epi32(x, 24), _mm256_srai_epi32(y, 8), 0xaa);
    }
    return (i16x32){
        {_mm256_permute2x128_si256(v[0], v[1], 0x20), _mm256_permute2x128_si256(v[0], v[1], 0x31)}};
}

static inline void in_order(u32v r[2])
{
    const u32v last = _mm256_permute2x128_si256(r[0], r[1], 0x31);
    r[0] = _mm256_permute2x128_si256(r[0], r[1], 0x20);
    r[1] = last;
}

static inline u32v u32v_dot(u32v sum, u8v4 x, i8v4 w)
{
    sum = u32v_add_pairs(sum, x, w);
    __asm__("" : "+x"(sum)); /* keeps the compiler from making more sums than there are registers */
    return sum;
}

#endif
