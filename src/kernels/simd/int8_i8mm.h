/* SPDX-License-Identifier: Apache-2.0
 * int8_i8mm.h - the operations of int8.h where one instruction of NEON computes four products. */
#pragma once

#define OC_SIMD_I8MM
#include "kernels/simd/int8_neon.h"
