/* SPDX-License-Identifier: Apache-2.0
 * lane_pool_avx512.c - the folds of lane_pool.h, one register for the lanes of a position. */
#include "kernels/lanes/lane_pool.h"

#include <math.h>

#include "kernels/common/lanes_vec.h"
#include "kernels/lanes/lane_pool.inc"

VARIANT(avx512, OC_CPU_AVX512)
