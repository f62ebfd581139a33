/* SPDX-License-Identifier: Apache-2.0
 * int8_i8mm.h - the operations of int8.h where one instruction of NEON computes four products. */
#ifndef OC_KERNELS_SIMD_INT8_I8MM_H
#define OC_KERNELS_SIMD_INT8_I8MM_H

#define OC_SIMD_I8MM
#include "kernels/simd/int8_neon.h"

#endif
