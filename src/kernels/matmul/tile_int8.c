/* SPDX-License-Identifier: Apache-2.0
 * tile_int8.c - the scalar rescaling of tile_int8.h, and the table of variants. */
#include "kernels/matmul/tile_int8.h"

#include <float.h>
#include <math.h>
#include <string.h>

float oc_rescale_factor(float factor)
{
    return isnan(factor) ? 0 : factor > FLT_MAX ? FLT_MAX : factor < -FLT_MAX ? -FLT_MAX : factor;
}

/* Numbers are limited to a range so near that adding 1.5 * 2^23, whose neighbours are whole
 * numbers, rounds them. */
uint8_t oc_rescale_sum(const oc_rescale *s, int32_t sum, int64_t i)
{
    const float far = 0x1p21F, number = (float)sum * s->factor[i];
    const float near = number < -far ? -far : number > far ? far : number;
    const int code = (int)(near + 0x1.8p23F - 0x1.8p23F) + s->zero;
    return (uint8_t)(code < s->low ? s->low : code > s->high ? s->high : code);
}

OC_VARIANTS(oc_tile_int8_variant, oc_tile_int8_variants)
OC_PICKER(oc_tile_int8_variant, oc_tile_int8_pick, oc_tile_int8_variants, tile[0][0])

/* Splits n bytes, 4 or 16, into those of even and of odd places. */
static inline void split(uint8_t *even, uint8_t *odd, const uint8_t *from, const int n)
{
    uint32_t v[4], w[4];
    memcpy(v, from, (size_t)n);
    for (int i = 0; i < n / 4; i++) {
        w[i] = v[i] >> 8 & 0x00ff00ff;
        v[i] &= 0x00ff00ff;
    }
    memcpy(even, v, (size_t)n);
    memcpy(odd, w, (size_t)n);
}

void oc_int8_widen(uint8_t *to, const uint8_t *from, int64_t n, int64_t block)
{
    for (const uint8_t *end = from + n; from < end; from += block, to += 2 * block) {
        int64_t i = 0;
        for (; i + 16 <= block; i += 16)
            split(to + i, to + block + i, from + i, 16);
        for (; i < block; i += 4)
            split(to + i, to + block + i, from + i, 4);
    }
}
