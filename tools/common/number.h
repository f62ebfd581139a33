/* SPDX-License-Identifier: Apache-2.0
 * number.h - reads, writes, prints and compares one element of a tensor of any type. */
#pragma once

#include "common/tool.h"

enum { NUMBER_TEXT = 96 };

bool number_is_float(oc_type type); /* false for complex types */
bool number_is_signed(oc_type type);
bool number_is_integer(oc_type type); /* false for bool */
bool number_is_float_or_integer(oc_type type);
bool number_is_real(oc_type type); /* true for all types but strings and complex ones */

/* Returns element i; the real part of a complex element, 0 for a string. It is exact, except for
 * 64-bit integers beyond 2^53. */
double number_get(oc_type type, const void *data, int64_t i);
/* Returns how many significant digits tell any two elements of the type apart. */
int number_digits(oc_type type);
/* Return element i of an integer type or bool, exactly: number_signed for signed types,
 * number_unsigned for the others. */
int64_t number_signed(oc_type type, const void *data, int64_t i);
uint64_t number_unsigned(oc_type type, const void *data, int64_t i);

/* Sets element i to the value of the type nearest to x, ties to even. Beyond the range of the
 * type, an integer becomes the nearest end of the range, a float becomes Inf if the type has it,
 * else the nearest end. For float8e8m0 ties go up. NaN becomes 0 in an integer. Of a complex
 * element only the real part is set; a string is left unchanged. */
void number_set(oc_type type, void *data, int64_t i, double x);

/* Returns x, or a NaN without a sign, which is printed as "nan". */
double number_unsigned_nan(double x);
/* Writes element i into text and returns text; precision is the number of digits of a float. A long
 * string is cut off. */
const char *number_text(oc_type type, const void *data, int64_t i, int precision,
                        char text[NUMBER_TEXT]);

/* Writes a time given in milliseconds into text, as "0.62 us" or "12.345 ms", and returns text. */
const char *number_time(double ms, char text[NUMBER_TEXT]);

/* Returns the number of steps, each from one value of the type to the next, between element i of
 * a and element j of b: 0 when they are equal or both NaN, UINT64_MAX when one is NaN. For a
 * complex type it is the larger number of the two parts. */
uint64_t number_ulp(oc_type type, const void *a, int64_t i, const void *b, int64_t j);
/* Writes a result of number_ulp into text, UINT64_MAX as "NaN", and returns text. */
const char *number_ulp_text(uint64_t ulp, char text[NUMBER_TEXT]);
