/* SPDX-License-Identifier: Apache-2.0
 * qlinear.h - what are the sums and products of two quantised numbers, quantised again?
 *
 *     x[k] = ((code ^ flip) - zero) * scale, for both operands
 *     y    = limit (round ((x[0] + x[1]) / scale) + zero)
 *
 * or with a product in place of the sum; each step is rounded to float, round is to the nearest
 * whole number, ties to even, and limit brings a number between low and high. These are the bits of
 * DequantizeLinear, Add or Mul, and QuantizeLinear. Scales are such that no number is NaN. */
#ifndef OC_KERNELS_ELEMENTWISE_QLINEAR_H
#define OC_KERNELS_ELEMENTWISE_QLINEAR_H

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oc_qlinear_operand {
    uint8_t flip; /* 128: codes are int8, and zero is 128 more */
    float zero, scale;
} oc_qlinear_operand;

typedef struct oc_qlinear {
    oc_qlinear_operand x[2];
    float scale;             /* of y */
    int32_t zero, low, high; /* of y; low is negative where it is int8 and may be so */
} oc_qlinear;

/* n codes each; y may be one of the others. */
typedef void oc_qlinear_fn(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q,
                           int64_t n);

/* One per instruction set. */
typedef struct oc_qlinear_variant {
    const char *isa;
    unsigned need;
    oc_qlinear_fn *add, *mul;
} oc_qlinear_variant;

extern const oc_qlinear_variant *const oc_qlinear_variants[]; /* best first, the last is scalar */

/* Are all scales such? */
bool oc_qlinear_suits(const oc_qlinear *q);
const oc_qlinear_variant *oc_qlinear_pick(unsigned cpu);

#endif
