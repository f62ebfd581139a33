/* SPDX-License-Identifier: Apache-2.0
 * fit.h - which expression of some operands has these values? */
#pragma once

#include "plan/expression.h"

enum { OC_FIT_POINTS = 64, OC_FIT_OPERANDS = 24 };

/* The operands, and what each of them is at each point. */
typedef struct oc_fit {
    oc_expressions *x;
    int n_points, n_operands;
    int operand[OC_FIT_OPERANDS];
    int64_t at[OC_FIT_OPERANDS][OC_FIT_POINTS];
} oc_fit;

/* The handle of the simplest expression that is y[k] at each point k: a number, an operand, a
 * multiple or a quotient of one rounded down, a product of some, an operand and one of these.
 * OC_NO_EXPRESSION: none is, or more than one of that kind. */
int oc_fit_expression(const oc_fit *f, const int64_t *y);
