/* SPDX-License-Identifier: Apache-2.0
 * x86.h - what avx2.h and avx512.h share. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

static inline __m128i load_128(const void *p)
{
    return _mm_loadu_si128(p);
}

static inline __m256i load_256(const void *p)
{
    return _mm256_loadu_si256(p);
}

/* Processors prefetch fewer streams by themselves than there are channels. */
static inline void simd_fetch(const void *p)
{
    _mm_prefetch((const char *)((uintptr_t)p + 256), _MM_HINT_T0);
}

/* Folds element i + 4 of 8 into i, then i + 2 into i, then 1 into 0. */
#define FOLD_EIGHT(name, op)                                                                       \
    static inline float name(__m256 v)                                                             \
    {                                                                                              \
        const __m128 four = op##_ps(_mm256_extractf128_ps(v, 1), _mm256_castps256_ps128(v));       \
        const __m128 two = op##_ps(_mm_movehl_ps(four, four), four);                               \
        return _mm_cvtss_f32(op##_ss(_mm_shuffle_ps(two, two, 1), two));                           \
    }
FOLD_EIGHT(sum_of_8, _mm_add)
FOLD_EIGHT(most_of_8, _mm_max)
FOLD_EIGHT(least_of_8, _mm_min)
