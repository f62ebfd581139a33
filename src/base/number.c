/* SPDX-License-Identifier: Apache-2.0
 * number.c - converts floats to and from text by printf and strtod, whatever the locale's
 * decimal point is. */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale's decimal point. It is taken from a printed number, because localeconv is not
 * thread-safe. */
typedef struct point {
    char text[16];
    size_t size;
} point;

static point local_point(void)
{
    char half[16];
    const int n = snprintf(half, sizeof half, "%.1f", 0.5); /* prints "0", the decimal point, "5" */
    point p = {".", 1};
    if (n >= 3 && (size_t)n < sizeof half) {
        p.size = (size_t)n - 2;
        memcpy(p.text, half + 1, p.size);
    }
    return p;
}

/* Copies the size bytes at text to out as a C string, with "." replaced by the locale's decimal
 * point. */
static void localize(char *out, const char *text, size_t size)
{
    const char *dot = memchr(text, '.', size);
    const size_t before = dot ? (size_t)(dot - text) : size;
    memcpy(out, text, before);
    out += before;
    if (dot) {
        const point p = local_point();
        memcpy(out, p.text, p.size);
        memcpy(out + p.size, dot + 1, size - before - 1);
        out += p.size + size - before - 1;
    }
    *out = '\0';
}

/* Is text one of the forms that number.h allows? strtod accepts more, such as leading blanks. */
static bool is_plain(const char *text, size_t size)
{
    if (size && (*text == '-' || *text == '+'))
        text++, size--;
    for (size_t i = 0; i < size; i++)
        if (!strchr("0123456789abcdefxpintyABCDEFXPINTY.+-", text[i]) || !text[i])
            return false;
    if (size > 1 && *text == '.')
        text++; /* a number may begin with its point, as ".5" */
    return size && strchr("0123456789iInN", *text);
}

enum { COPY = OC_NUMBER_MAX + sizeof(point) };

/* Copies the text to `copy` in the form that strtod reads. */
static bool begin(char copy[COPY], const char *text, size_t size)
{
    if (size > OC_NUMBER_MAX || !is_plain(text, size))
        return false;
    localize(copy, text, size);
    return true;
}

/* Has strtod read the whole text, and is the result not a number that was too large? */
static bool is_whole(const char *copy, const char *end, bool infinite)
{
    return end != copy && !*end && !(infinite && strpbrk(copy, "0123456789"));
}

/* Gives a NaN the sign that stands before it, which strtod of musl drops. */
static double with_sign(double value, const char *copy)
{
    return isnan(value) ? copysign(value, *copy == '-' ? -1 : 1) : value;
}

bool oc_f64_parse(const char *text, size_t size, double *x)
{
    char copy[COPY], *end;
    if (!begin(copy, text, size))
        return false;
    const double value = strtod(copy, &end);
    if (!is_whole(copy, end, isinf(value)))
        return false;
    *x = with_sign(value, copy);
    return true;
}

bool oc_f32_parse(const char *text, size_t size, float *x)
{
    char copy[COPY], *end;
    if (!begin(copy, text, size))
        return false;
    const float value = strtof(copy, &end);
    if (!is_whole(copy, end, isinf(value)))
        return false;
    *x = (float)with_sign(value, copy);
    return true;
}

const char *oc_float_digits(double x, int digits, char text[OC_FLOAT_TEXT])
{
    if (!isfinite(x)) {
        snprintf(text, OC_FLOAT_TEXT, "%s%s", signbit(x) ? "-" : "", isnan(x) ? "nan" : "inf");
        return text;
    }
    snprintf(text, OC_FLOAT_TEXT, "%.*g", digits, x);
    char *p = text + strspn(text, "+-0123456789e");
    /* length of the locale's point; 0 when there is none */
    const size_t n = strcspn(p, "0123456789");
    if (n) {
        *p = '.';
        memmove(p + 1, p + n, strlen(p + n) + 1);
    }
    return text;
}

const char *oc_f64_text(double x, char text[OC_FLOAT_TEXT])
{
    double back;
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        oc_float_digits(x, digits, text);
        if (!isfinite(x) || (oc_f64_parse(text, strlen(text), &back) && back == x))
            break;
    }
    return text;
}

const char *oc_f32_text(float x, char text[OC_FLOAT_TEXT])
{
    float back;
    for (int digits = FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
        oc_float_digits((double)x, digits, text);
        if (!isfinite(x) || (oc_f32_parse(text, strlen(text), &back) && back == x))
            break;
    }
    return text;
}
