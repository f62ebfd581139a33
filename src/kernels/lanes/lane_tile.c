/* SPDX-License-Identifier: Apache-2.0
 * lane_tile.c - the scalar tiles, and the table of variants. */
#include "kernels/lanes/lane_tile.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 1
#define HALF      1
#include "kernels/lanes/lane_tile.inc"

#define OC_VARIANT(isa) extern const oc_lane_tile_variant oc_lane_tile_##isa;
#include "kernels/lanes/lane_tile.def"
#undef OC_VARIANT

VARIANT(scalar, OC_CPU_SCALAR)

const oc_lane_tile_variant *const oc_lane_tile_variants[] = {
#define OC_VARIANT(isa) &oc_lane_tile_##isa,
#include "kernels/lanes/lane_tile.def"
#undef OC_VARIANT
};

const oc_lane_tile_variant *oc_lane_tile_pick(unsigned cpu)
{
    const oc_lane_tile_variant *v;
    OC_VARIANT_PICK(v, oc_lane_tile_variants, dense[0][0], cpu);
    return v;
}
