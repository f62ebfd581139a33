/* SPDX-License-Identifier: Apache-2.0
 * elementary.h - the exponential, the logarithm, powers, the error function, the trigonometric
 * and the hyperbolic functions, and their inverses.
 *
 * They are computed in double, by polynomials in a fixed order: off by less than 2.5 units in
 * the last place of a double (erfc: 4.5, powers: 0.9), with equal bits on every machine, which
 * no C library promises. A float's result is the double's, rounded once. Outside its domain a
 * function is NaN. */
#pragma once

#include "kernels/common/variant.h"

#include <stdbool.h>
#include <stdint.h>

/* y[i] becomes the function of x[i]. x and y do not overlap. */
enum { OC_ELEMENTARY_BLOCK = 64 };
typedef void oc_elementary_fn(double y[OC_ELEMENTARY_BLOCK], const double x[OC_ELEMENTARY_BLOCK]);

/* y[i] becomes x[i] to the power of n[i], with the special cases of C's pow. y overlaps neither. */
typedef void oc_elementary_pow_fn(double y[OC_ELEMENTARY_BLOCK],
                                  const double x[OC_ELEMENTARY_BLOCK],
                                  const double n[OC_ELEMENTARY_BLOCK]);

/* Powers of floats, less exact in double. These powers and those of pow are both near the true
 * power, so they round to the same float unless the true power lies close to the middle between
 * two floats. Returns whether this is certain for all elements; if not, y is undefined. y does
 * not overlap x. */
typedef bool oc_elementary_near_fn(float y[OC_ELEMENTARY_BLOCK],
                                   const double x[OC_ELEMENTARY_BLOCK],
                                   const double n[OC_ELEMENTARY_BLOCK]);

/* As oc_elementary_near_fn, for powers that a few operations make: -2, -1, -0.5, 0.5, 1.5, 3 and
 * 4. */
typedef bool oc_elementary_easy_fn(float y[OC_ELEMENTARY_BLOCK], const float x[OC_ELEMENTARY_BLOCK],
                                   double n);
bool oc_power_is_easy(double n);

/* The functions for one instruction set. less_1 is e^x - 1, sigmoid is 1 / (1 + e^-x), softplus
 * is ln(1 + e^x). */
typedef struct oc_elementary {
    const char *isa;
    unsigned need;
    oc_elementary_fn *exp, *less_1, *sigmoid, *softplus, *log, *erf, *erfc;
    oc_elementary_fn *sinh, *cosh, *tanh, *asinh, *acosh, *atanh;
    oc_elementary_fn *sin, *cos, *tan, *asin, *acos, *atan;
    oc_elementary_pow_fn *pow;
    oc_elementary_near_fn *near_pow;
    oc_elementary_easy_fn *easy_pow;
} oc_elementary;

/* y[i] becomes the function of x[0][i] for n elements; y may be x[0]. fn is an oc_elementary_fn **;
 * step is not read. */
void oc_elementary_row_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                           const void *fn);
void oc_elementary_row_f64(void *y, const void *const x[], const int64_t step[], int64_t n,
                           const void *fn);

/* x[i] becomes the function of x[i] for n elements. */
void oc_elementary_apply(oc_elementary_fn *fn, double *x, int64_t n);

/* y[i] becomes x[0][i * step[0]] to the power of x[1][i * step[1]]; fn is an oc_elementary_pow_fn
 * **, and the steps are 0 or 1. y may be an operand of step 1. */
void oc_elementary_row_pow(void *y, const void *const x[], const int64_t step[], int64_t n,
                           const void *fn);

/* Returns e^x for one number. */
double oc_exp(double x);
double oc_log(double x);
double oc_pow(double x, double n);

extern const oc_elementary *const oc_elementary_variants[]; /* best first, the last is scalar */

const oc_elementary *oc_elementary_pick(unsigned cpu);
