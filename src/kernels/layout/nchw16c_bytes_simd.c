/* SPDX-License-Identifier: Apache-2.0
 * nchw16c_bytes_simd.c - moves elements of one and two bytes to NCHW16c and back, by squares in
 * registers. */
#include "kernels/layout/nchw16c_bytes.h"

#include <string.h>

#include "kernels/common/element.h"
#include "kernels/simd/simd.h"

enum { SIDE = OC_BLOCK_CHANNELS };

/* Registers of 16 bytes. One macro interleaves the first halves of a and b, the other the last
 * halves. */
#define LANES(T) (16 / (int)sizeof(T))
typedef uint8_t row_u8 __attribute__((vector_size(16)));
typedef uint16_t row_u16 __attribute__((vector_size(16)));

OC_INLINE row_u8 low_u8(row_u8 a, row_u8 b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

OC_INLINE row_u8 high_u8(row_u8 a, row_u8 b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}

OC_INLINE row_u16 low_u16(row_u16 a, row_u16 b)
{
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

OC_INLINE row_u16 high_u16(row_u16 a, row_u16 b)
{
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

#define ELEMENT u8
#include "kernels/layout/nchw16c_bytes_square.inc"
#define ELEMENT u16
#include "kernels/layout/nchw16c_bytes_square.inc"

OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_bytes, in_u8, out_u8)
OC_ISA_VARIANT(oc_nchw16c_variant, oc_nchw16c_halves, in_u16, out_u16)
