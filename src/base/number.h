/* SPDX-License-Identifier: Apache-2.0
 * number.h - converts floats from text and to text, whatever the C library's locale is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Stores the number that the size bytes at text spell: decimal or hexadecimal digits, "inf",
 * "infinity" or "nan", with or without sign. The number is rounded once, to nearest even. Returns
 * false when the bytes are not entirely a number, when its digits round to infinity, or when size
 * exceeds OC_NUMBER_MAX. */
enum { OC_NUMBER_MAX = 1200 };
bool oc_f64_parse(const char *text, size_t size, double *x);
bool oc_f32_parse(const char *text, size_t size, float *x);

/* Writes a short decimal text that parses back to x: "0.1", "-0", "1e-45", "-inf", "nan",
 * "-nan". The payload of a NaN is lost. Returns text. */
enum { OC_FLOAT_TEXT = 40 };
const char *oc_f64_text(double x, char text[OC_FLOAT_TEXT]);
const char *oc_f32_text(float x, char text[OC_FLOAT_TEXT]);
/* Writes x with at most digits significant digits; the text may not parse back to x. Returns
 * text. */
const char *oc_float_digits(double x, int digits, char text[OC_FLOAT_TEXT]);
