/* SPDX-License-Identifier: Apache-2.0
 * avx512.h - the operations of simd.h in AVX-512: 16 floats or 8 doubles. */
#pragma once

#include "kernels/simd/x86.h"

#define OC_SIMD_NEED OC_CPU_AVX512
enum { OC_SIMD_REGISTERS = 32 };
#define OC_UNROLL _Pragma("GCC unroll 8")

typedef __m512 f32v;
typedef __m512d f64v;
typedef __m512i u32v;
typedef __m256 f32h;
typedef __mmask16 f32v_mask;
typedef __mmask8 f64v_mask;
typedef __mmask16 u32v_mask;

enum { f32v_N = 16, f64v_N = 8, u32v_N = 16 };

/* ---- values */

static inline f32v f32v_kept(f32v v)
{
    __asm__("" : "+v"(v));
    return v;
}

OP(f32v, f32v_zero, (void), _mm512_setzero_ps())
OP(f64v, f64v_zero, (void), _mm512_setzero_pd())
OP(u32v, u32v_zero, (void), _mm512_setzero_si512())
OP(f32v, f32v_splat, (float x), _mm512_set1_ps(x))
OP(f64v, f64v_splat, (double x), _mm512_set1_pd(x))
OP(u32v, u32v_splat, (uint32_t x), _mm512_set1_epi32((int)x))
OP(f32v, f32v_load, (const float *p), _mm512_loadu_ps(p))
OP(f64v, f64v_load, (const double *p), _mm512_loadu_pd(p))
OP(u32v, u32v_load, (const uint32_t *p), _mm512_loadu_si512(p))
OP_STORE(f32v_store, float, (f32v v), _mm512_storeu_ps(p, v))
OP_STORE(f64v_store, double, (f64v v), _mm512_storeu_pd(p, v))
OP_STORE(u32v_store, uint32_t, (u32v v), _mm512_storeu_si512(p, v))

/* ---- half of a register; f32x8 consists of it */

#define OC_SIMD_HALF

OP(f32h, f32h_zero, (void), _mm256_setzero_ps())
OP(f32h, f32h_splat, (float x), _mm256_set1_ps(x))
OP(f32h, f32h_load, (const float *p), _mm256_loadu_ps(p))
OP_STORE(f32h_store, float, (f32h v), _mm256_storeu_ps(p, v))
OP(f32h, f32h_fma, (f32h a, f32h b, f32h c), _mm256_fmadd_ps(a, b, c))

/* ---- masks */

OP(f32v_mask, f32v_first, (int n), (__mmask16)((1u << n) - 1))
OP(f64v_mask, f64v_first, (int n), (__mmask8)((1u << n) - 1))
OP(u32v_mask, u32v_first, (int n), (__mmask16)((1u << n) - 1))
OP(f32v, f32v_load_where, (const float *p, f32v_mask m), _mm512_maskz_loadu_ps(m, p))
OP(f64v, f64v_load_where, (const double *p, f64v_mask m), _mm512_maskz_loadu_pd(m, p))
OP(u32v, u32v_load_where, (const uint32_t *p, u32v_mask m), _mm512_maskz_loadu_epi32(m, p))
OP(f32v, f32v_load_first, (const float *p, int n, float missing),
   _mm512_mask_loadu_ps(_mm512_set1_ps(missing), f32v_first(n), p))
OP_STORE(f32v_store_where, float, (f32v_mask m, f32v v), _mm512_mask_storeu_ps(p, m, v))
OP_STORE(f64v_store_where, double, (f64v_mask m, f64v v), _mm512_mask_storeu_pd(p, m, v))
OP_STORE(u32v_store_where, uint32_t, (u32v_mask m, u32v v), _mm512_mask_storeu_epi32(p, m, v))
OP_STORE(f32v_store_first, float, (f32v v, int n), _mm512_mask_storeu_ps(p, f32v_first(n), v))
OP_STORE(f64v_store_first, double, (f64v v, int n), _mm512_mask_storeu_pd(p, f64v_first(n), v))
OP(f32v_mask, f32v_less, (f32v a, f32v b), _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
OP(f32v_mask, f32v_not_negative, (f32v v), _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GE_OQ))
OP(f64v_mask, f64v_not_negative, (f64v v), _mm512_cmp_pd_mask(v, _mm512_setzero_pd(), _CMP_GE_OQ))
OP(f32v_mask, f32v_there, (const int32_t *absent, int n),
   _kandn_mask16(_mm512_movepi32_mask(_mm512_loadu_si512(absent)), f32v_first(n)))
OP(f64v_mask, f64v_there, (const int32_t *absent, int n),
   _kandn_mask8(_mm256_movepi32_mask(load_256(absent)), f64v_first(n)))
OP(f32v_mask, f32v_is, (const int32_t *p, int k),
   _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(p), _mm512_set1_epi32(k)))
OP(f64v_mask, f64v_is, (const int32_t *p, int k),
   _mm256_cmpeq_epi32_mask(load_256(p), _mm256_set1_epi32(k)))
OP(f32v_mask, f32v_both, (f32v_mask a, f32v_mask b), _kand_mask16(a, b))
OP(f64v_mask, f64v_both, (f64v_mask a, f64v_mask b), _kand_mask8(a, b))
OP(f32v_mask, f32v_either, (f32v_mask a, f32v_mask b), _kor_mask16(a, b))
OP(f64v_mask, f64v_either, (f64v_mask a, f64v_mask b), _kor_mask8(a, b))
OP(int, f32v_all, (f32v_mask a), a == 0xffff)
OP(int, f64v_all, (f64v_mask a), a == 0xff)
OP(f32v, f32v_select, (f32v_mask m, f32v yes, f32v no), _mm512_mask_blend_ps(m, no, yes))
OP(f64v, f64v_select, (f64v_mask m, f64v yes, f64v no), _mm512_mask_blend_pd(m, no, yes))

/* ---- arithmetic */

OP(f32v, f32v_fma, (f32v a, f32v b, f32v c), _mm512_fmadd_ps(a, b, c))
OP(f64v, f64v_fma, (f64v a, f64v b, f64v c), _mm512_fmadd_pd(a, b, c))
OP(u32v, u32v_add_pairs, (u32v sum, u32v a, u32v b), _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)))
OP(f32v, f32v_add_where, (f32v sum, f32v_mask m, f32v x), _mm512_mask_add_ps(sum, m, sum, x))
OP(f64v, f64v_add_where, (f64v sum, f64v_mask m, f64v x), _mm512_mask_add_pd(sum, m, sum, x))
OP(f32v, f32v_max, (f32v a, f32v b), _mm512_max_ps(a, b))
OP(f32v, f32v_min, (f32v a, f32v b), _mm512_min_ps(a, b))

/* The instructions return the second operand if one is NaN. */
OP(f32v, f32v_at_least, (f32v least, f32v x), _mm512_max_ps(least, x))
OP(f32v, f32v_at_most, (f32v most, f32v x), _mm512_min_ps(most, x))

/* The instruction returns max if that is NaN or both are equal. */
OP(f32v, f32v_greater, (f32v max, f32v v),
   _mm512_mask_max_ps(v, _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v, max))
OP(f64v, f64v_greater, (f64v max, f64v v),
   _mm512_mask_max_pd(v, _mm512_cmp_pd_mask(v, v, _CMP_ORD_Q), v, max))

OP(f32v, f32v_abs, (f32v x), _mm512_abs_ps(x))

static inline f32v f32v_copysign(f32v x, f32v s)
{
    const __m512i sign = _mm512_set1_epi32((int)0x80000000);
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(sign, _mm512_castps_si512(s), _mm512_castps_si512(x), 0xca));
}

OP(f32v, f32v_exp2, (f32v n), _mm512_scalef_ps(f32v_splat(1), n))
OP(f32v, f32v_ldexp, (f32v x, f32v n), _mm512_scalef_ps(x, n))
OP(int, f32v_any_from, (f32v x, float least),
   _mm512_cmp_ps_mask(f32v_abs(x), f32v_splat(least), _CMP_NLT_UQ) != 0)
OP(int, f32v_any_nan, (f32v v), _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q) != 0)

/* ---- one number from all elements */

OP(__m256, lower, (f32v v), _mm512_castps512_ps256(v))
OP(__m256, upper, (f32v v), _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)))
OP(float, f32v_sum, (f32v v), sum_of_8(_mm256_add_ps(upper(v), lower(v))))
OP(float, f32v_most, (f32v v), most_of_8(_mm256_max_ps(upper(v), lower(v))))
OP(float, f32v_least, (f32v v), least_of_8(_mm256_min_ps(upper(v), lower(v))))

/* ---- moves */

OP(u32v, f32v_bits, (f32v x, int shift), _mm512_srli_epi32(_mm512_castps_si512(x), (unsigned)shift))
OP(f32v, f32v_lookup, (const float table[8], u32v i),
   _mm512_permutexvar_ps(i, _mm512_broadcast_f32x8(_mm256_loadu_ps(table))))

#define OC_SIMD_LOOKUP_MORE

static inline f32v f32v_lookup_more(const float table[8], const float more[4], u32v i)
{
    const f32v low = _mm512_castps256_ps512(_mm256_loadu_ps(table));
    return _mm512_permutexvar_ps(i, _mm512_insertf32x4(low, _mm_loadu_ps(more), 2));
}

static inline f32v f32v_even(f32v a, f32v b)
{
    const __m512i from =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_ps(a, from, b);
}

#define OC_SIMD_OF_GROUP
static inline f32v f32v_of_group(f32v v, int n, int c)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i first = _mm512_and_si512(lane, _mm512_set1_epi32(-n));
    return _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(c)), v);
}

static inline void f32v_transpose(f32v r[16])
{
    __m512 t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) /* part q of r[i + k] is column 4q + k of rows i to i+3 */
        for (int k = 0; k < 4; k++) {
            const __m512d a = _mm512_castps_pd(t[i + k / 2]);
            const __m512d b = _mm512_castps_pd(t[i + 2 + k / 2]);
            r[i + k] =
                _mm512_castpd_ps(k % 2 ? _mm512_unpackhi_pd(a, b) : _mm512_unpacklo_pd(a, b));
        }
    for (int k = 0; k < 4; k++) {
        const __m512 even0 = _mm512_shuffle_f32x4(r[k], r[4 + k], 0x88);
        const __m512 odd0 = _mm512_shuffle_f32x4(r[k], r[4 + k], 0xdd);
        const __m512 even1 = _mm512_shuffle_f32x4(r[8 + k], r[12 + k], 0x88);
        const __m512 odd1 = _mm512_shuffle_f32x4(r[8 + k], r[12 + k], 0xdd);
        t[k] = _mm512_shuffle_f32x4(even0, even1, 0x88);
        t[4 + k] = _mm512_shuffle_f32x4(odd0, odd1, 0x88);
        t[8 + k] = _mm512_shuffle_f32x4(even0, even1, 0xdd);
        t[12 + k] = _mm512_shuffle_f32x4(odd0, odd1, 0xdd);
    }
    for (int i = 0; i < 16; i++)
        r[i] = t[i];
}

static inline void f64v_transpose(f64v r[8])
{
    __m512d t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
    }
    for (int k = 0; k < 2; k++) { /* part q of t[i + k] is column 2q + k of rows i and i+1 */
        const __m512d even0 = _mm512_shuffle_f64x2(t[k], t[2 + k], 0x88);
        const __m512d odd0 = _mm512_shuffle_f64x2(t[k], t[2 + k], 0xdd);
        const __m512d even1 = _mm512_shuffle_f64x2(t[4 + k], t[6 + k], 0x88);
        const __m512d odd1 = _mm512_shuffle_f64x2(t[4 + k], t[6 + k], 0xdd);
        r[k] = _mm512_shuffle_f64x2(even0, even1, 0x88);
        r[2 + k] = _mm512_shuffle_f64x2(odd0, odd1, 0x88);
        r[4 + k] = _mm512_shuffle_f64x2(even0, even1, 0xdd);
        r[6 + k] = _mm512_shuffle_f64x2(odd0, odd1, 0xdd);
    }
}

OP(f64v, f64v_load_f32, (const float *p), _mm512_cvtps_pd(_mm256_loadu_ps(p)))

/* ---- float16, bfloat16 and uint8 */

OP(f32v, f32v_load_f16, (const uint16_t *p), _mm512_cvtph_ps(load_256(p)))
OP(f32v, f32v_load_bf16, (const uint16_t *p),
   _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load_256(p)), 16)))
OP(f32v, f32v_load_u8, (const uint8_t *p), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(load_128(p))))

/* gcc warns about its macro for all elements when it does not optimise. */
OP(__m256i, to_f16, (f32v v),
   _mm512_maskz_cvtps_ph(f32v_first(16), v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))

/* The results are in the low halves of the elements. */
static inline u32v to_bf16(f32v v)
{
    const __m512i bits = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    const __m512i quiet = _mm512_set1_epi32(0x400000);
    return _mm512_srli_epi32(_mm512_mask_or_epi32(sum, nan, bits, quiet), 16);
}

/* For NaN the maximum is its second operand. */
static inline u32v to_u8(f32v v)
{
    v = _mm512_min_ps(_mm512_max_ps(v, _mm512_setzero_ps()), _mm512_set1_ps(255));
    return _mm512_cvttps_epi32(v);
}

OP_STORE(f32v_store_f16, uint16_t, (f32v v), _mm256_storeu_si256((__m256i *)(void *)p, to_f16(v)))
OP_STORE(f32v_store_bf16, uint16_t, (f32v v),
         _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16(to_bf16(v))))
OP_STORE(f32v_store_u8, uint8_t, (f32v v),
         _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(to_u8(v))))
OP_STORE(f32v_store_first_f16, uint16_t, (f32v v, int n),
         _mm256_mask_storeu_epi16(p, f32v_first(n), to_f16(v)))
OP_STORE(f32v_store_first_bf16, uint16_t, (f32v v, int n),
         _mm512_mask_cvtepi32_storeu_epi16(p, f32v_first(n), to_bf16(v)))
OP_STORE(f32v_store_first_u8, uint8_t, (f32v v, int n),
         _mm512_mask_cvtepi32_storeu_epi8(p, f32v_first(n), to_u8(v)))

/* ---- bytes */

typedef __m512i u8v;
typedef struct u8_table {
    __m512i part[4];
} u8_table;

enum { u8v_N = 64 };

static inline u8_table u8_table_load(const uint8_t *p)
{
    return (u8_table){{_mm512_loadu_si512(p), _mm512_loadu_si512(p + 64),
                       _mm512_loadu_si512(p + 128), _mm512_loadu_si512(p + 192)}};
}

OP(u8v, u8v_load, (const uint8_t *p), _mm512_loadu_si512(p))
OP_STORE(u8v_store, uint8_t, (u8v v), _mm512_storeu_si512(p, v))

/* Returns the words of the table that have the entries numbered by i, one number in each 16
 * bits. */
static inline __m512i words_of(const u8_table *t, __m512i i)
{
    const __m512i word = _mm512_srli_epi16(i, 1);
    const __m512i low = _mm512_permutex2var_epi16(t->part[0], word, t->part[1]);
    const __m512i high = _mm512_permutex2var_epi16(t->part[2], word, t->part[3]);
    const __m512i both =
        _mm512_mask_blend_epi16(_mm512_test_epi16_mask(i, _mm512_set1_epi16(128)), low, high);
    const __m512i odd = _mm512_and_si512(i, _mm512_set1_epi16(1));
    return _mm512_srlv_epi16(both, _mm512_slli_epi16(odd, 3));
}

static inline u8v u8v_lookup(const u8_table *t, u8v i)
{
    const __m512i even = words_of(t, _mm512_and_si512(i, _mm512_set1_epi16(255)));
    const __m512i odd = words_of(t, _mm512_srli_epi16(i, 8));
    return _mm512_mask_blend_epi8(0xaaaaaaaaaaaaaaaa, even, _mm512_slli_epi16(odd, 8));
}
