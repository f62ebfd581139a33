/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c.c - the table of variants. */
#include "kernels/matmul/tile_nchw16c.h"

OC_VARIANTS(oc_tile_nchw16c_variant, oc_tile_nchw16c_variants)

const oc_tile_nchw16c_variant *oc_tile_nchw16c_pick(unsigned cpu)
{
    const oc_tile_nchw16c_variant *v;
    OC_VARIANT_PICK(v, oc_tile_nchw16c_variants, dense[0][0], cpu);
    return v;
}
