/* SPDX-License-Identifier: Apache-2.0
 * relaxed.h - v128.h with WebAssembly's relaxed multiply-add, for engines where that is fused. */
#pragma once

#define OC_SIMD_NEED (OC_CPU_V128 | OC_CPU_RELAXED)
#define OC_SIMD_RELAXED
#include "kernels/simd/v128.h"
