/* SPDX-License-Identifier: Apache-2.0
 * avx2.h - the operations of simd.h in AVX2: 8 floats or 4 doubles.
 *
 * A mask is a vector of the same width whose elements are all ones or all zeros. */
#pragma once

#include "kernels/simd/x86.h"

#include <string.h>

#define OC_SIMD_NEED OC_CPU_AVX2
enum { OC_SIMD_REGISTERS = 16 };
#define OC_UNROLL _Pragma("GCC unroll 8")

typedef __m256 f32v;
typedef __m256d f64v;
typedef __m256i u32v;
typedef __m256 f32h;
typedef __m256 f32v_mask;
typedef __m256d f64v_mask;
typedef __m256i u32v_mask;

enum { f32v_N = 8, f64v_N = 4, u32v_N = 8 };

/* ---- values */

static inline f32v f32v_kept(f32v v)
{
    __asm__("" : "+x"(v));
    return v;
}

OP(f32v, f32v_zero, (void), _mm256_setzero_ps())
OP(f64v, f64v_zero, (void), _mm256_setzero_pd())
OP(u32v, u32v_zero, (void), _mm256_setzero_si256())
OP(f32v, f32v_splat, (float x), _mm256_set1_ps(x))
OP(f64v, f64v_splat, (double x), _mm256_set1_pd(x))
OP(u32v, u32v_splat, (uint32_t x), _mm256_set1_epi32((int)x))
OP(f32v, f32v_load, (const float *p), _mm256_loadu_ps(p))
OP(f64v, f64v_load, (const double *p), _mm256_loadu_pd(p))
OP(u32v, u32v_load, (const uint32_t *p), load_256(p))
OP_STORE(f32v_store, float, (f32v v), _mm256_storeu_ps(p, v))
OP_STORE(f64v_store, double, (f64v v), _mm256_storeu_pd(p, v))
OP_STORE(u32v_store, uint32_t, (u32v v), _mm256_storeu_si256((__m256i *)(void *)p, v))

/* the first n */

OP(u32v_mask, u32v_first, (int n),
   _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))

OP(f32v_mask, f32v_first, (int n), _mm256_castsi256_ps(u32v_first(n)))

static inline f64v_mask f64v_first(int n)
{
    const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
    return _mm256_castsi256_pd(mask);
}

OP(f32v, f32v_load_where, (const float *p, f32v_mask m),
   _mm256_maskload_ps(p, _mm256_castps_si256(m)))
OP(f64v, f64v_load_where, (const double *p, f64v_mask m),
   _mm256_maskload_pd(p, _mm256_castpd_si256(m)))
OP(u32v, u32v_load_where, (const uint32_t *p, u32v_mask m),
   _mm256_maskload_epi32((const int *)(const void *)p, m))

static inline f32v f32v_load_first(const float *p, int n, float missing)
{
    static const int32_t flags[16] = {-1, -1, -1, -1,
                                      /* loaded, which is faster than a comparison */
                                      -1, -1, -1, -1};
    const __m256 some = _mm256_castsi256_ps(load_256(flags + 8 - n));
    return _mm256_blendv_ps(_mm256_set1_ps(missing), f32v_load_where(p, some), some);
}

OP_STORE(f32v_store_where, float, (f32v_mask m, f32v v),
         _mm256_maskstore_ps(p, _mm256_castps_si256(m), v))
OP_STORE(f64v_store_where, double, (f64v_mask m, f64v v),
         _mm256_maskstore_pd(p, _mm256_castpd_si256(m), v))
OP_STORE(u32v_store_where, uint32_t, (u32v_mask m, u32v v),
         _mm256_maskstore_epi32((int *)(void *)p, m, v))

static inline void f32v_store_first(float *p, f32v v, int n)
{
    if (n == f32v_N)
        f32v_store(p, v);
    else
        f32v_store_where(p, f32v_first(n), v);
}

static inline void f64v_store_first(double *p, f64v v, int n)
{
    if (n == f64v_N)
        f64v_store(p, v);
    else
        f64v_store_where(p, f64v_first(n), v);
}

OP(f32v_mask, f32v_less, (f32v a, f32v b), _mm256_cmp_ps(a, b, _CMP_LT_OQ))
OP(f32v_mask, f32v_not_negative, (f32v v), _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GE_OQ))
OP(f64v_mask, f64v_not_negative, (f64v v), _mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_GE_OQ))

/* Widens four masks of 32 bits to 64 bits. */
OP(f64v_mask, widened, (__m128i m), _mm256_castsi256_pd(_mm256_cvtepi32_epi64(m)))

static inline f32v_mask f32v_there(const int32_t *absent, int n)
{
    const __m256i gone = _mm256_srai_epi32(load_256(absent), 31);
    return _mm256_castsi256_ps(_mm256_andnot_si256(gone, u32v_first(n)));
}

static inline f64v_mask f64v_there(const int32_t *absent, int n)
{
    const __m128i gone = _mm_srai_epi32(load_128(absent), 31);
    return widened(_mm_andnot_si128(gone, _mm256_castsi256_si128(u32v_first(n))));
}

OP(f32v_mask, f32v_is, (const int32_t *p, int k),
   _mm256_castsi256_ps(_mm256_cmpeq_epi32(load_256(p), _mm256_set1_epi32(k))))
OP(f64v_mask, f64v_is, (const int32_t *p, int k),
   widened(_mm_cmpeq_epi32(load_128(p), _mm_set1_epi32(k))))
OP(f32v_mask, f32v_both, (f32v_mask a, f32v_mask b), _mm256_and_ps(a, b))
OP(f64v_mask, f64v_both, (f64v_mask a, f64v_mask b), _mm256_and_pd(a, b))
OP(f32v_mask, f32v_either, (f32v_mask a, f32v_mask b), _mm256_or_ps(a, b))
OP(f64v_mask, f64v_either, (f64v_mask a, f64v_mask b), _mm256_or_pd(a, b))
OP(int, f32v_all, (f32v_mask a), _mm256_movemask_ps(a) == 0xff)
OP(int, f64v_all, (f64v_mask a), _mm256_movemask_pd(a) == 0xf)
OP(f32v, f32v_select, (f32v_mask m, f32v yes, f32v no), _mm256_blendv_ps(no, yes, m))
OP(f64v, f64v_select, (f64v_mask m, f64v yes, f64v no), _mm256_blendv_pd(no, yes, m))

/* ---- arithmetic */

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), _mm256_fmadd_ps(a, b, c))
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), _mm256_fmadd_pd(a, b, c))
OP(u32v, u32v_add_pairs, (u32v sum, u32v a, u32v b), _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)))

/* Adding +0 changes no sum but -0. */
OP(f32v, f32v_add_where, (f32v sum, f32v_mask m, f32v x), _mm256_add_ps(sum, _mm256_and_ps(m, x)))
OP(f64v, f64v_add_where, (f64v sum, f64v_mask m, f64v x), _mm256_add_pd(sum, _mm256_and_pd(m, x)))

OP(f32v, f32v_max, (f32v a, f32v b), _mm256_max_ps(a, b))
OP(f32v, f32v_min, (f32v a, f32v b), _mm256_min_ps(a, b))

/* The instructions return the second operand if one is NaN. */
OP(f32v, f32v_at_least, (f32v least, f32v x), _mm256_max_ps(least, x))
OP(f32v, f32v_at_most, (f32v most, f32v x), _mm256_min_ps(most, x))

/* The instruction returns max if that is NaN or both are equal; a comparison has the bits of a
 * NaN. */
static inline f32v f32v_greater(f32v max, f32v v)
{
    const __m256 nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
    return _mm256_or_ps(_mm256_max_ps(v, max), nan);
}

static inline f64v f64v_greater(f64v max, f64v v)
{
    const __m256d nan = _mm256_cmp_pd(v, v, _CMP_UNORD_Q);
    return _mm256_or_pd(_mm256_max_pd(v, max), nan);
}

OP(f32v, f32v_abs, (f32v x), _mm256_andnot_ps(f32v_splat(-0.0f), x))
OP(f32v, f32v_copysign, (f32v x, f32v s),
   _mm256_or_ps(_mm256_and_ps(f32v_splat(-0.0f), s), f32v_abs(x)))
OP(u32v, f32v_bits, (f32v x, int shift), _mm256_srli_epi32(_mm256_castps_si256(x), shift))

/* Computes 2^i from the last 8 bits of i + 127. */
OP(f32v, power_of_2, (u32v i), _mm256_castsi256_ps(_mm256_slli_epi32(i, 23)))

OP(f32v, f32v_exp2, (f32v n), power_of_2(f32v_bits(n + f32v_splat(0x1.8p23f + 127), 0)))

static inline f32v f32v_ldexp(f32v x, f32v n)
{
    const u32v both = f32v_bits(n + f32v_splat(0x1.8p23f + 2 * 127), 0);
    const u32v half = _mm256_srli_epi32(both, 1);
    return x * power_of_2(half) * power_of_2(_mm256_sub_epi32(both, half));
}

static inline int f32v_any_from(f32v x, float least)
{
    const __m256 from = _mm256_cmp_ps(f32v_abs(x), f32v_splat(least), _CMP_NLT_UQ);
    return _mm256_movemask_ps(from) != 0;
}

OP(int, f32v_any_nan, (f32v v), _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)) != 0)

/* ---- one number from all elements */

OP(float, f32v_sum, (f32v v), sum_of_8(v))
OP(float, f32v_most, (f32v v), most_of_8(v))
OP(float, f32v_least, (f32v v), least_of_8(v))

/* ---- moves */

OP(f32v, f32v_lookup, (const float table[8], u32v i),
   _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), i))

static inline f32v f32v_even(f32v a, f32v b)
{
    const __m256d pairs = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0xd8));
}

#define OC_SIMD_OF_GROUP
static inline f32v f32v_of_group(f32v v, int n, int c)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i first = _mm256_and_si256(lane, _mm256_set1_epi32(-n));
    return _mm256_permutevar8x32_ps(v, _mm256_add_epi32(first, _mm256_set1_epi32(c)));
}

static inline void f32v_transpose(f32v r[8])
{
    __m256 t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) /* half q of u[i + k] is column 4q + k of rows i to i+3 */
        for (int k = 0; k < 4; k++)
            u[i + k] = k % 2 ? _mm256_shuffle_ps(t[i + k / 2], t[i + 2 + k / 2], 0xee)
                             : _mm256_shuffle_ps(t[i + k / 2], t[i + 2 + k / 2], 0x44);
    for (int k = 0; k < 4; k++) {
        r[k] = _mm256_permute2f128_ps(u[k], u[4 + k], 0x20);
        r[4 + k] = _mm256_permute2f128_ps(u[k], u[4 + k], 0x31);
    }
}

static inline void f64v_transpose(f64v r[4])
{
    const __m256d a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    const __m256d c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

OP(f64v, f64v_load_f32, (const float *p), _mm256_cvtps_pd(_mm_loadu_ps(p)))

/* ---- float16, bfloat16 and uint8 */

OP(f32v, f32v_load_f16, (const uint16_t *p), _mm256_cvtph_ps(load_128(p)))
OP(f32v, f32v_load_bf16, (const uint16_t *p),
   _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_128(p)), 16)))
OP(f32v, f32v_load_u8, (const uint8_t *p),
   _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(p))))

/* Packs the low halves of 32-bit numbers that fit 16 bits. */
OP(__m128i, low_halves, (__m256i v),
   _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)))

OP(__m128i, to_f16, (f32v v), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))

static inline __m128i to_bf16(f32v v)
{
    const __m256i bits = _mm256_castps_si256(v), one = _mm256_set1_epi32(1);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), one);
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
    return low_halves(_mm256_srli_epi32(_mm256_blendv_epi8(sum, quiet, nan), 16));
}

/* For NaN the maximum is its second operand. */
static inline __m128i to_u8(f32v v)
{
    v = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(255));
    const __m128i wide = low_halves(_mm256_cvttps_epi32(v));
    return _mm_packus_epi16(wide, wide);
}

OP_STORE(f32v_store_f16, uint16_t, (f32v v), _mm_storeu_si128((__m128i *)(void *)p, to_f16(v)))
OP_STORE(f32v_store_bf16, uint16_t, (f32v v), _mm_storeu_si128((__m128i *)(void *)p, to_bf16(v)))
OP_STORE(f32v_store_u8, uint8_t, (f32v v), _mm_storeu_si64(p, to_u8(v)))

/* Stores the first n codes of `size` bytes. */
static inline void store_codes(void *p, __m128i codes, int n, size_t size)
{
    memcpy(p, &codes, (size_t)n * size);
}

static inline void f32v_store_first_f16(uint16_t *p, f32v v, int n)
{
    if (n == f32v_N)
        f32v_store_f16(p, v);
    else
        store_codes(p, to_f16(v), n, sizeof *p);
}

static inline void f32v_store_first_bf16(uint16_t *p, f32v v, int n)
{
    if (n == f32v_N)
        f32v_store_bf16(p, v);
    else
        store_codes(p, to_bf16(v), n, sizeof *p);
}

static inline void f32v_store_first_u8(uint8_t *p, f32v v, int n)
{
    if (n == f32v_N)
        f32v_store_u8(p, v);
    else
        store_codes(p, to_u8(v), n, sizeof *p);
}

/* ---- bytes */

typedef __m256i u8v;
typedef struct u8_table {
    __m128i part[16];
} u8_table;

enum { u8v_N = 32 };

static inline u8_table u8_table_load(const uint8_t *p)
{
    u8_table t;
    for (int i = 0; i < 16; i++)
        t.part[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    return t;
}

OP(u8v, u8v_load, (const uint8_t *p), _mm256_loadu_si256((const __m256i *)(const void *)p))
OP_STORE(u8v_store, uint8_t, (u8v v), _mm256_storeu_si256((__m256i *)(void *)p, v))

/* A shuffle gives 0 where the first bit of the index is set; the saturated sum sets it for
 * indices of other parts. */
static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    __m256i all = _mm256_setzero_si256();
    for (int k = 0; k < 16; k++) {
        const __m256i part = _mm256_broadcastsi128_si256(t->part[k]);
        const __m256i own = _mm256_xor_si256(i, _mm256_set1_epi8((char)(k << 4)));
        const __m256i at = _mm256_adds_epu8(own, _mm256_set1_epi8(0x70));
        all = _mm256_or_si256(all, _mm256_shuffle_epi8(part, at));
    }
    return all;
}
