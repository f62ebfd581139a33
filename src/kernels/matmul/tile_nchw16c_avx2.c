/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c_avx2.c - the tiles of tile_nchw16c.h in two registers for the lanes of a position.
 */
#include "kernels/matmul/tile_nchw16c.h"

#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 6
#define HALF      3
#include "kernels/matmul/tile_nchw16c.inc"

VARIANT(avx2, OC_CPU_AVX2)
