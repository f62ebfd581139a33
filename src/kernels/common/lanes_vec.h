/* SPDX-License-Identifier: Apache-2.0
 * lanes_vec.h - the lanes of one pixel (lanes.h) as a value: lanes_f32, lanes_f64.
 *
 * The value is one register where the including unit is built for AVX-512, two for AVX2, four
 * where the unit defines OC_LANES_NEON, and a C array elsewhere. Each function works on every lane
 * by itself and gives the same bits in all of these forms (any NaN for a NaN):
 *
 *     zero()  set(x)  load(p)  store(p, v)      what is loaded is aligned to 64 bytes
 *     add(a, b)  mul(a, b)  div(a, b)
 *     fma(sum, a, b)       sum + a * b, rounded once
 *     choose(v, a, b)      v >= 0 ? a : b
 *     greater(max, v)      v > max || v is NaN ? v : max
 *     of_group(p, n, c)    lane i is p[i / n * n + c]; float alone, n is 1, 2, 4 or 8
 *
 * x86's maximum of v and max is v > max ? v : max, so max stays if it is NaN or equal.
 *
 * Templates are written with LANES(name), which appends the suffix. */
#ifndef OC_KERNELS_COMMON_LANES_VEC_H
#define OC_KERNELS_COMMON_LANES_VEC_H

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(OC_LANES_NEON)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)

#define OC_LANES_VEC(S, REAL, REG, MASK, p)                                                        \
    typedef struct lanes_##S {                                                                     \
        REG r;                                                                                     \
    } lanes_##S;                                                                                   \
    static inline lanes_##S lanes_zero_##S(void)                                                   \
    {                                                                                              \
        return (lanes_##S){_mm512_setzero_##p()};                                                  \
    }                                                                                              \
    static inline lanes_##S lanes_set_##S(REAL x)                                                  \
    {                                                                                              \
        return (lanes_##S){_mm512_set1_##p(x)};                                                    \
    }                                                                                              \
    static inline lanes_##S lanes_load_##S(const void *from)                                       \
    {                                                                                              \
        return (lanes_##S){_mm512_load_##p(from)};                                                 \
    }                                                                                              \
    static inline void lanes_store_##S(void *to, lanes_##S v)                                      \
    {                                                                                              \
        _mm512_storeu_##p(to, v.r);                                                                \
    }                                                                                              \
    static inline lanes_##S lanes_add_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm512_add_##p(a.r, b.r)};                                              \
    }                                                                                              \
    static inline lanes_##S lanes_mul_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm512_mul_##p(a.r, b.r)};                                              \
    }                                                                                              \
    static inline lanes_##S lanes_div_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm512_div_##p(a.r, b.r)};                                              \
    }                                                                                              \
    static inline lanes_##S lanes_fma_##S(lanes_##S sum, lanes_##S a, lanes_##S b)                 \
    {                                                                                              \
        return (lanes_##S){_mm512_fmadd_##p(a.r, b.r, sum.r)};                                     \
    }                                                                                              \
    static inline lanes_##S lanes_choose_##S(lanes_##S v, lanes_##S a, lanes_##S b)                \
    {                                                                                              \
        const MASK m = _mm512_cmp_##p##_mask(v.r, _mm512_setzero_##p(), _CMP_GE_OQ);               \
        return (lanes_##S){_mm512_mask_blend_##p(m, b.r, a.r)};                                    \
    }                                                                                              \
    static inline lanes_##S lanes_greater_##S(lanes_##S max, lanes_##S v)                          \
    {                                                                                              \
        const MASK number = _mm512_cmp_##p##_mask(v.r, v.r, _CMP_ORD_Q);                           \
        return (lanes_##S){_mm512_mask_max_##p(v.r, number, v.r, max.r)};                          \
    }
OC_LANES_VEC(f32, float, __m512, __mmask16, ps)
OC_LANES_VEC(f64, double, __m512d, __mmask8, pd)

static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i first = _mm512_and_si512(lane, _mm512_set1_epi32(-n));
    const __m512 v = _mm512_load_ps(p);
    return (lanes_f32){
        n == 1 ? v : _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(c)), v)};
}

#elif defined(__AVX2__)

#define OC_LANES_VEC(S, REAL, REG, p)                                                              \
    typedef struct lanes_##S {                                                                     \
        REG low, high;                                                                             \
    } lanes_##S;                                                                                   \
    static inline lanes_##S lanes_zero_##S(void)                                                   \
    {                                                                                              \
        return (lanes_##S){_mm256_setzero_##p(), _mm256_setzero_##p()};                            \
    }                                                                                              \
    static inline lanes_##S lanes_set_##S(REAL x)                                                  \
    {                                                                                              \
        return (lanes_##S){_mm256_set1_##p(x), _mm256_set1_##p(x)};                                \
    }                                                                                              \
    static inline lanes_##S lanes_load_##S(const void *from)                                       \
    {                                                                                              \
        const REAL *x = from;                                                                      \
        return (lanes_##S){_mm256_load_##p(x), _mm256_load_##p(x + 32 / sizeof *x)};               \
    }                                                                                              \
    static inline void lanes_store_##S(void *to, lanes_##S v)                                      \
    {                                                                                              \
        REAL *x = to;                                                                              \
        _mm256_storeu_##p(x, v.low);                                                               \
        _mm256_storeu_##p(x + 32 / sizeof *x, v.high);                                             \
    }                                                                                              \
    static inline lanes_##S lanes_add_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm256_add_##p(a.low, b.low), _mm256_add_##p(a.high, b.high)};          \
    }                                                                                              \
    static inline lanes_##S lanes_mul_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm256_mul_##p(a.low, b.low), _mm256_mul_##p(a.high, b.high)};          \
    }                                                                                              \
    static inline lanes_##S lanes_div_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){_mm256_div_##p(a.low, b.low), _mm256_div_##p(a.high, b.high)};          \
    }                                                                                              \
    static inline lanes_##S lanes_fma_##S(lanes_##S sum, lanes_##S a, lanes_##S b)                 \
    {                                                                                              \
        return (lanes_##S){_mm256_fmadd_##p(a.low, b.low, sum.low),                                \
                           _mm256_fmadd_##p(a.high, b.high, sum.high)};                            \
    }                                                                                              \
    static inline REG lanes_choose_half_##S(REG v, REG a, REG b)                                   \
    {                                                                                              \
        return _mm256_blendv_##p(b, a, _mm256_cmp_##p(v, _mm256_setzero_##p(), _CMP_GE_OQ));       \
    }                                                                                              \
    static inline lanes_##S lanes_choose_##S(lanes_##S v, lanes_##S a, lanes_##S b)                \
    {                                                                                              \
        return (lanes_##S){lanes_choose_half_##S(v.low, a.low, b.low),                             \
                           lanes_choose_half_##S(v.high, a.high, b.high)};                         \
    }                                                                                              \
    static inline REG lanes_greater_half_##S(REG max, REG v)                                       \
    {                                                                                              \
        const REG nan = _mm256_cmp_##p(v, v, _CMP_UNORD_Q); /* has the bits of a NaN */            \
        return _mm256_or_##p(_mm256_max_##p(v, max), nan);                                         \
    }                                                                                              \
    static inline lanes_##S lanes_greater_##S(lanes_##S max, lanes_##S v)                          \
    {                                                                                              \
        return (lanes_##S){lanes_greater_half_##S(max.low, v.low),                                 \
                           lanes_greater_half_##S(max.high, v.high)};                              \
    }
OC_LANES_VEC(f32, float, __m256, ps)
OC_LANES_VEC(f64, double, __m256d, pd)

static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i from =
        _mm256_add_epi32(_mm256_and_si256(lane, _mm256_set1_epi32(-n)), _mm256_set1_epi32(c));
    const lanes_f32 v = lanes_load_f32(p);
    if (n == 1)
        return v;
    return (lanes_f32){_mm256_permutevar8x32_ps(v.low, from),
                       _mm256_permutevar8x32_ps(v.high, from)};
}

#elif defined(OC_LANES_NEON)

#define OC_LANES_VEC(S, REAL, REG)                                                                 \
    typedef struct lanes_##S {                                                                     \
        REG q0, q1, q2, q3;                                                                        \
    } lanes_##S;                                                                                   \
    static inline lanes_##S lanes_set_##S(REAL x)                                                  \
    {                                                                                              \
        const REG q = vdupq_n_##S(x);                                                              \
        return (lanes_##S){q, q, q, q};                                                            \
    }                                                                                              \
    static inline lanes_##S lanes_zero_##S(void)                                                   \
    {                                                                                              \
        return lanes_set_##S(0);                                                                   \
    }                                                                                              \
    static inline lanes_##S lanes_load_##S(const void *from)                                       \
    {                                                                                              \
        const REAL *x = from;                                                                      \
        enum { N = 16 / sizeof *x };                                                               \
        return (lanes_##S){vld1q_##S(x), vld1q_##S(x + N), vld1q_##S(x + 2 * N),                   \
                           vld1q_##S(x + 3 * N)};                                                  \
    }                                                                                              \
    static inline void lanes_store_##S(void *to, lanes_##S v)                                      \
    {                                                                                              \
        REAL *x = to;                                                                              \
        enum { N = 16 / sizeof *x };                                                               \
        vst1q_##S(x, v.q0);                                                                        \
        vst1q_##S(x + N, v.q1);                                                                    \
        vst1q_##S(x + 2 * N, v.q2);                                                                \
        vst1q_##S(x + 3 * N, v.q3);                                                                \
    }                                                                                              \
    static inline lanes_##S lanes_add_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){vaddq_##S(a.q0, b.q0), vaddq_##S(a.q1, b.q1), vaddq_##S(a.q2, b.q2),    \
                           vaddq_##S(a.q3, b.q3)};                                                 \
    }                                                                                              \
    static inline lanes_##S lanes_mul_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){vmulq_##S(a.q0, b.q0), vmulq_##S(a.q1, b.q1), vmulq_##S(a.q2, b.q2),    \
                           vmulq_##S(a.q3, b.q3)};                                                 \
    }                                                                                              \
    static inline lanes_##S lanes_div_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        return (lanes_##S){vdivq_##S(a.q0, b.q0), vdivq_##S(a.q1, b.q1), vdivq_##S(a.q2, b.q2),    \
                           vdivq_##S(a.q3, b.q3)};                                                 \
    }                                                                                              \
    static inline lanes_##S lanes_fma_##S(lanes_##S sum, lanes_##S a, lanes_##S b)                 \
    {                                                                                              \
        return (lanes_##S){vfmaq_##S(sum.q0, a.q0, b.q0), vfmaq_##S(sum.q1, a.q1, b.q1),           \
                           vfmaq_##S(sum.q2, a.q2, b.q2), vfmaq_##S(sum.q3, a.q3, b.q3)};          \
    }                                                                                              \
    static inline REG lanes_choose_quarter_##S(REG v, REG a, REG b)                                \
    {                                                                                              \
        return vbslq_##S(vcgezq_##S(v), a, b);                                                     \
    }                                                                                              \
    static inline lanes_##S lanes_choose_##S(lanes_##S v, lanes_##S a, lanes_##S b)                \
    {                                                                                              \
        return (lanes_##S){lanes_choose_quarter_##S(v.q0, a.q0, b.q0),                             \
                           lanes_choose_quarter_##S(v.q1, a.q1, b.q1),                             \
                           lanes_choose_quarter_##S(v.q2, a.q2, b.q2),                             \
                           lanes_choose_quarter_##S(v.q3, a.q3, b.q3)};                            \
    }                                                                                              \
    static inline REG lanes_greater_quarter_##S(REG max, REG v)                                    \
    {                                                                                              \
        const REG most = vbslq_##S(vcgtq_##S(v, max), v, max);                                     \
        return vbslq_##S(vceqq_##S(v, v), most, v);                                                \
    }                                                                                              \
    static inline lanes_##S lanes_greater_##S(lanes_##S max, lanes_##S v)                          \
    {                                                                                              \
        return (lanes_##S){                                                                        \
            lanes_greater_quarter_##S(max.q0, v.q0), lanes_greater_quarter_##S(max.q1, v.q1),      \
            lanes_greater_quarter_##S(max.q2, v.q2), lanes_greater_quarter_##S(max.q3, v.q3)};     \
    }
OC_LANES_VEC(f32, float, float32x4_t)
OC_LANES_VEC(f64, double, float64x2_t)

static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    float v[16];
    for (int i = 0; i < 16; i++)
        v[i] = p[i / n * n + c];
    return lanes_load_f32(v);
}

#else

#include <math.h>

#define OC_LANES_EACH(S, REAL, expression)                                                         \
    lanes_##S y;                                                                                   \
    for (int i = 0; i < 64 / (int)sizeof(REAL); i++)                                               \
        y.r[i] = (expression);                                                                     \
    return y;

#define OC_LANES_VEC(S, REAL, FMA)                                                                 \
    typedef struct lanes_##S {                                                                     \
        REAL r[64 / sizeof(REAL)];                                                                 \
    } lanes_##S;                                                                                   \
    static inline lanes_##S lanes_zero_##S(void)                                                   \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, 0)                                                                  \
    }                                                                                              \
    static inline lanes_##S lanes_set_##S(REAL x)                                                  \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, x)                                                                  \
    }                                                                                              \
    static inline lanes_##S lanes_load_##S(const void *from)                                       \
    {                                                                                              \
        return *(const lanes_##S *)from;                                                           \
    }                                                                                              \
    static inline void lanes_store_##S(void *to, lanes_##S v)                                      \
    {                                                                                              \
        *(lanes_##S *)to = v;                                                                      \
    }                                                                                              \
    static inline lanes_##S lanes_add_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, a.r[i] + b.r[i])                                                    \
    }                                                                                              \
    static inline lanes_##S lanes_mul_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, a.r[i] * b.r[i])                                                    \
    }                                                                                              \
    static inline lanes_##S lanes_div_##S(lanes_##S a, lanes_##S b)                                \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, a.r[i] / b.r[i])                                                    \
    }                                                                                              \
    static inline lanes_##S lanes_fma_##S(lanes_##S sum, lanes_##S a, lanes_##S b)                 \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, FMA(a.r[i], b.r[i], sum.r[i]))                                      \
    }                                                                                              \
    static inline lanes_##S lanes_choose_##S(lanes_##S v, lanes_##S a, lanes_##S b)                \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, v.r[i] >= 0 ? a.r[i] : b.r[i])                                      \
    }                                                                                              \
    static inline lanes_##S lanes_greater_##S(lanes_##S max, lanes_##S v)                          \
    {                                                                                              \
        OC_LANES_EACH(S, REAL, v.r[i] > max.r[i] || v.r[i] != v.r[i] ? v.r[i] : max.r[i])          \
    }
OC_LANES_VEC(f32, float, fmaf)
OC_LANES_VEC(f64, double, fma)
#undef OC_LANES_EACH

static inline lanes_f32 lanes_of_group_f32(const float *p, int n, int c)
{
    lanes_f32 y;
    for (int i = 0; i < 16; i++)
        y.r[i] = p[i / n * n + c];
    return y;
}

#endif

#undef OC_LANES_VEC

#endif
