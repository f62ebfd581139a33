/* SPDX-License-Identifier: Apache-2.0
 * avx512vnni.h - AVX-512 with products of four bytes (int8.h). */
#pragma once

#include "kernels/simd/avx512.h"

#undef OC_SIMD_NEED
#define OC_SIMD_NEED (OC_CPU_AVX512 | OC_CPU_VNNI)
