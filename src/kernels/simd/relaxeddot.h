/* SPDX-License-Identifier: Apache-2.0
 * relaxeddot.h - v128.h with WebAssembly's relaxed dot products (int8.h), for engines where they
 * are exact for every unsigned byte. */
#pragma once

#define OC_SIMD_NEED (OC_CPU_V128 | OC_CPU_RELAXED_DOT)
#define OC_SIMD_RELAXED
#include "kernels/simd/v128.h"
