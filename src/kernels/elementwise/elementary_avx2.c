/* SPDX-License-Identifier: Apache-2.0
 * elementary_avx2.c - the templates as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/elementwise/elementary.inc"

extern const oc_elementary oc_elementary_avx2;
const oc_elementary oc_elementary_avx2 = ELEMENTARY("avx2", OC_CPU_AVX2);
