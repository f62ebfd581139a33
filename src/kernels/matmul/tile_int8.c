/* SPDX-License-Identifier: Apache-2.0
 * tile_int8.c - the table of variants. */
#include "kernels/matmul/tile_int8.h"

#include <float.h>
#include <math.h>

float oc_rescale_factor(float factor)
{
    return isnan(factor) ? 0 : factor > FLT_MAX ? FLT_MAX : factor < -FLT_MAX ? -FLT_MAX : factor;
}

OC_VARIANTS(oc_tile_int8_variant, oc_tile_int8_variants)

const oc_tile_int8_variant *oc_tile_int8_pick(unsigned cpu)
{
    const oc_tile_int8_variant *v;
    OC_VARIANT_PICK(v, oc_tile_int8_variants, tile[0][0], cpu);
    return v;
}
