/* SPDX-License-Identifier: Apache-2.0
 * pool_nchw16c_neon.c - the folds of pool_nchw16c.h, four registers for the lanes of a position. */
#include "kernels/pool/pool_nchw16c.h"

#include <math.h>

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"
#include "kernels/pool/pool_nchw16c.inc"

VARIANT(neon, OC_CPU_NEON)
