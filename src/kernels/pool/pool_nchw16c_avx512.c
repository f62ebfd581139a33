/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c_avx512.c - the folds of pool_nchw16c.h, one register for the lanes of a position. */
#include "kernels/pool/pool_nchw16c.h"

#include <math.h>

#include "kernels/common/lanes_vec.h"
#include "kernels/pool/pool_nchw16c.inc"

VARIANT(avx512, OC_CPU_AVX512)
