/* SPDX-License-Identifier: Apache-2.0
 * plain_avx2.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/rows/plain.h"

#include "kernels/rows/row.h"

#include <math.h>
#include <string.h>

#include "kernels/rows/plain.inc"

extern const oc_plain oc_plain_avx2;
const oc_plain oc_plain_avx2 = PLAIN("avx2", OC_CPU_AVX2);
