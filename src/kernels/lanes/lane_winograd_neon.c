/* SPDX-License-Identifier: Apache-2.0
 * lane_winograd_neon.c - the transforms of lane_winograd.h, four registers for 16 lanes. */
#include "kernels/lanes/lane_winograd.h"

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_winograd.inc"

VARIANT(neon, OC_CPU_NEON)
