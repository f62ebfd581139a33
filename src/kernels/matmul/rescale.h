/* SPDX-License-Identifier: Apache-2.0
 * rescale.h - turns sums in registers into 8-bit integers: the last step of tile_int8.h, for
 * vector sources. */
#pragma once

#include "kernels/matmul/tile_int8.h"
#include "kernels/simd/int8.h"

/* Stores n <= 4 positions of 16 output channels, the first of which has number `at` among the
 * factors. y_step is the number of bytes from one position to the next. */
OC_INLINE void rescale_store(uint8_t *y, int64_t y_step, const i32x16 sum[4], const int n,
                             const oc_rescale *s, int at)
{
    const f32x16 factor = f32x16_load(s->factor + at);
    /* subtracted when bytes are stored, for unsigned bytes */
    const int sign = s->low < 0 ? INT8_MIN : 0;
    i32x16 whole[4];
    UNROLL (r, n)
        whole[r] = i32x16_round(f32x16_mul(f32x16_of(sum[r]), factor));
    u8x64_store(y, y_step, i32x64_limit(whole, n, s->zero - sign, s->low - sign, s->high - sign), n,
                (uint8_t)sign);
}
