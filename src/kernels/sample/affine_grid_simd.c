/* SPDX-License-Identifier: Apache-2.0
 * affine_grid_simd.c - the points in loops that compilers vectorise. */
#include "kernels/sample/affine_grid.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#define TEMPLATE "kernels/sample/affine_grid.inc"
#include "kernels/common/floats.inc"

OC_ISA_VARIANT(oc_affine_variant, oc_affine_variants, points_f32, points_f64)
