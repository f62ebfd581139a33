/* SPDX-License-Identifier: Apache-2.0
 * lane_tile_avx2.c - the tiles of lane_tile.h in two registers for the lanes of a position. */
#include "kernels/lanes/lane_tile.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 6
#define HALF      3
#include "kernels/lanes/lane_tile.inc"

VARIANT(avx2, OC_CPU_AVX2)
