/* SPDX-License-Identifier: Apache-2.0
 * lp.h - what the pools of Lp norms share. */
#pragma once

#include "kernels/elementwise/elementary.h"
#include "ops/kit/op.h"

#include <math.h>

/* Reads attribute p, a float in version 1 and an integer since. */
static inline oc_status oc_lp_read(oc_call *c, double *p)
{
    *p = oc_call_since(c) == 1 ? (double)oc_attr_float(c, "p") : (double)oc_attr_int(c, "p");
    return *p > 0 && *p < INFINITY
               ? OC_OK
               : oc_fail(c, OC_VALUE, "attribute 'p' is %g, expected a number above 0", *p);
}

static inline double oc_lp_power(double x, double p)
{
    return p == 1 ? fabs(x) : p == 2 ? x * x : oc_pow(fabs(x), p);
}

static inline double oc_lp_root(double sum, double p)
{
    return p == 1 ? sum : p == 2 ? sqrt(sum) : oc_pow(sum, 1 / p);
}
