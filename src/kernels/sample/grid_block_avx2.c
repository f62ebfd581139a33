/* SPDX-License-Identifier: Apache-2.0
 * grid_block_avx2.c - the sums over a block of channels, built for this instruction set. */
#include "kernels/sample/grid_walk.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/common/lanes_vec.h"

#define WHOLE 1

#include "kernels/sample/grid_block_types.inc"

extern const oc_grid_block_variant oc_grid_block_avx2;
const oc_grid_block_variant oc_grid_block_avx2 = {"avx2", OC_CPU_AVX2, sum_f32, sum_f64};
