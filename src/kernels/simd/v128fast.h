/* SPDX-License-Identifier: Apache-2.0
 * v128fast.h - v128.h with products that are rounded before they are added (OC_UNFUSED), for
 * kernels of long sums where the processor has no fused instruction. */
#pragma once

#define OC_SIMD_NEED (OC_CPU_V128 | OC_CPU_FAST)
#include "kernels/simd/v128.h"
