/* SPDX-License-Identifier: Apache-2.0
 * grid_block_neon.c - the sums over a block of channels, with loops of their own for positions that
 * have all taps. */
#include "kernels/sample/grid_walk.h"
#include "kernels/layout/nchw16c.h"
#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"

#define WHOLE 1

#include "kernels/sample/grid_block_types.inc"

extern const oc_grid_block_variant oc_grid_block_neon;
const oc_grid_block_variant oc_grid_block_neon = {"neon", OC_CPU_NEON, sum_f32, sum_f64};
