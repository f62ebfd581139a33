/* SPDX-License-Identifier: Apache-2.0
 * affine_grid_avx2.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/sample/affine_grid.h"

#include "kernels/common/precondition.h"

#include <string.h>

#define REAL    float
#define SUFFIX  f32
#define NAME(x) x##_f32
#include "kernels/sample/affine_grid.inc"

#define REAL    double
#define SUFFIX  f64
#define NAME(x) x##_f64
#include "kernels/sample/affine_grid.inc"

extern const oc_affine_variant oc_affine_avx2;
const oc_affine_variant oc_affine_avx2 = {"avx2", OC_CPU_AVX2, points_f32, points_f64};
