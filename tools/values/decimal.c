/* SPDX-License-Identifier: Apache-2.0
 * decimal.c - writes floats with the fewest digits, and in columns. */
#include "values/decimal.h"

#include "base/int.h"
#include "common/number.h"

#include <math.h>

enum { MOST_SIGNIFICANT = 17 };

static int most_digits(const decimal_column *c)
{
    return c->most ? c->most : DECIMAL_DIGITS;
}

static bool has_exponent(const decimal_column *c)
{
    const double large = c->most ? 1e16 : 1e8;
    return c->greatest >= large || (c->greatest > 0 && c->least < 1e-4) ||
           (!c->most && c->greatest > 1e3 * c->least);
}

/* In a type of 8 bits or fewer one digit might be enough, 0.2 for 0.25; so these types use the
 * digits of float. */
static bool reads_back(oc_type type, const char *text, double x)
{
    uint64_t element = 0;
    type = oc_type_size(type) == 1 ? OC_F32 : type;
    number_set(type, &element, 0, strtod(text, NULL));
    return number_get(type, &element, 0) == x;
}

/* Writes x as d.ddde+ee with the fewest digits that read back. Returns how many stand behind the
 * point. */
static int shortest(oc_type type, double x, char text[DECIMAL_TEXT])
{
    for (int n = 0; n < MOST_SIGNIFICANT - 1; n++) {
        snprintf(text, DECIMAL_TEXT, "%.*e", n, x);
        if (reads_back(type, text, x))
            return n;
    }
    snprintf(text, DECIMAL_TEXT, "%.*e", MOST_SIGNIFICANT - 1, x);
    return MOST_SIGNIFICANT - 1;
}

/* Removes the zeros at the end behind the point. */
static void trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && end[-1] == '0')
        *--end = 0;
}

/* The parts of a finite number: the digits before the point with their sign, those behind it
 * without zeros at the end, and the exponent with its sign or "". */
typedef struct parts {
    char whole[DECIMAL_TEXT + 1], fraction[DECIMAL_TEXT], exponent[8];
} parts;

/* Splits a number. With an exponent at least `least` digits stand behind the point, without
 * zeros at the end. */
static parts split(const decimal_column *c, double x, int least)
{
    char text[DECIMAL_TEXT];
    parts p = {.exponent = ""};
    const int most = most_digits(c), digits = shortest(c->type, x, text);
    if (has_exponent(c)) {
        const int n = oc_min(digits, most);
        snprintf(text, sizeof text, "%.*e", oc_max(n, least), x);
    } else {
        const int behind = digits - atoi(strchr(text, 'e') + 1);
        if (behind < 0) /* zeros replace digits that have no meaning */
            x = strtod(text, NULL);
        snprintf(text, sizeof text, "%.*f", behind < 0 ? 0 : behind < most ? behind : most, x);
    }
    char *e = strchr(text, 'e');
    if (e) {
        snprintf(p.exponent, sizeof p.exponent, "%s", e + 1);
        *e = 0;
    }
    char *point = strchr(text, '.');
    snprintf(p.fraction, sizeof p.fraction, "%s", point ? point + 1 : "");
    trim(p.fraction);
    if (point)
        *point = 0;
    snprintf(p.whole, sizeof p.whole, "%s%s", c->sign && !signbit(x) ? "+" : "", text);
    return p;
}

void decimal_range(decimal_column *c, double x)
{
    const double size = fabs(x);
    c->minus = c->minus || (isinf(x) && x < 0);
    if (!isfinite(x)) {
        c->special = true;
        return;
    }
    c->finite = true;
    if (size == 0)
        return;
    c->least = c->greatest == 0 || size < c->least ? size : c->least;
    c->greatest = size > c->greatest ? size : c->greatest;
}

static void widen(int *width, size_t size)
{
    *width = (int)size > *width ? (int)size : *width;
}

void decimal_measure(decimal_column *c, double x)
{
    if (isfinite(x)) {
        const parts p = split(c, x, 0);
        widen(&c->left, strlen(p.whole));
        widen(&c->right, strlen(p.fraction));
        if (*p.exponent)
            widen(&c->exponent, strlen(p.exponent) - 1);
    }
}

/* Returns the characters behind the point, with an exponent also the e and its sign. */
static int behind_point(const decimal_column *c)
{
    return c->right + (c->exponent ? c->exponent + 2 : 0);
}

/* Returns the width of a column; there is room for "nan", and for "inf" with a sign if a number
 * has one. */
static int width_of(const decimal_column *c)
{
    const int width = c->left + 1 + behind_point(c), special = 3 + (c->minus || c->sign);
    return c->special && width < special ? special : width;
}

const char *decimal_text(const decimal_column *c, double x, char text[DECIMAL_TEXT])
{
    const int width = width_of(c);
    if (!isfinite(x)) {
        const char *sign = isinf(x) && x < 0 ? "-" : c->sign ? "+" : "";
        char word[8];
        snprintf(word, sizeof word, "%s%s", sign, isnan(x) ? "nan" : "inf");
        snprintf(text, DECIMAL_TEXT, "%*s", width, word);
        return text;
    }
    const parts p = split(c, x, c->right);
    const int left = width - 1 - behind_point(c), zeros = c->right - (int)strlen(p.fraction);
    size_t at = (size_t)snprintf(text, DECIMAL_TEXT, "%*.40s.%.20s", left, p.whole, p.fraction);
    for (int i = 0; i < zeros && at + 1 < DECIMAL_TEXT; i++)
        text[at++] = c->exponent ? '0' : ' ';
    text[at] = 0;
    if (c->exponent)
        snprintf(text + at, DECIMAL_TEXT - at, "e%c%0*d", p.exponent[0], c->exponent,
                 atoi(p.exponent + 1));
    return text;
}
