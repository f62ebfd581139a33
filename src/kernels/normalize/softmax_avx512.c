/* SPDX-License-Identifier: Apache-2.0
 * softmax_avx512.c - rows and columns of floats in vectors of this instruction set. */
#include "kernels/normalize/normalize.h"

#include "kernels/common/precondition.h"
#include "kernels/elementwise/elementary.h"

#include <math.h>
#include <string.h>

#include "kernels/elementwise/floats.inc"

#include "kernels/normalize/row_floats.inc"

extern const oc_softmax_variant oc_softmax_avx512;
const oc_softmax_variant oc_softmax_avx512 = {"avx512", OC_CPU_AVX512, softmax, NULL, &rows, NULL};
