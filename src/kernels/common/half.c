/* SPDX-License-Identifier: Apache-2.0
 * half.c - the scalar conversion of float16 and bfloat16, and the tables of variants. */
#include "kernels/common/half.h"

#include "kernels/common/element.h"
#include "kernels/common/precondition.h"
#include "kernels/simd/simd.h"

#include <string.h>

static void limit(float *y, const float *x, int64_t n, const oc_half_bounds *l)
{
    assert(n >= 0);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] < l->below ? l->low : x[i] > l->high ? l->high : x[i];
}

#define ELEMENT f16
#include "kernels/common/half.inc"
#define ELEMENT bf16
#include "kernels/common/half.inc"

OC_ISA_VARIANT(oc_half_variant, oc_f16_variants, widen_f16, narrow_f16, round_f16, limit,
               narrow_limited_f16, add_limited_f16, scale_f16)
OC_ISA_VARIANT(oc_half_variant, oc_bf16_variants, widen_bf16, narrow_bf16, round_bf16, limit,
               narrow_limited_bf16, add_limited_bf16, scale_bf16)
OC_VARIANTS(oc_half_variant, oc_f16_variants)
OC_VARIANTS(oc_half_variant, oc_bf16_variants)

/* The bounds are exact except at 0: a float that rounds to -0 is not below 0, and stays -0. A
 * limit that is NaN has no effect. */
oc_half_bounds oc_half_bounds_of(oc_type type, float least, float greatest)
{
    /* the greatest float that rounds to 0 */
    const float zero = type == OC_F16 ? 0x1p-25f : 0x1p-134f;
    return (oc_half_bounds){.below = least == 0     ? -zero
                                     : isnan(least) ? -INFINITY
                                                    : least,
                            .low = least,
                            .high = isnan(greatest) ? INFINITY : greatest};
}

enum { STRIP = 256 };

/* Returns x if it is a float, else the one of its two neighbouring floats whose last bit is 1.
 * Rounding the result to a half gives what rounding x would give. */
static inline float odd_float(double x)
{
    float f = (float)x;
    const double rest = x - (double)f;
    const bool is_between = rest < 0 || rest > 0, is_less = (rest > 0) == (x > 0);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits += is_between && !(bits & 1) ? (is_less ? 1U : -1U) : 0;
    memcpy(&f, &bits, sizeof f);
    return f;
}

void oc_half_of_f64(const oc_half_variant *v, uint16_t *to, const double *from, int64_t n)
{
    float strip[STRIP];
    for (int64_t done = 0, some; done < n; done += some) {
        some = n - done < STRIP ? n - done : STRIP;
        for (int64_t i = 0; i < some; i++)
            strip[i] = odd_float(from[done + i]);
        v->narrow(to + done, strip, some);
    }
}

void oc_half_to_f64(const oc_half_variant *v, double *to, const uint16_t *from, int64_t n)
{
    float strip[STRIP];
    for (int64_t done = 0, some; done < n; done += some) {
        some = n - done < STRIP ? n - done : STRIP;
        v->widen(strip, from + done, some);
        for (int64_t i = 0; i < some; i++)
            to[done + i] = (double)strip[i];
    }
}

const oc_half_variant *oc_half_pick(oc_type type, unsigned cpu)
{
    const oc_half_variant *const *variants = type == OC_F16 ? oc_f16_variants : oc_bf16_variants;
    const oc_half_variant *v;
    OC_VARIANT_PICK(v, variants, widen, cpu);
    return v;
}
