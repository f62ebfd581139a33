/* SPDX-License-Identifier: Apache-2.0
 * half.h - converts many float16 or bfloat16 numbers to float, and back rounded to nearest even.
 *
 * The bits are those of base/smallfloat.h (any NaN for a NaN). */
#pragma once

#include <ocellus.h>

#include "kernels/common/variant.h"

#include <math.h>

typedef void oc_widen_fn(float *to, const uint16_t *from, int64_t n);
/* Rounds each float to a half and widens that again. */
typedef void oc_round_half_fn(float *x, int64_t n);

typedef void oc_narrow_fn(uint16_t *to, const float *from, int64_t n);

/* Limits floats by bounds and rounds them to halves. bounds NULL: as narrow. */
typedef struct oc_half_bounds oc_half_bounds;
typedef void oc_narrow_limited_fn(uint16_t *to, const float *from, int64_t n,
                                  const oc_half_bounds *bounds);

/* Limits y[i] = x[i] < below ? low : x[i] > high ? high : x[i]; y may be x. */
struct oc_half_bounds {
    float below, low, high;
    /* If not NULL, narrow_limited calls this function and does nothing else. */
    oc_narrow_limited_fn *instead;
    /* Operands of add_limited. */
    const uint16_t *first, *other;
};
/* Multiplies n halves by factor[i % 16]; n is a multiple of 16. */
typedef void oc_scale_halves_fn(uint16_t *to, const uint16_t *x, const float factor[16], int64_t n);
typedef void oc_limit_fn(float *y, const float *x, int64_t n, const oc_half_bounds *l);
/* The functions of one type for one instruction set. */
typedef struct oc_half_variant {
    const char *isa;
    unsigned need;
    oc_widen_fn *widen;
    oc_narrow_fn *narrow;
    oc_round_half_fn *round;
    oc_limit_fn *limit;
    oc_narrow_limited_fn *narrow_limited;
    /* As narrow_limited, of sums: each float is rounded to a half, other[i] is added to it, where
     * to[0] has number `to - first`, and the sum is limited and rounded. n is a multiple of 16. */
    oc_narrow_limited_fn *add_limited;
    oc_scale_halves_fn *scale;
} oc_half_variant;

/* Bounds that limit nothing. */
#define OC_HALF_UNLIMITED .below = -INFINITY, .low = -INFINITY, .high = INFINITY

extern const oc_half_variant *const oc_f16_variants[]; /* best first, the last is scalar */
extern const oc_half_variant *const oc_bf16_variants[];

/* Returns bounds for floats that are not rounded to the type yet. Limiting such a float by them
 * and rounding it gives what rounding it first and limiting it by two halves, least and
 * greatest, would give. greatest must not be 0. */
oc_half_bounds oc_half_bounds_of(oc_type type, float least, float greatest);

/* Converts doubles to halves, each rounded once. */
void oc_half_of_f64(const oc_half_variant *v, uint16_t *to, const double *from, int64_t n);
void oc_half_to_f64(const oc_half_variant *v, double *to, const uint16_t *from, int64_t n);

/* type is OC_F16 or OC_BF16. */
const oc_half_variant *oc_half_pick(oc_type type, unsigned cpu);
