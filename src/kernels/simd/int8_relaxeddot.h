/* SPDX-License-Identifier: Apache-2.0
 * int8_relaxeddot.h - the operations of int8.h where a relaxed instruction of WebAssembly computes
 * four products. */
#pragma once

#define OC_SIMD_VNNI
#include "kernels/simd/int8_v128.h"
