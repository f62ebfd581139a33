/* SPDX-License-Identifier: Apache-2.0
 * vec.h - a register of floats (vf) or doubles (vd) as a value.
 *
 * It is as wide as the registers that the including unit is built for: of AVX-512, AVX2, or NEON
 * where the unit defines OC_VEC_NEON; elsewhere it is one number. Besides + - * / there are these
 * functions, which begin with vf_ or vd_:
 *
 *     zero()  set(x)  load(p)  store(p, v)      p need not be aligned
 *     fma(sum, a, b)                            sum + a * b, rounded once
 *
 * Units for AVX-512 have half of a register of floats too (vh). */
#ifndef OC_KERNELS_COMMON_VEC_H
#define OC_KERNELS_COMMON_VEC_H

#if defined(__AVX512F__)
#include <immintrin.h>
#define OC_VEC_OP(name) _mm512_##name
typedef __m512 vf;
typedef __m512d vd;
#elif defined(__AVX2__)
#include <immintrin.h>
#define OC_VEC_OP(name) _mm256_##name
typedef __m256 vf;
typedef __m256d vd;
#elif defined(OC_VEC_NEON)
#include <arm_neon.h>
typedef float32x4_t vf;
typedef float64x2_t vd;
#else
#include <math.h>
typedef float vf;
typedef double vd;
#endif

enum { VF_LANES = sizeof(vf) / sizeof(float), VD_LANES = sizeof(vd) / sizeof(double) };

#define OC_VEC(V, T, ZERO, SET, LOAD, STORE, FMA)                                                  \
    static inline V V##_zero(void)                                                                 \
    {                                                                                              \
        return ZERO;                                                                               \
    }                                                                                              \
    static inline V V##_set(T x)                                                                   \
    {                                                                                              \
        return SET(x);                                                                             \
    }                                                                                              \
    static inline V V##_load(const T *p)                                                           \
    {                                                                                              \
        return LOAD(p);                                                                            \
    }                                                                                              \
    static inline void V##_store(T *p, V v)                                                        \
    {                                                                                              \
        STORE(p, v);                                                                               \
    }                                                                                              \
    static inline V V##_fma(V sum, V a, V b)                                                       \
    {                                                                                              \
        return FMA(sum, a, b);                                                                     \
    }

#if defined(OC_VEC_OP)
#define OC_VEC_FMA_PS(sum, a, b) OC_VEC_OP(fmadd_ps)(a, b, sum)
#define OC_VEC_FMA_PD(sum, a, b) OC_VEC_OP(fmadd_pd)(a, b, sum)
OC_VEC(vf, float, OC_VEC_OP(setzero_ps)(), OC_VEC_OP(set1_ps), OC_VEC_OP(loadu_ps),
       OC_VEC_OP(storeu_ps), OC_VEC_FMA_PS)
OC_VEC(vd, double, OC_VEC_OP(setzero_pd)(), OC_VEC_OP(set1_pd), OC_VEC_OP(loadu_pd),
       OC_VEC_OP(storeu_pd), OC_VEC_FMA_PD)
#if defined(__AVX512F__)
#define OC_VEC_FMA_HALF(sum, a, b) _mm256_fmadd_ps(a, b, sum)
typedef __m256 vh;
OC_VEC(vh, float, _mm256_setzero_ps(), _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
       OC_VEC_FMA_HALF)
#undef OC_VEC_FMA_HALF
#endif
#undef OC_VEC_OP
#undef OC_VEC_FMA_PS
#undef OC_VEC_FMA_PD
#elif defined(OC_VEC_NEON)
OC_VEC(vf, float, vdupq_n_f32(0), vdupq_n_f32, vld1q_f32, vst1q_f32, vfmaq_f32)
OC_VEC(vd, double, vdupq_n_f64(0), vdupq_n_f64, vld1q_f64, vst1q_f64, vfmaq_f64)
#else
#define OC_VEC_SAME(x)         (x)
#define OC_VEC_READ(p)         (*(p))
#define OC_VEC_WRITE(p, v)     (*(p) = (v))
#define OC_VEC_FMAF(sum, a, b) fmaf(a, b, sum)
#define OC_VEC_FMA(sum, a, b)  fma(a, b, sum)
OC_VEC(vf, float, 0, OC_VEC_SAME, OC_VEC_READ, OC_VEC_WRITE, OC_VEC_FMAF)
OC_VEC(vd, double, 0, OC_VEC_SAME, OC_VEC_READ, OC_VEC_WRITE, OC_VEC_FMA)
#undef OC_VEC_SAME
#undef OC_VEC_READ
#undef OC_VEC_WRITE
#undef OC_VEC_FMAF
#undef OC_VEC_FMA
#endif
#undef OC_VEC

#endif
