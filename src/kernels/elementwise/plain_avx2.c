/* SPDX-License-Identifier: Apache-2.0
 * plain_avx2.c - the loops as the compiler vectorises them for this instruction set. */
#include "kernels/elementwise/plain.h"

#include "kernels/elementwise/row.h"

#include <math.h>
#include <string.h>

#define ISA  avx2
#define NEED OC_CPU_AVX2
#include "kernels/elementwise/plain.inc"
