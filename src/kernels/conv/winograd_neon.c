/* SPDX-License-Identifier: Apache-2.0
 * winograd_neon.c - the transforms of winograd.h, four registers for 16 lanes. */
#include "kernels/conv/winograd.h"

#define OC_VEC_NEON
#include "kernels/common/lanes_vec.h"
#include "kernels/conv/winograd.inc"

VARIANT(neon, OC_CPU_NEON)
