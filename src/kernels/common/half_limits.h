/* SPDX-License-Identifier: Apache-2.0
 * half_limits.h - keeps an oc_half_bounds in registers, for vector sources. */
#pragma once

#include "kernels/common/half.h"
#include "kernels/simd/simd.h"

/* Held in registers, because the compiler must assume that a store changes bounds in memory. */
typedef struct oc_half_limits {
    f32v below, low, high;
} oc_half_limits;

OC_INLINE oc_half_limits oc_half_limits_of(const oc_half_bounds *b)
{
    return (oc_half_limits){f32v_splat(b->below), f32v_splat(b->low), f32v_splat(b->high)};
}

OC_INLINE f32v oc_half_limited(f32v x, const oc_half_limits *l)
{
    return f32v_select(f32v_less(x, l->below), l->low, f32v_at_most(l->high, x));
}
