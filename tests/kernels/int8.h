/* SPDX-License-Identifier: Apache-2.0
 * int8.h - the result of a sum as kernels/matmul/tile_int8.h states it, for the checks of products.
 */
#pragma once

#include "kernels/matmul/tile_int8.h"

#include <math.h>

static inline uint8_t code_of(const oc_rescale *s, int32_t sum, int64_t channel)
{
    const float number = (float)sum * s->factor[channel];
    const double code = (double)rintf(number) + s->zero;
    return (uint8_t)(int32_t)(code < s->low ? s->low : code > s->high ? s->high : code);
}
