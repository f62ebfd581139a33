/* SPDX-License-Identifier: Apache-2.0
 * decimal.h - one float in the fewest digits that read back as it, in a column of such numbers, as
 * NumPy aligns them. Of a type of 8 bits or fewer the digits are those of the same float.
 *
 * A column takes an exponent where a number has 1e8 or more, less than 1e-4, or more than a
 * thousand times another; else points stand below each other, and zeros after the last digit are
 * blanks. A NaN has no sign. */
#ifndef TOOLS_VALUES_DECIMAL_H
#define TOOLS_VALUES_DECIMAL_H

#include "common/tool.h"

enum { DECIMAL_TEXT = 96, DECIMAL_DIGITS = 8 };

/* Starts with type and sign, the rest as all zero. First measure all numbers twice, with
 * decimal_range and then with decimal_measure; then write them. */
typedef struct decimal_column {
    oc_type type;           /* of floats, not complex */
    bool sign;              /* positive numbers have a plus */
    int most;               /* digits behind the point; 0: DECIMAL_DIGITS */
    double least, greatest; /* of the sizes of numbers that are neither 0, NaN nor infinite */
    int left, right;        /* characters before the point, and behind it */
    int exponent;           /* digits of the exponent */
    bool finite, special;   /* a number is finite; one is not */
    bool minus;             /* one is -Inf */
} decimal_column;

void decimal_range(decimal_column *c, double x);
void decimal_measure(decimal_column *c, double x);
/* Writes x, padded to the column, into text and returns text. */
const char *decimal_text(const decimal_column *c, double x, char text[DECIMAL_TEXT]);

#endif
