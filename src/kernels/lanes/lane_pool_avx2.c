/* SPDX-License-Identifier: Apache-2.0
 * lane_pool_avx2.c - the folds of lane_pool.h, two registers for the lanes of a position. */
#include "kernels/lanes/lane_pool.h"

#include <math.h>

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_pool.inc"

VARIANT(avx2, OC_CPU_AVX2)
