/* SPDX-License-Identifier: Apache-2.0
 * lanes_vec.h - the lanes of one pixel (layout.h) as a value: lanes_f32, lanes_f64.
 *
 * The value is one register of vec.h for AVX-512, two for AVX2, four for NEON, and an array of
 * numbers elsewhere. Each function works on every lane by itself and gives the same bits in all of
 * these forms (any NaN for a NaN):
 *
 *     zero()  set(x)  load(p)  store(p, v)      what is loaded is aligned to 64 bytes
 *     add(a, b)  mul(a, b)  div(a, b)
 *     fma(sum, a, b)       sum + a * b, rounded once
 *     choose(v, a, b)      v >= 0 ? a : b
 *     greater(max, v)      v > max || v is NaN ? v : max
 *     of_group(p, n, c)    lane i is p[i / n * n + c]; float alone, n is 1, 2, 4 or 8
 *
 * half_f32 is 8 of the lanes, the lower or the upper ones, with zero, set, load, store, add and
 * fma.
 *
 * x86's maximum of v and max is v > max ? v : max, so max stays if it is NaN or equal.
 *
 * Templates are written with LANES(name), which appends the suffix. */
#ifndef OC_KERNELS_COMMON_LANES_VEC_H
#define OC_KERNELS_COMMON_LANES_VEC_H

#include "kernels/common/vec.h"

/* A value is made of parts, V r[]: registers or numbers. What differs between instruction sets: how
 * many parts there are, and three operations on one. */
#if defined(__AVX512F__)

#define OC_LANES_PARTS(f, S, V) f(S, V, 0)
#define OC_LANES_LOAD(S, V, i)  ((const V *)from)[i]

#define OC_LANES_PART(S, V, MASK, p)                                                               \
    static inline V lanes_choose_part_##S(V v, V a, V b)                                           \
    {                                                                                              \
        const MASK m = _mm512_cmp_##p##_mask(v, _mm512_setzero_##p(), _CMP_GE_OQ);                 \
        return _mm512_mask_blend_##p(m, b, a);                                                     \
    }                                                                                              \
    static inline V lanes_greater_part_##S(V max, V v)                                             \
    {                                                                                              \
        const MASK number = _mm512_cmp_##p##_mask(v, v, _CMP_ORD_Q);                               \
        return _mm512_mask_max_##p(v, number, v, max);                                             \
    }
OC_LANES_PART(f32, vf, __mmask16, ps)
OC_LANES_PART(f64, vd, __mmask8, pd)

#elif defined(__AVX2__)

#define OC_LANES_PARTS(f, S, V) f(S, V, 0), f(S, V, 1)
#define OC_LANES_LOAD(S, V, i)  ((const V *)from)[i]

#define OC_LANES_PART(S, V, p)                                                                     \
    static inline V lanes_choose_part_##S(V v, V a, V b)                                           \
    {                                                                                              \
        return _mm256_blendv_##p(b, a, _mm256_cmp_##p(v, _mm256_setzero_##p(), _CMP_GE_OQ));       \
    }                                                                                              \
    static inline V lanes_greater_part_##S(V max, V v)                                             \
    {                                                                                              \
        const V nan = _mm256_cmp_##p(v, v, _CMP_UNORD_Q); /* has the bits of a NaN */              \
        return _mm256_or_##p(_mm256_max_##p(v, max), nan);                                         \
    }
OC_LANES_PART(f32, vf, ps)
OC_LANES_PART(f64, vd, pd)

#elif defined(OC_VEC_NEON)

#define OC_LANES_PARTS(f, S, V) f(S, V, 0), f(S, V, 1), f(S, V, 2), f(S, V, 3)
#define OC_LANES_LOAD(S, V, i)  V##_load((const void *)((const char *)from + (i) * (int)sizeof(V)))

#define OC_LANES_PART(S, V)                                                                        \
    static inline V lanes_choose_part_##S(V v, V a, V b)                                           \
    {                                                                                              \
        return vbslq_##S(vcgezq_##S(v), a, b);                                                     \
    }                                                                                              \
    static inline V lanes_greater_part_##S(V max, V v)                                             \
    {                                                                                              \
        const V most = vbslq_##S(vcgtq_##S(v, max), v, max);                                       \
        return vbslq_##S(vceqq_##S(v, v), most, v);                                                \
    }
OC_LANES_PART(f32, vf)
OC_LANES_PART(f64, vd)

#endif
#undef OC_LANES_PART

/* OC_LANES_RETURN(f, S, V) returns the value whose part i is f(S, V, i). */
#ifdef OC_LANES_PARTS
#define OC_LANES_RETURN(f, S, V)  return (lanes_##S){{OC_LANES_PARTS(f, S, V)}};
#define OC_LANES_CHOOSE(S, V, i)  lanes_choose_part_##S(v.r[i], a.r[i], b.r[i])
#define OC_LANES_GREATER(S, V, i) lanes_greater_part_##S(max.r[i], v.r[i])
#define OC_LANES_READ(S, V)       OC_LANES_RETURN(OC_LANES_LOAD, S, V)
#define OC_LANES_WRITE(S, V)      OC_LANES_PARTS(OC_LANES_STORE, S, V);
#else
#define OC_LANES_RETURN(f, S, V)                                                                   \
    lanes_##S y;                                                                                   \
    for (int i = 0; i < 64 / (int)sizeof(V); i++)                                                  \
        y.r[i] = f(S, V, i);                                                                       \
    return y;
#define OC_LANES_CHOOSE(S, V, i)  v.r[i] >= 0 ? a.r[i] : b.r[i]
#define OC_LANES_GREATER(S, V, i) v.r[i] > max.r[i] || v.r[i] != v.r[i] ? v.r[i] : max.r[i]
#define OC_LANES_READ(S, V)       return *(const lanes_##S *)from;
#define OC_LANES_WRITE(S, V)      *(lanes_##S *)to = v;
#endif

/* Part i of each result. */
#define OC_LANES_ZERO(S, V, i)  V##_zero()
#define OC_LANES_SET(S, V, i)   V##_set(x)
#define OC_LANES_STORE(S, V, i) V##_store((void *)((char *)to + (i) * (int)sizeof(V)), v.r[i])
#define OC_LANES_ADD(S, V, i)   a.r[i] + b.r[i]
#define OC_LANES_MUL(S, V, i)   a.r[i] * b.r[i]
#define OC_LANES_DIV(S, V, i)   a.r[i] / b.r[i]
#define OC_LANES_FMA(S, V, i)   V##_fma(sum.r[i], a.r[i], b.r[i])

#define OC_LANES_VEC(S, V, REAL)                                                                   \
    typedef struct lanes_##S {                                                                     \
        V r[64 / sizeof(V)];                                                                       \
    } lanes_##S;                                                                                   \
    static inline lanes_##S lanes_zero_##S(void)                                                   \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_ZERO, S, V)                                                       \
    }                                                                                              \
    static inline lanes_##S lanes_set_##S(REAL x)                                                  \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_SET, S, V)                                                        \
    }                                                                                              \
    static inline lanes_##S lanes_load_##S(const void *from)                                       \
    {                                                                                              \
        OC_LANES_READ(S, V)                                                                        \
    }                                                                                              \
    static inline void lanes_store_##S(void *to, lanes_##S v)                                      \
    {                                                                                              \
        OC_LANES_WRITE(S, V)                                                                       \
    }                                                                                              \
    static inline lanes_##S lanes_add_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_ADD, S, V)                                                        \
    }                                                                                              \
    static inline lanes_##S lanes_mul_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_MUL, S, V)                                                        \
    }                                                                                              \
    static inline lanes_##S lanes_div_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_DIV, S, V)                                                        \
    }                                                                                              \
    static inline lanes_##S lanes_fma_##S(lanes_##S sum, lanes_##S a, lanes_##S b)                 \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_FMA, S, V)                                                        \
    }                                                                                              \
    static inline lanes_##S lanes_choose_##S(lanes_##S v, lanes_##S a, lanes_##S b)                \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_CHOOSE, S, V)                                                     \
    }                                                                                              \
    static inline lanes_##S lanes_greater_##S(lanes_##S max, lanes_##S v)                          \
    {                                                                                              \
        OC_LANES_RETURN(OC_LANES_GREATER, S, V)                                                    \
    }
OC_LANES_VEC(f32, vf, float)
OC_LANES_VEC(f64, vd, double)
#undef OC_LANES_VEC

/* What half_f32 is made of. */
#if !defined(__AVX512F__)
typedef vf vh;
#define vh_zero  vf_zero
#define vh_set   vf_set
#define vh_load  vf_load
#define vh_store vf_store
#define vh_fma   vf_fma
#endif

enum { VH_LANES = sizeof(vh) / sizeof(float), VH_PARTS = 8 / VH_LANES };

typedef struct half_f32 {
    vh r[VH_PARTS];
} half_f32;

#define OC_HALF(i, part)                                                                           \
    half_f32 y;                                                                                    \
    _Pragma("GCC unroll 8") for (int i = 0; i < VH_PARTS; i++) y.r[i] = part;                      \
    return y;

static inline half_f32 half_zero_f32(void)
{
    OC_HALF(i, vh_zero())
}

static inline half_f32 half_set_f32(float x)
{
    OC_HALF(i, vh_set(x))
}

static inline half_f32 half_load_f32(const float *from)
{
    OC_HALF(i, vh_load(from + i * VH_LANES))
}

static inline half_f32 half_add_f32(half_f32 a, half_f32 b)
{
    OC_HALF(i, a.r[i] + b.r[i])
}

static inline half_f32 half_fma_f32(half_f32 sum, half_f32 a, half_f32 b)
{
    OC_HALF(i, vh_fma(sum.r[i], a.r[i], b.r[i]))
}
#undef OC_HALF

static inline void half_store_f32(float *to, half_f32 v)
{
    for (int i = 0; i < VH_PARTS; i++)
        vh_store(to + i * VH_LANES, v.r[i]);
}

#if defined(__AVX512F__)
static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i first = _mm512_and_si512(lane, _mm512_set1_epi32(-n));
    const __m512 v = _mm512_load_ps(p);
    return (lanes_f32){
        {n == 1 ? v : _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(c)), v)}};
}
#elif defined(__AVX2__)
static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i from =
        _mm256_add_epi32(_mm256_and_si256(lane, _mm256_set1_epi32(-n)), _mm256_set1_epi32(c));
    const lanes_f32 v = lanes_load_f32(p);
    if (n == 1)
        return v;
    return (lanes_f32){
        {_mm256_permutevar8x32_ps(v.r[0], from), _mm256_permutevar8x32_ps(v.r[1], from)}};
}
#else
static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    float v[16];
    for (int i = 0; i < 16; i++)
        v[i] = p[i / n * n + c];
    return lanes_load_f32(v);
}
#endif

#endif
