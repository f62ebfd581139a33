/* SPDX-License-Identifier: Apache-2.0
 * rescale.h - 16 sums in registers become 8-bit integers: the last step of tile_int8.h, for vector
 * sources. */
#ifndef OC_KERNELS_MATMUL_RESCALE_H
#define OC_KERNELS_MATMUL_RESCALE_H

#include "kernels/matmul/tile_int8.h"
#include "kernels/simd/int8.h"

/* Of 16 output channels, the first of which has number `at` among the factors. */
OC_INLINE void rescale_store(uint8_t *y, i32x16 sum, const oc_rescale *s, int at)
{
    const f32x16 number = f32x16_mul(f32x16_of(sum), f32x16_load(s->factor + at));
    const f32x16 limited = f32x16_limit(number, f32x16_splat(s->low), f32x16_splat(s->high));
    i32x16_store_u8(y, i32x16_add(i32x16_round(limited), i32x16_splat(s->zero)));
}

#endif
