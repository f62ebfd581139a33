/* SPDX-License-Identifier: Apache-2.0
 * qlinear.h - sums and products of two quantised numbers, quantised again.
 *
 *     x[k] = ((code ^ flip) - zero) * scale, for both operands
 *     y    = limit (round ((x[0] + x[1]) / scale) + zero)
 *
 * or with a product in place of the sum. Each step is rounded to float, round is to the nearest
 * whole number, ties to even, and limit brings a number between low and high. These are the bits
 * of DequantizeLinear, Add or Mul, and QuantizeLinear. Scales must be such that no number is
 * NaN. */
#pragma once

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oc_qlinear_operand {
    uint8_t flip; /* 128 when codes are int8; then zero is 128 more */
    float zero, scale;
} oc_qlinear_operand;

typedef struct oc_qlinear {
    oc_qlinear_operand x[2];
    float scale;             /* scale of y */
    int32_t zero, low, high; /* zero point and limits of y; low is negative when y is int8 */
} oc_qlinear;

/* Computes n codes; y may be a or b. */
typedef void oc_qlinear_fn(uint8_t *y, const uint8_t *a, const uint8_t *b, const oc_qlinear *q,
                           int64_t n);

/* The loops for one instruction set. */
typedef struct oc_qlinear_variant {
    const char *isa;
    unsigned need;
    oc_qlinear_fn *add, *mul;
} oc_qlinear_variant;

extern const oc_qlinear_variant *const oc_qlinear_variants[]; /* best first, the last is scalar */

/* Are all scales such that no number is NaN? */
bool oc_qlinear_suits(const oc_qlinear *q);
const oc_qlinear_variant *oc_qlinear_pick(unsigned cpu);
