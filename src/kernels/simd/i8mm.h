/* SPDX-License-Identifier: Apache-2.0
 * i8mm.h - NEON with products of four unsigned bytes by signed ones (int8.h). */
#pragma once

#include "kernels/simd/neon.h"

#undef OC_SIMD_NEED
#define OC_SIMD_NEED (OC_CPU_NEON | OC_CPU_I8MM)
