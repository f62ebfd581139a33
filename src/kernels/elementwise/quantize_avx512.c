/* SPDX-License-Identifier: Apache-2.0
 * quantize_avx512.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/quantize.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/quantize.inc"

extern const oc_quantize_variant oc_quantize_avx512;
const oc_quantize_variant oc_quantize_avx512 = QUANTIZE("avx512", OC_CPU_AVX512);
