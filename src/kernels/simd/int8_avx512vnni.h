/* SPDX-License-Identifier: Apache-2.0
 * int8_avx512vnni.h - the operations of int8.h where one AVX-512 instruction computes four
 * products. */
#pragma once

#define OC_SIMD_VNNI
#include "kernels/simd/int8_avx512.h"
