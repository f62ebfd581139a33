/* SPDX-License-Identifier: Apache-2.0
 * curves_avx512.c - the curves in vectors of this instruction set, and what the compiler
 * vectorises. */
#include "kernels/elementwise/curves.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/floats.inc"

#include "kernels/elementwise/curves.inc"

extern const oc_curves oc_curves_avx512;
const oc_curves oc_curves_avx512 = CURVES("avx512", OC_CPU_AVX512);
