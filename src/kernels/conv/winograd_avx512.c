/* SPDX-License-Identifier: Apache-2.0
 * winograd_avx512.c - the transforms of winograd.h, one register for 16 lanes. */
#include "kernels/conv/winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/conv/winograd.inc"

VARIANT(avx512, OC_CPU_AVX512)
