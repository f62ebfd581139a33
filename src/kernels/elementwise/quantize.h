/* SPDX-License-Identifier: Apache-2.0
 * quantize.h - turns floats into codes and codes into floats.
 *
 * Codes are integers of at most 16 bits. A float's code is round(x / scale) + zero, ties to
 * even, limited to low .. high; NaN gets the code zero. Scales and zeros are floats, one for all
 * elements (step 0) or one for each (step 1); zero, low and high are whole numbers. */
#pragma once

#include "kernels/common/variant.h"

#include <stdint.h>

typedef struct oc_codes {
    const float *scale, *zero;
    int64_t step;    /* 0 or 1; step of scale and zero */
    float low, high; /* limits of the code */
} oc_codes;

/* The loops for one instruction set. Arrays do not overlap, except that `from` may work in
 * place. */
typedef struct oc_quantize_variant {
    const char *isa;
    unsigned need;
    void (*to_8)(uint8_t *y, const float *x, const oc_codes *c, int64_t n);
    void (*to_16)(uint16_t *y, const float *x, const oc_codes *c, int64_t n);
    /* y is the code of (x + bias) * scale, where the sum wraps and is rounded to float. All
     * elements have one zero, whatever step is. */
    void (*of_sums)(uint8_t *y, const int32_t *x, int32_t bias, const oc_codes *c, int64_t n);
    /* y = (x - zero) * scale for codes that are stored as floats; low and high are not read. */
    void (*from)(float *y, const float *x, const oc_codes *c, int64_t n);
    /* y = ((x ^ flip) - zero) * scale. */
    void (*from_8)(float *y, const uint8_t *x, uint8_t flip, float zero, float scale, int64_t n);
    /* y = x * scale in double, rounded to float; step is the step of scale. */
    void (*from_whole)(float *y, const int32_t *x, const float *scale, int64_t step, int64_t n);
    /* Lowers *low to the least and raises *high to the greatest of n numbers. Both become NaN if
     * one of the numbers is NaN. */
    void (*range)(const float *x, int64_t n, float *low, float *high);
} oc_quantize_variant;

extern const oc_quantize_variant *const oc_quantize_variants[]; /* best first, the last is scalar */

const oc_quantize_variant *oc_quantize_pick(unsigned cpu);
