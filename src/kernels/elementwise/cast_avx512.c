/* SPDX-License-Identifier: Apache-2.0
 * cast_avx512.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/cast.h"

#include <math.h>
#include <string.h>

#include "kernels/elementwise/cast.inc"

extern const oc_cast_variant oc_cast_avx512;
const oc_cast_variant oc_cast_avx512 = CASTS("avx512", OC_CPU_AVX512);
