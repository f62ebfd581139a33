/* SPDX-License-Identifier: Apache-2.0
 * int8_avx512vnni.h - the operations of int8.h where one AVX-512 instruction computes four
 * products. */
#ifndef OC_KERNELS_SIMD_INT8_AVX512VNNI_H
#define OC_KERNELS_SIMD_INT8_AVX512VNNI_H

#define OC_SIMD_VNNI
#include "kernels/simd/int8_avx512.h"

#endif
