/* SPDX-License-Identifier: Apache-2.0
 * softmax_avx2.c - rows and columns of floats in vectors of this instruction set. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"

#include <math.h>
#include <string.h>

#include "kernels/elementwise/floats.inc"

#include "kernels/normalize/row_floats.inc"

extern const oc_softmax_variant oc_softmax_avx2;
const oc_softmax_variant oc_softmax_avx2 = {"avx2", OC_CPU_AVX2, softmax, NULL, &rows, NULL};
