/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c.c - the scalar tiles, and the table of variants. */
#include "kernels/matmul/tile_nchw16c.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 1
#define HALF      1
#include "kernels/matmul/tile_nchw16c.inc"

#define OC_VARIANT(isa) extern const oc_tile_nchw16c_variant oc_tile_nchw16c_##isa;
#include "kernels/matmul/tile_nchw16c.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_tile_nchw16c_variant *const oc_tile_nchw16c_variants[] = {
#define OC_VARIANT(isa) &oc_tile_nchw16c_##isa,
#include "kernels/matmul/tile_nchw16c.def"
#undef OC_VARIANT
};

const oc_tile_nchw16c_variant *oc_tile_nchw16c_pick(unsigned cpu)
{
    const oc_tile_nchw16c_variant *v;
    OC_VARIANT_PICK(v, oc_tile_nchw16c_variants, dense[0][0], cpu);
    return v;
}
