/* SPDX-License-Identifier: Apache-2.0
 * decimal.h - writes a float with the fewest digits that read back as it, in a column of such
 * numbers that is aligned as NumPy does. For a type of 8 bits or fewer the digits are those of
 * the number as float.
 *
 * A column has exponents when a number is 1e8 or more, is less than 1e-4, or is more than a
 * thousand times another. Otherwise the points stand below each other, and zeros after the last
 * digit are blanks. A NaN has no sign. */
#pragma once

#include "common/tool.h"

enum { DECIMAL_TEXT = 96, DECIMAL_DIGITS = 8 };

/* A column. Start with type and sign, and the rest as all zero. Measure all numbers twice, first
 * with decimal_range and then with decimal_measure; then write them. */
typedef struct decimal_column {
    oc_type type;           /* type of floats, not complex */
    bool sign;              /* true: positive numbers have a plus */
    int most;               /* most digits behind the point; 0: DECIMAL_DIGITS */
    double least, greatest; /* sizes of numbers that are not 0, NaN or infinite */
    int left, right;        /* characters before the point, and behind it */
    int exponent;           /* digits of the exponent */
    bool finite, special;   /* finite: a number is finite; special: a number is not */
    bool minus;             /* true: a number is -Inf */
} decimal_column;

void decimal_range(decimal_column *c, double x);
void decimal_measure(decimal_column *c, double x);
/* Writes x, padded to the column, into text and returns text. */
const char *decimal_text(const decimal_column *c, double x, char text[DECIMAL_TEXT]);
