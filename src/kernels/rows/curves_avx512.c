/* SPDX-License-Identifier: Apache-2.0
 * curves_avx512.c - the template as the compiler vectorises it for this instruction set. */
#include "kernels/rows/curves.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/curves.inc"

extern const oc_curves oc_curves_avx512;
const oc_curves oc_curves_avx512 = CURVES("avx512", OC_CPU_AVX512);
