/* SPDX-License-Identifier: Apache-2.0
 * tile_nchw16c_neon.c - the tiles of tile_nchw16c.h in four registers for the lanes of a position.
 */
#include "kernels/matmul/tile_nchw16c.h"

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"

#define BLOCKS    1
#define POSITIONS 6
#define HALF      3
#include "kernels/matmul/tile_nchw16c.inc"

VARIANT(neon, OC_CPU_NEON)
