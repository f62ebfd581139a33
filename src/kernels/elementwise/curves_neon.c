/* SPDX-License-Identifier: Apache-2.0
 * curves_neon.c - the curves in vectors of this instruction set, and what compilers vectorise. */
#include "kernels/elementwise/curves.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define OC_VEC_NEON
#include "kernels/elementwise/floats.inc"

#include "kernels/elementwise/curves.inc"

extern const oc_curves oc_curves_neon;
const oc_curves oc_curves_neon = CURVES("neon", OC_CPU_NEON);
