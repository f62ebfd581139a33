/* SPDX-License-Identifier: Apache-2.0
 * int8_avxvnni.h - the operations of int8.h where one instruction of 32 bytes computes four
 * products. */
#pragma once

#define OC_SIMD_VNNI
#include "kernels/simd/int8_avx2.h"
