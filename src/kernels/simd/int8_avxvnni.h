/* SPDX-License-Identifier: Apache-2.0
 * int8_avxvnni.h - the operations of int8.h where one instruction of 32 bytes computes four
 * products. */
#ifndef OC_KERNELS_SIMD_INT8_AVXVNNI_H
#define OC_KERNELS_SIMD_INT8_AVXVNNI_H

#define OC_SIMD_VNNI
#include "kernels/simd/int8_avx2.h"

#endif
