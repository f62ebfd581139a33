/* SPDX-License-Identifier: Apache-2.0
 * taps_axis.h - the functions of taps.inc that need no types: which pixel of an axis does an
 * index mean? */
#pragma once

#include "kernels/sample/sampler.h"

/* Returns n, rounded up to a multiple of OC_LANES. */
static inline int whole_lanes(int n)
{
    return (n + OC_LANES - 1) & -OC_LANES;
}

static inline int32_t least_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t greatest_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t pixel(int32_t p, int32_t n)
{
    return (uint32_t)p < (uint32_t)n ? p : OC_NO_PIXEL;
}

static inline int32_t clamped(int32_t p, int32_t n)
{
    return greatest_i32(least_i32(p, n - 1), 0);
}

/* Returns the pixel that p, at most a period and two away from the image, is a mirror image of;
 * n >= 4. */
static inline int32_t mirrored(int32_t p, int32_t n, int32_t align)
{
    const int32_t period = 2 * (n - align);
    int32_t q = p < 0 ? align - 1 - p : p;
    q = q >= period ? q - period : q;
    return q < n ? q : period - 1 + align - q;
}

/* As mirrored, for any n > 0 and p. */
static inline int32_t mirrored_often(int32_t p, int32_t n, int32_t align)
{
    const int32_t period = 2 * (n - align);
    if (period == 0)
        return 0;
    const int32_t q = (p % period + period) % period;
    return q < n ? q : period - 1 + align - q;
}
