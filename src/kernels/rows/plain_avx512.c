/* SPDX-License-Identifier: Apache-2.0
 * plain_avx512.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/rows/plain.h"

#include "kernels/rows/row.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/plain.inc"

extern const oc_plain oc_plain_avx512;
const oc_plain oc_plain_avx512 = PLAIN("avx512", OC_CPU_AVX512);
