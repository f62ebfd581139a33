/* SPDX-License-Identifier: Apache-2.0
 * lane_tile_neon.c - the tiles of lane_tile.h in four registers for the lanes of a position. */
#include "kernels/lanes/lane_tile.h"

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 6
#define HALF      3
#include "kernels/lanes/lane_tile.inc"

VARIANT(neon, OC_CPU_NEON)
