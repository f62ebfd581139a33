/* SPDX-License-Identifier: Apache-2.0
 * lane_winograd_avx512.c - the transforms of lane_winograd.h, one register for 16 lanes. */
#include "kernels/lanes/lane_winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_winograd.inc"

VARIANT(avx512, OC_CPU_AVX512)
