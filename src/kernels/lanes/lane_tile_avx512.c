/* SPDX-License-Identifier: Apache-2.0
 * lane_tile_avx512.c - the tiles of lane_tile.h in one register for the lanes of a position. */
#include "kernels/lanes/lane_tile.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    2
#define POSITIONS 8
#define HALF      4
#include "kernels/lanes/lane_tile.inc"

VARIANT(avx512, OC_CPU_AVX512)
