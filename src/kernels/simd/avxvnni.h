/* SPDX-License-Identifier: Apache-2.0
 * avxvnni.h - AVX2 with products of four bytes (int8.h), which newer processors without AVX-512
 * have. */
#pragma once

#include "kernels/simd/avx2.h"

#undef OC_SIMD_NEED
#define OC_SIMD_NEED (OC_CPU_AVX2 | OC_CPU_AVX_VNNI)
