/* SPDX-License-Identifier: Apache-2.0
 * number.h - one element of a tensor as a number, whatever its type. */
#ifndef TOOLS_COMMON_NUMBER_H
#define TOOLS_COMMON_NUMBER_H

#include "common/tool.h"

enum { NUMBER_TEXT = 96 };

bool number_is_float(oc_type type); /* complex types are not */
bool number_is_signed(oc_type type);
bool number_is_integer(oc_type type); /* bool is not */

/* Element i; of complex types the real part, of strings 0. Exact, except for 64-bit integers past
 * 2^53. */
double number_get(oc_type type, const void *data, int64_t i);
/* Element i of an integer type or bool, exactly: as the type is signed or not. */
int64_t number_signed(oc_type type, const void *data, int64_t i);
uint64_t number_unsigned(oc_type type, const void *data, int64_t i);

/* Sets element i to the nearest value that the type has, ties to even. Past its range: integers
 * take the nearest end, floats as well unless the type has Inf; NaN becomes 0 in an integer. */
void number_set(oc_type type, void *data, int64_t i, double x);

/* The value written out; precision counts the digits of floats. Returns text. */
const char *number_text(oc_type type, const void *data, int64_t i, int precision,
                        char text[NUMBER_TEXT]);

/* How many values of the type lie between two elements, one of them counted; 0 when they are equal
 * or both NaN, UINT64_MAX when one is NaN. Of complex types the larger of the two parts'. */
uint64_t number_ulp(oc_type type, const void *a, int64_t i, const void *b, int64_t j);
/* Such a count written out, UINT64_MAX as "NaN". Returns text. */
const char *number_ulp_text(uint64_t ulp, char text[NUMBER_TEXT]);

#endif
