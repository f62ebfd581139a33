/* SPDX-License-Identifier: Apache-2.0
 * tile_int8.c - the table of variants. */
#include "kernels/matmul/tile_int8.h"

#include <float.h>
#include <math.h>

float oc_rescale_factor(float factor)
{
    return isnan(factor) ? 0 : factor > FLT_MAX ? FLT_MAX : factor < -FLT_MAX ? -FLT_MAX : factor;
}

/* Numbers are brought so near that the neighbours of 1.5 * 2^23, which are whole, round them. */
uint8_t oc_rescale_sum(const oc_rescale *s, int32_t sum, int64_t i)
{
    const float far = 0x1p21F, number = (float)sum * s->factor[i];
    const float near = number < -far ? -far : number > far ? far : number;
    const int code = (int)(near + 0x1.8p23F - 0x1.8p23F) + s->zero;
    return (uint8_t)(code < s->low ? s->low : code > s->high ? s->high : code);
}

OC_VARIANTS(oc_tile_int8_variant, oc_tile_int8_variants)

const oc_tile_int8_variant *oc_tile_int8_pick(unsigned cpu)
{
    const oc_tile_int8_variant *v;
    OC_VARIANT_PICK(v, oc_tile_int8_variants, tile[0][0], cpu);
    return v;
}
