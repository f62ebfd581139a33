/* SPDX-License-Identifier: Apache-2.0
 * winograd_avx2.c - the transforms of winograd.h, two registers for 16 lanes. */
#include "kernels/conv/winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/conv/winograd.inc"

VARIANT(avx2, OC_CPU_AVX2)
