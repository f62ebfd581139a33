/* SPDX-License-Identifier: Apache-2.0
 * numbers.h - numbers to try operators on: plain ones, limits of types, rows of equal ones. */
#pragma once

#include "common/tool.h"

/* How the inputs of a case are filled. */
typedef enum check_fill {
    CHECK_PLAIN,   /* floats in [-4, 4), integers that a byte holds */
    CHECK_SPECIAL, /* a fourth of them are limits of the type, NaN or infinite */
    CHECK_ROWS,    /* equal within a row; half of the rows have special numbers */
    CHECK_WIDE,    /* numbers of any exponent that the type has */
    CHECK_HALVES,  /* -3, -2.5 and so on to 3, with zeros of both signs */
    CHECK_N_FILLS,
    CHECK_MILD = CHECK_N_FILLS /* as CHECK_SPECIAL, but without numbers whose products overflow */
} check_fill;

extern const char *const check_fill_names[]; /* endings of the names of cases; "" for CHECK_PLAIN */

/* Returns the i-th number of an input of this type whose rows have `row` elements. */
double check_number(oc_type type, check_fill fill, uint64_t key, uint64_t i, uint64_t row);
/* Returns the bits of a float type's significand; 53 for other types. */
int check_digits(oc_type type);
/* Returns the least number above 0 of a float type; 0 for other types. */
double check_least(oc_type type);
