/* SPDX-License-Identifier: Apache-2.0
 * windows_x86.h - loads single windows, for AVX2 and AVX-512: at p + o[i] * size for element i. */
#pragma once

#include "kernels/simd/simd.h"

/* Loads windows of 8 bytes of elements a and a + 1; one load brings both offsets, which are not
 * negative. */
static inline __m128i pair_8(const char *p, const int32_t *o, int a, size_t size)
{
    uint64_t two;
    memcpy(&two, o + a, sizeof two);
    const char *first = p + (size_t)(uint32_t)two * size, *second = p + (size_t)(two >> 32) * size;
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)first);
    const __m128 both = _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)second);
    return _mm_castps_si128(both);
}

OP(__m128i, at_16, (const char *p, const int32_t *o, int a, size_t size),
   _mm_loadu_si128((const __m128i *)(const void *)(p + (size_t)o[a] * size)))

static inline int32_t at_4(const char *p, int32_t o, size_t size)
{
    int32_t w;
    memcpy(&w, p + (size_t)o * size, sizeof w);
    return w;
}

static inline int32_t at_2(const char *p, int32_t o)
{
    uint16_t w;
    memcpy(&w, p + o, sizeof w);
    return w;
}
