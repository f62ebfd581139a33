/* SPDX-License-Identifier: Apache-2.0
 * half.h - how are many float16 and bfloat16 numbers converted to float, and back rounded to
 * nearest even?
 *
 * The bits are those of base/smallfloat.h (any NaN for a NaN). */
#ifndef OC_KERNELS_COMMON_HALF_H
#define OC_KERNELS_COMMON_HALF_H

#include <ocellus.h>

#include "kernels/common/variant.h"

#include <math.h>

typedef void oc_widen_fn(float *to, const uint16_t *from, int64_t n);
/* Each becomes what its half widens to. */
typedef void oc_round_half_fn(float *x, int64_t n);

typedef void oc_narrow_fn(uint16_t *to, const float *from, int64_t n);

/* What limit gives, rounded; bounds NULL: as narrow. */
typedef struct oc_half_bounds oc_half_bounds;
typedef void oc_narrow_limited_fn(uint16_t *to, const float *from, int64_t n,
                                  const oc_half_bounds *bounds);

/* y[i] = x[i] < below ? low : x[i] > high ? high : x[i]; y may be x. */
struct oc_half_bounds {
    float below, low, high;
    oc_narrow_limited_fn *instead; /* NULL; else what narrow_limited calls, and nothing else */
    const uint16_t *first, *other; /* of add_limited */
};
/* n halves times factor[i % 16], n a multiple of 16. */
typedef void oc_scale_halves_fn(uint16_t *to, const uint16_t *x, const float factor[16], int64_t n);
typedef void oc_limit_fn(float *y, const float *x, int64_t n, const oc_half_bounds *l);
/* One per type and instruction set. */
typedef struct oc_half_variant {
    const char *isa;
    unsigned need;
    oc_widen_fn *widen;
    oc_narrow_fn *narrow;
    oc_round_half_fn *round;
    oc_limit_fn *limit;
    oc_narrow_limited_fn *narrow_limited;
    /* The same of sums of halves: those that floats are rounded to, and other[i] where `to` is
     * number i from `first` on; n is a multiple of 16. */
    oc_narrow_limited_fn *add_limited;
    oc_scale_halves_fn *scale;
} oc_half_variant;

/* Limits that are none. */
#define OC_HALF_UNLIMITED .below = -INFINITY, .low = -INFINITY, .high = INFINITY

extern const oc_half_variant *const oc_f16_variants[]; /* best first, the last is scalar */
extern const oc_half_variant *const oc_bf16_variants[];

/* Limits for which limit gives, of a float that is not rounded to the type yet, what rounds to the
 * same as its half limited by two halves, the least and the greatest, would be. greatest: not 0. */
oc_half_bounds oc_half_bounds_of(oc_type type, float least, float greatest);

/* Each rounded once. */
void oc_half_of_f64(const oc_half_variant *v, uint16_t *to, const double *from, int64_t n);
void oc_half_to_f64(const oc_half_variant *v, double *to, const uint16_t *from, int64_t n);

/* type: OC_F16 or OC_BF16. */
const oc_half_variant *oc_half_pick(oc_type type, unsigned cpu);

#endif
