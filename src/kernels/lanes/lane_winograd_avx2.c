/* SPDX-License-Identifier: Apache-2.0
 * lane_winograd_avx2.c - the transforms of lane_winograd.h, two registers for 16 lanes. */
#include "kernels/lanes/lane_winograd.h"

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_winograd.inc"

VARIANT(avx2, OC_CPU_AVX2)
