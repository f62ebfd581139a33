/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_avx512.c - planes to lanes and back by transposing squares of 16 x 16 floats or 8 x 8
 * doubles in registers. */
#include "kernels/layout/nchw16c.h"

#include <immintrin.h>
#include <string.h>

#define VEC_float   __m512
#define VEC_double  __m512d
#define SIDE_float  16
#define SIDE_double 8

/* Row i of r becomes column i. */
static inline void transpose_float(__m512 r[16])
{
    __m512 t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) /* part q of r[i + k]: column 4q + k of rows i .. i+3 */
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

static inline void transpose_double(__m512d r[8])
{
    __m512d t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
    }
    for (int k = 0; k < 2; k++) { /* part q of t[i + k]: column 2q + k of rows i, i+1 */
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

static inline __m512 get_float(const void *line)
{
    return _mm512_load_ps(line);
}

static inline __m512d get_double(const void *line)
{
    return _mm512_load_pd(line);
}

static inline void put_float(void *line, __m512 v)
{
    _mm512_store_ps(line, v);
}

static inline void put_double(void *line, __m512d v)
{
    _mm512_store_pd(line, v);
}

/* Processors follow fewer streams by themselves than there are channels. */
static inline void fetch(const void *p)
{
    _mm_prefetch((const char *)((uintptr_t)p + 256), _MM_HINT_T0);
}

/* ---- elements */

static inline __m128i bytes(const void *p)
{
    return _mm_loadu_si128(p);
}

static inline __m256i words(const void *p)
{
    return _mm256_loadu_si256(p);
}

static inline __m512 bf16_to_float(__m256i v)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(v), 16));
}

/* Round to nearest, ties to even; a NaN keeps its sign and becomes quiet. */
static inline __m256i bf16_of(__m512 v)
{
    const __m512i bits = _mm512_castps_si512(v), one = _mm512_set1_epi32(1);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), one);
    const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    const __m512i code = _mm512_mask_or_epi32(sum, nan, bits, _mm512_set1_epi32(0x400000));
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(code, 16));
}

/* Truncated toward zero within [low, high]; 0 for NaN. */
static inline __m512i clamped(__m512 v, float low, float high)
{
    v = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v);
    return _mm512_cvttps_epi32(
        _mm512_min_ps(_mm512_max_ps(v, _mm512_set1_ps(low)), _mm512_set1_ps(high)));
}

#define ISA  avx512
#define NEED OC_CPU_AVX512

#define TYPE        F32
#define T           float
#define REAL        float
#define LOAD(p)     _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        F64
#define T           double
#define REAL        double
#define LOAD(p)     _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE    F16
#define T       uint16_t
#define REAL    float
#define LOAD(p) _mm512_cvtph_ps(words(p))
#define STORE(p, v)                                                                                \
    _mm256_storeu_si256(                                                                           \
        (__m256i *)(void *)(p),                                                                    \
        _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        BF16
#define T           uint16_t
#define REAL        float
#define LOAD(p)     bf16_to_float(words(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), bf16_of(v))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE    U8
#define T       uint8_t
#define REAL    float
#define LOAD(p) _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes(p)))
#define STORE(p, v)                                                                                \
    _mm_storeu_si128((__m128i *)(void *)(p), _mm512_cvtepi32_epi8(clamped(v, 0, 255)))
#include "kernels/layout/nchw16c_square.inc"
