/* SPDX-License-Identifier: Apache-2.0
 * scalarfast.h - scalar.h with products that are rounded before they are added (OC_UNFUSED): the
 * specification of v128fast.h. */
#pragma once

#define OC_SIMD_NEED OC_CPU_FAST
#include "kernels/simd/scalar.h"
