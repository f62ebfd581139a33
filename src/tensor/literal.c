/* SPDX-License-Identifier: Apache-2.0
 * literal.c - reads elements of every type from text and writes them as text. */
#include "tensor/literal.h"

#include "base/number.h"
#include "base/smallfloat.h"

#include <math.h>

/* ---- bits of an element, whatever its size ---- */

static uint64_t load_bits(oc_type type, const void *data, int64_t i)
{
    const size_t size = oc_type_size(type);
    const void *element = (const char *)data + (size_t)i * size;
    uint8_t b1;
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    switch (size) {
    case 1:
        return *(const uint8_t *)memcpy(&b1, element, 1);
    case 2:
        return *(const uint16_t *)memcpy(&b2, element, 2);
    case 4:
        return *(const uint32_t *)memcpy(&b4, element, 4);
    default:
        return *(const uint64_t *)memcpy(&b8, element, 8);
    }
}

static void store_bits(oc_type type, void *element, uint64_t bits)
{
    const uint8_t b1 = (uint8_t)bits;
    const uint16_t b2 = (uint16_t)bits;
    const uint32_t b4 = (uint32_t)bits;
    switch (oc_type_size(type)) {
    case 1:
        memcpy(element, &b1, 1);
        break;
    case 2:
        memcpy(element, &b2, 2);
        break;
    case 4:
        memcpy(element, &b4, 4);
        break;
    default:
        memcpy(element, &bits, 8);
    }
}

static double small_to_f64(oc_type type, uint64_t bits)
{
    switch (type) {
    case OC_F16:
        return (double)oc_f16_to_f32((uint16_t)bits);
    case OC_BF16:
        return (double)oc_bf16_to_f32((uint16_t)bits);
    default:
        return (double)oc_f8_to_f32(type, (uint8_t)bits);
    }
}

static uint64_t small_from_f64(oc_type type, double x)
{
    switch (type) {
    case OC_F16:
        return oc_f16_from_f64(x);
    case OC_BF16:
        return oc_bf16_from_f64(x);
    default:
        return oc_f8_from_f64(type, x, false);
    }
}

/* Returns the bits of an element of a float type (not complex) as a double. */
static double to_f64(oc_type type, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float f;
    double d;
    switch (type) {
    case OC_F32:
        memcpy(&f, &low, sizeof f);
        return (double)f;
    case OC_F64:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return small_to_f64(type, bits);
    }
}

/* ---- reading ---- */

static oc_status fail_value(const oc_lex *l, oc_type type, oc_error *e)
{
    return oc_lex_fail(l, e, "expected a value of type %s", oc_type_name(type));
}

static oc_status read_integer(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    const int bits = oc_type_bits(type);
    const uint64_t most = UINT64_MAX >> (64 - bits), most_signed = most >> 1;
    bool negative;
    uint64_t n;
    if (!oc_lex_magnitude(l, &negative, &n))
        return fail_value(l, type, e);
    const uint64_t limit = oc_type_is_signed(type) ? most_signed + negative : negative ? 0 : most;
    if (n > limit)
        return fail_value(l, type, e);
    store_bits(type, element, negative ? 0 - n : n);
    oc_lex_next(l);
    return OC_OK;
}

static oc_status read_bool(oc_lex *l, uint8_t *element, oc_error *e)
{
    if (oc_lex_is(l, "true") || oc_lex_is(l, "false")) {
        *element = oc_lex_is(l, "true");
        oc_lex_next(l);
        return OC_OK;
    }
    bool negative;
    uint64_t n;
    if (!oc_lex_magnitude(l, &negative, &n) || n > 1)
        return fail_value(l, OC_BOOL, e);
    *element = (uint8_t)n;
    oc_lex_next(l);
    return OC_OK;
}

/* Is the token an integer in hexadecimal digits, such as "0x3c00"? Stores it. An integer of more
 * than 64 bits does not count. */
static bool is_hexadecimal(const oc_lex *l, uint64_t *bits)
{
    if (l->token != OC_TOK_FLOAT || l->size <= 2 || l->size > 18 || l->text[0] != '0' ||
        (l->text[1] | 0x20) != 'x')
        return false;
    *bits = 0;
    for (size_t i = 2; i < l->size; i++) {
        static const char digits[] = "0123456789abcdef";
        const char c = l->text[i];
        const char *d = memchr(digits, c >= 'A' ? c | 0x20 : c, sizeof digits - 1);
        if (!d)
            return false;
        *bits = *bits << 4 | (uint64_t)(d - digits);
    }
    return true;
}

/* Reads "nan(0x7fc00001)". The token "nan" is current, and "(" is next. */
static oc_status read_nan_bits(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    oc_lex_next(l);
    oc_lex_next(l);
    uint64_t bits;
    if (!is_hexadecimal(l, &bits) || bits > UINT64_MAX >> (64 - 8 * oc_type_size(type)) ||
        !isnan(to_f64(type, bits)))
        return oc_lex_fail(l, e, "expected the bits of a NaN of type %s", oc_type_name(type));
    store_bits(type, element, bits);
    oc_lex_next(l);
    return oc_lex_want(l, ")", e);
}

/* Can the small type hold x after rounding? back is x after rounding to the type. A finite x
 * must stay finite, and inf and NaN must stay what they are. */
static bool fits_small(oc_type type, double x, double back)
{
    if (isnan(x))
        return isnan(back);
    if (isinf(x))
        return back == x;
    return isfinite(back) && !(x < 0 && back > 0) && (oc_type_is_half(type) || oc_f8_has(type, x));
}

/* Is the token an integer without point and exponent, whatever its sign? */
static bool is_bare_integer(const oc_lex *l)
{
    uint64_t bits;
    return l->token == OC_TOK_INT || is_hexadecimal(l, &bits);
}

/* Reads a bare integer, which is the bits of the element. */
static oc_status read_code(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    const uint64_t most = UINT64_MAX >> (64 - oc_type_bits(type));
    uint64_t code = 0;
    const bool good = l->token == OC_TOK_INT
                          ? *l->text != '-' && oc_lex_magnitude(l, &(bool){false}, &code)
                          : is_hexadecimal(l, &code);
    if (!good || code > most)
        return oc_lex_fail(l, e,
                           "expected a value of type %s with a point or an exponent, or a code "
                           "from 0 to %" PRIu64,
                           oc_type_name(type), most);
    store_bits(type, element, code);
    oc_lex_next(l);
    return OC_OK;
}

static oc_status read_small(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    const oc_lex before = *l;
    double x;
    if (is_bare_integer(l))
        return read_code(l, type, element, e);
    OC_TRY(oc_lex_float(l, "a number", &x, e));
    const uint64_t bits = small_from_f64(type, x);
    if (!fits_small(type, x, small_to_f64(type, bits)))
        return fail_value(&before, type, e);
    store_bits(type, element, bits);
    return OC_OK;
}

static oc_status read_float(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    if (oc_lex_is(l, "nan")) {
        oc_lex after = *l;
        oc_lex_next(&after);
        if (oc_lex_is(&after, "("))
            return read_nan_bits(l, type, element, e);
    }
    switch (type) {
    case OC_F32:
        return oc_lex_f32(l, "a number of type float", element, e);
    case OC_F64:
        return oc_lex_float(l, "a number of type double", element, e);
    default:
        return read_small(l, type, element, e);
    }
}

oc_status oc_literal_element(oc_lex *l, oc_type type, void *element, oc_error *e)
{
    if (type == OC_BOOL)
        return read_bool(l, element, e);
    if (oc_type_is_integer(type))
        return read_integer(l, type, element, e);
    if (!oc_type_in(type, OC_SET_COMPLEX))
        return read_float(l, type, element, e);
    const oc_type part = type == OC_C64 ? OC_F32 : OC_F64;
    OC_TRY(read_float(l, part, element, e));
    OC_TRY(oc_lex_want(l, ",", e));
    return read_float(l, part, (char *)element + oc_type_size(part), e);
}

static oc_status read_string(oc_lex *l, oc_string *s, oc_arena *arena, oc_error *e)
{
    const char *text;
    OC_TRY(oc_lex_string(l, "a quoted string", &text, &s->size, e));
    s->data = oc_arena_text(arena, text, s->size);
    return oc_arena_check(arena, e);
}

enum { LOOK = 1 << 16 }; /* elements between two looks at the limits */

oc_status oc_literal_read(oc_lex *l, oc_value *v, oc_arena *arena, oc_error *e)
{
    const int64_t n = oc_value_n(v);
    const size_t size = oc_type_size(v->type);
    OC_TRY(oc_lex_want(l, "{", e));
    for (int64_t i = 0; i < n; i++) {
        void *element = (char *)v->data + (size_t)i * size;
        if (i % LOOK == 0)
            OC_TRY(oc_watch_check(arena->memory->watch, e));
        if (i > 0 && !oc_lex_take(l, ","))
            return oc_lex_fail(l, e, "expected ',' and %lld elements in all", (long long)n);
        if (v->type == OC_STRING)
            OC_TRY(read_string(l, element, arena, e));
        else
            OC_TRY(oc_literal_element(l, v->type, element, e));
    }
    if (!oc_lex_take(l, "}"))
        return oc_lex_fail(l, e, "expected '}' after %lld elements", (long long)n);
    return OC_OK;
}

/* ---- writing ---- */

static int64_t sign_extended(oc_type type, uint64_t bits)
{
    switch (oc_type_size(type)) {
    case 1:
        return (int8_t)bits;
    case 2:
        return (int16_t)bits;
    case 4:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

/* Returns the bits that read_float reads from a text that is not of the form "nan(...)". */
static uint64_t parse_bits(oc_type type, const char *text)
{
    double d = 0;
    float f = 0;
    uint64_t bits = 0;
    uint32_t low;
    if (type == OC_F32) {
        oc_f32_parse(text, strlen(text), &f);
        memcpy(&low, &f, sizeof low);
        return low;
    }
    oc_f64_parse(text, strlen(text), &d);
    memcpy(&bits, &d, sizeof bits);
    return type == OC_F64 ? bits : small_from_f64(type, d);
}

/* Is a bare integer a code in this type? Then numbers need a point or an exponent. */
static bool has_codes(oc_type type)
{
    return oc_type_in(type, OC_SET_HALF | OC_SET_TINY_FLOAT);
}

/* Writes the text with the fewest digits that reads back to the same bits. A number from 1e-4 to
 * below 1e6 gets more digits rather than an exponent. */
static const char *float_text(oc_type type, uint64_t bits, char text[OC_FLOAT_TEXT])
{
    const int first = type == OC_F64 ? 15 : type == OC_F32 ? 6 : 2, last = type == OC_F64 ? 17 : 9;
    const double x = to_f64(type, bits);
    const bool reads_well = fabs(x) >= 1e-4 && fabs(x) < 1e6;
    for (int digits = first; digits <= last; digits++) {
        if (parse_bits(type, oc_float_digits(x, digits, text)) != bits ||
            (reads_well && strchr(text, 'e')))
            continue;
        if (has_codes(type) && !text[strspn(text, "-0123456789")])
            strcat(text, ".0");
        return text;
    }
    snprintf(text, OC_FLOAT_TEXT, "nan(0x%" PRIx64 ")", bits);
    return text;
}

const char *oc_element_text(oc_type type, const void *data, int64_t i, char text[OC_ELEMENT_TEXT])
{
    if (type == OC_BOOL)
        snprintf(text, OC_ELEMENT_TEXT, "%d", ((const uint8_t *)data)[i] != 0);
    else if (oc_type_is_integer(type) && oc_type_is_signed(type))
        snprintf(text, OC_ELEMENT_TEXT, "%" PRId64, sign_extended(type, load_bits(type, data, i)));
    else if (oc_type_is_integer(type))
        snprintf(text, OC_ELEMENT_TEXT, "%" PRIu64, load_bits(type, data, i));
    else if (oc_type_in(type, OC_SET_COMPLEX)) {
        char part[2][OC_FLOAT_TEXT];
        const oc_type of = type == OC_C64 ? OC_F32 : OC_F64;
        for (int k = 0; k < 2; k++)
            float_text(of, load_bits(of, data, 2 * i + k), part[k]);
        snprintf(text, OC_ELEMENT_TEXT, "%s, %s", part[0], part[1]);
    } else
        float_text(type, load_bits(type, data, i), text);
    return text;
}
