/* SPDX-License-Identifier: Apache-2.0
 * lane_pool_neon.c - the folds of lane_pool.h, four registers for the lanes of a position. */
#include "kernels/lanes/lane_pool.h"

#include <math.h>

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_pool.inc"

VARIANT(neon, OC_CPU_NEON)
