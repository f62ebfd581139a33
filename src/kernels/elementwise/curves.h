/* SPDX-License-Identifier: Apache-2.0
 * curves.h - exp of floats, and the activations that are made of it.
 *
 * They are computed in float, with fused multiply-adds in a fixed order: off by less than 1 unit
 * in the last place (subnormal results included), with equal bits on every machine, which no C
 * library promises; in the fast way (docs/numerics.md) by less than 2 units. Elu, sin and cos are
 * computed in double and rounded once: off by less than 0.53 units. Where the formula is NaN for an
 * infinity (0 * Inf), the result is NaN. */
#pragma once

#include "kernels/common/half.h"
#include "kernels/elementwise/elementary.h"

/* y[i] becomes the curve's value at x[i] for n floats; y may be x. a is the factor in swish, x *
 * sigmoid(a * x): 0, or at least OC_SWISH_LEAST in magnitude. Other curves ignore it. */
typedef void oc_curve_fn(float *y, const float *x, int64_t n, float a);
#define OC_SWISH_LEAST 0x1p-90

/* Functions of these types replace each element of a block. */
enum { OC_CURVE_BLOCK = 64 };
typedef void oc_angle_fn(float block[OC_CURVE_BLOCK]);

/* Computes scale * x for x >= 0, and scale * alpha * (e^(x * inverse) - 1) for x < 0. */
typedef struct oc_elu {
    double alpha, inverse, scale;
} oc_elu;
typedef void oc_elu_fn(float block[OC_CURVE_BLOCK], const oc_elu *f);

/* The functions for one instruction set. gelu_tanh is the approximation by tanh that the
 * standard names. */
typedef struct oc_curves {
    const char *isa;
    unsigned need;
    oc_curve_fn *exp, *sigmoid, *tanh, *erf, *gelu, *gelu_tanh, *swish;
    oc_angle_fn *sin, *cos; /* valid up to OC_CURVE_NEAR in magnitude */
    oc_elu_fn *elu;
    /* Work on floats as if they were float16: x, the sigmoid before it is multiplied, and the
     * results are rounded to float16. The bounds are not read. */
    oc_narrow_limited_fn *x_sigmoid_f16, *hard_swish_f16;
} oc_curves;

typedef struct oc_curve {
    oc_curve_fn *fn;
    double a; /* a float's value */
} oc_curve;

/* y[i] becomes the curve of x[0][i] for n floats; y may be x[0]. curve is an oc_curve; step is not
 * read. */
void oc_curve_row(void *y, const void *const x[], const int64_t step[], int64_t n,
                  const void *curve);

/* As oc_curve_row, for an oc_angle_row. Elements beyond OC_CURVE_NEAR are computed one by one by
 * `far`. */
enum { OC_CURVE_NEAR = 1 << 19 };
typedef struct oc_angle_row {
    oc_angle_fn *near;
    oc_elementary_fn *far;
} oc_angle_row;
void oc_angle_row_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                      const void *angle);

/* As oc_curve_row, for an oc_elu_row. */
typedef struct oc_elu_row {
    oc_elu_fn *fn;
    oc_elu f;
} oc_elu_row;
void oc_elu_row_f32(void *y, const void *const x[], const int64_t step[], int64_t n,
                    const void *elu);

extern const oc_curves *const oc_curves_variants[]; /* best first, the last is scalar */

const oc_curves *oc_curves_pick(unsigned cpu);
/* For sin, cos, elu and the functions of float16, whose bits the fast way does not change. */
const oc_curves *oc_curves_pick_wide(unsigned cpu);
