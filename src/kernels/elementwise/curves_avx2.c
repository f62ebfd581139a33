/* SPDX-License-Identifier: Apache-2.0
 * curves_avx2.c - the curves in vectors of this instruction set, and what compilers vectorise. */
#include "kernels/elementwise/curves.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/floats.inc"

#include "kernels/elementwise/curves.inc"

extern const oc_curves oc_curves_avx2;
const oc_curves oc_curves_avx2 = CURVES("avx2", OC_CPU_AVX2);
