/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c_avx512.c - the tiles of tile_nchw16c.h in one register for the lanes of a position.
 */
#include "kernels/matmul/tile_nchw16c.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    2
#define POSITIONS 8
#define HALF      4
#include "kernels/matmul/tile_nchw16c.inc"

VARIANT(avx512, OC_CPU_AVX512)
