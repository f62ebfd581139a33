/* SPDX-License-Identifier: Apache-2.0
 * numbers.h - numbers to try operators on: plain ones, limits of types, whole rows alike. */
#ifndef TOOLS_CHECK_NUMBERS_H
#define TOOLS_CHECK_NUMBERS_H

#include "common/tool.h"

/* What the numbers of an input are. */
typedef enum check_manner {
    CHECK_PLAIN,   /* in [-4, 4); integers within a byte */
    CHECK_SPECIAL, /* of these every fourth is one of the type's limits, NaN or an infinity */
    CHECK_ROWS,    /* one number along each row: a special one or a plain one */
    CHECK_WIDE,    /* of any size that the type has */
    CHECK_HALVES,  /* -3, -2.5, ... 3, with zeros of both signs */
    CHECK_N_MANNERS,
    CHECK_MILD = CHECK_N_MANNERS /* like CHECK_SPECIAL, but of sizes whose products add up */
} check_manner;

extern const char *const check_manners[]; /* for names of cases; "" is the first */

/* The i-th number of a type, with rows of so many. */
double check_number(oc_type type, check_manner manner, uint64_t key, uint64_t i, uint64_t row);
/* Bits of its significand. */
int check_digits(oc_type type);
/* The least number above 0 that a float type has. */
double check_least(oc_type type);

#endif
