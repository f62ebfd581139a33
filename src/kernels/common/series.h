/* SPDX-License-Identifier: Apache-2.0
 * series.h - ln and exp in double with the same bits on every machine, which no C library promises.
 *
 * Both are off by a few units in the last place. */
#ifndef OC_KERNELS_COMMON_SERIES_H
#define OC_KERNELS_COMMON_SERIES_H

#include <math.h>

/* ln x, x > 0 and finite, by 2 atanh((m - 1) / (m + 1)), m in [sqrt 1/2, sqrt 2). */
static inline double oc_series_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent), sum = 0;
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const double t = (m - 1) / (m + 1), square = t * t;
    for (int k = 21; k > 0; k -= 2)
        sum = sum * square + 2.0 / k;
    return exponent * 0.69314718055994531 + sum * t;
}

/* e^x = 2^n e^r with n whole and |r| <= ln 2 / 2. 0 and Inf where a double ends; NaN stays NaN. */
static inline double oc_series_exp(double x)
{
    if (!(x > -746))
        return x < 0 ? 0 : x;
    if (x > 710)
        return (double)INFINITY;
    const double n = rint(x * 1.4426950408889634);
    const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    double sum = 1;
    for (int k = 14; k > 0; k--)
        sum = 1 + sum * r / k;
    return ldexp(sum, (int)n);
}

#endif
