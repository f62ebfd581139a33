/* SPDX-License-Identifier: Apache-2.0
 * cast_avx2.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/cast.h"

#include <math.h>
#include <string.h>

#include "kernels/elementwise/cast.inc"

extern const oc_cast_variant oc_cast_avx2;
const oc_cast_variant oc_cast_avx2 = CASTS("avx2", OC_CPU_AVX2);
