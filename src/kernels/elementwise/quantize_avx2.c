/* SPDX-License-Identifier: Apache-2.0
 * quantize_avx2.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/quantize.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/quantize.inc"

extern const oc_quantize_variant oc_quantize_avx2;
const oc_quantize_variant oc_quantize_avx2 = QUANTIZE("avx2", OC_CPU_AVX2);
