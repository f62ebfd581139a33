/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_avx2.c - planes to lanes and back by transposing squares of 8 x 8 floats or 4 x 4 doubles
 * in registers. */
#include "kernels/layout/nchw16c.h"

#include <immintrin.h>
#include <string.h>

#define VEC_float   __m256
#define VEC_double  __m256d
#define SIDE_float  8
#define SIDE_double 4

/* Row i of r becomes column i. */
static inline void transpose_float(__m256 r[8])
{
    __m256 t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) /* half q of u[i + k]: column 4q + k of rows i .. i+3 */
        for (int k = 0; k < 4; k++)
            u[i + k] = k % 2 ? _mm256_shuffle_ps(t[i + k / 2], t[i + 2 + k / 2], 0xee)
                             : _mm256_shuffle_ps(t[i + k / 2], t[i + 2 + k / 2], 0x44);
    for (int k = 0; k < 4; k++) {
        r[k] = _mm256_permute2f128_ps(u[k], u[4 + k], 0x20);
        r[4 + k] = _mm256_permute2f128_ps(u[k], u[4 + k], 0x31);
    }
}

static inline void transpose_double(__m256d r[4])
{
    const __m256d a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    const __m256d c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

static inline __m256 get_float(const void *line)
{
    return _mm256_load_ps(line);
}

static inline __m256d get_double(const void *line)
{
    return _mm256_load_pd(line);
}

static inline void put_float(void *line, __m256 v)
{
    _mm256_store_ps(line, v);
}

static inline void put_double(void *line, __m256d v)
{
    _mm256_store_pd(line, v);
}

/* Processors follow fewer streams by themselves than there are channels. */
static inline void fetch(const void *p)
{
    _mm_prefetch((const char *)((uintptr_t)p + 256), _MM_HINT_T0);
}

/* ---- elements */

static inline __m128i words(const void *p)
{
    return _mm_loadu_si128(p);
}

static inline __m256 bf16_to_float(__m128i v)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(v), 16));
}

/* The low halves of 32-bit numbers that fit 16 bits. */
static inline __m128i narrowed(__m256i v)
{
    return _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

/* Round to nearest, ties to even; a NaN keeps its sign and becomes quiet. */
static inline __m128i bf16_of(__m256 v)
{
    const __m256i bits = _mm256_castps_si256(v), one = _mm256_set1_epi32(1);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), one);
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
    return narrowed(_mm256_srli_epi32(_mm256_blendv_epi8(sum, quiet, nan), 16));
}

/* Truncated toward zero within [0, 255]; 0 for NaN, for which max_ps takes its second operand. */
static inline __m128i u8_of(__m256 v)
{
    v = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(255));
    const __m128i wide = narrowed(_mm256_cvttps_epi32(v));
    return _mm_packus_epi16(wide, wide);
}

#define ISA  avx2
#define NEED OC_CPU_AVX2

#define TYPE        F32
#define T           float
#define REAL        float
#define LOAD(p)     _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        F64
#define T           double
#define REAL        double
#define LOAD(p)     _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#include "kernels/layout/nchw16c_square.inc"

#define TYPE    F16
#define T       uint16_t
#define REAL    float
#define LOAD(p) _mm256_cvtph_ps(words(p))
#define STORE(p, v)                                                                                \
    _mm_storeu_si128((__m128i *)(void *)(p),                                                       \
                     _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        BF16
#define T           uint16_t
#define REAL        float
#define LOAD(p)     bf16_to_float(words(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), bf16_of(v))
#include "kernels/layout/nchw16c_square.inc"

#define TYPE        U8
#define T           uint8_t
#define REAL        float
#define LOAD(p)     _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadu_si64(p)))
#define STORE(p, v) _mm_storeu_si64(p, u8_of(v))
#include "kernels/layout/nchw16c_square.inc"
