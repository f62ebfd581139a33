/* SPDX-License-Identifier: Apache-2.0
 * grid_blocks_simd.c - the sums over a block of channels in registers. */
#include "kernels/sample/grid_blocks.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/layout/nchw16c.h"
#include "kernels/simd/simd.h"

/* true: positions without missing taps have loops of their own */
enum { WHOLE = f32v_N > 1 };

#define TEMPLATE "kernels/sample/grid_block.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_grid_block_variant, oc_grid_block_variants, sum_f32, sum_f64)
