/* SPDX-License-Identifier: Apache-2.0
 * curves.h - exp and what is made of it, of float elements: the activations that models spend time
 * in.
 *
 * Computed in double by polynomials in a fixed order, and rounded to float once: off by less than
 * 0.53 units in the last place (subnormal results included), and the same bits on every machine,
 * which no C library promises. Where a formula gives NaN for an infinity (0 * Inf), so do these. */
#ifndef OC_KERNELS_ROWS_CURVES_H
#define OC_KERNELS_ROWS_CURVES_H

#include "kernels/common/variant.h"

#include <stdint.h>

/* Elements become those of the curve. a is swish's factor: x * sigmoid(a * x). */
enum { OC_CURVE_BLOCK = 64 };
typedef void oc_curve_fn(float block[OC_CURVE_BLOCK], double a);

/* One per instruction set. gelu_tanh is the approximation by tanh that the standard names. */
typedef struct oc_curves {
    const char *isa;
    unsigned need;
    oc_curve_fn *exp, *sigmoid, *tanh, *erf, *gelu, *gelu_tanh, *swish;
} oc_curves;

typedef struct oc_curve {
    oc_curve_fn *fn;
    double a;
} oc_curve;

/* n floats of x[0] to y, which may be the same; x[1] is an oc_curve; step means nothing. */
void oc_curve_row(void *y, const void *const x[], const int64_t step[], int64_t n);

extern const oc_curves *const oc_curves_variants[]; /* best first, the last is scalar */

const oc_curves *oc_curves_pick(unsigned cpu);

#endif
