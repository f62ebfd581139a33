/* SPDX-License-Identifier: Apache-2.0
 * cast.c - Cast and CastLike: any element type to any other, strings included.
 *
 * Numbers convert by tensor/convert.h. A string is read as a number in any notation C knows, "INF"
 * and "NaN" in any case; one that is no number is an error. A number becomes the shortest text that
 * reads back to it. round_mode concerns float8e8m0 alone. */
#include "ops/op.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- float8e8m0 by round_mode ----
 *
 * A power of two, 2^-127 to 2^127: up and down are the next ones, nearest takes the upper one of a
 * tie. What is no such power after rounding becomes the nearer end, or NaN when not saturated; zero
 * is below the least. Negative numbers are NaN. */

enum { UP, DOWN, NEAREST };

static uint8_t e8m0_code(double x, int mode, bool saturate)
{
    if (isnan(x) || x < 0)
        return 0xff;
    int power = -1000;
    double part = 0;
    if (isinf(x)) {
        power = 1000;
    } else if (x > 0) {
        part = 2 * frexp(x, &power);
        power--;
    }
    power += mode == UP ? part > 1 : mode == NEAREST && part >= 1.5;
    if (power >= -127 && power <= 127)
        return (uint8_t)(power + 127);
    return !saturate ? 0xff : power > 0 ? 0xfe : 0;
}

/* Element k, rounded to odd where a double cannot hold it, so that it lies between the same powers
 * of two and on the same side of their middle. */
static double odd_element(oc_type type, const void *data, int64_t k)
{
    uint64_t u;
    if (type == OC_I64 && ((const int64_t *)data)[k] > 0)
        u = (uint64_t)((const int64_t *)data)[k];
    else if (type == OC_U64)
        u = ((const uint64_t *)data)[k];
    else
        return oc_element_f64(type, data, k);
    const uint64_t low = (1u << 11) - 1;
    return u >> 53 && u & low ? (double)((u & ~low) | (low + 1)) : (double)u;
}

static void to_e8m0(uint8_t *to, const void *from, oc_type type, int64_t n, int mode, bool saturate)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = e8m0_code(odd_element(type, from, k), mode, saturate);
}

/* ---- strings to numbers ---- */

static bool is_integer(oc_type type)
{
    return oc_type_in(type, OC_SET_SIGNED | OC_SET_UNSIGNED | OC_SET_TINY_INT);
}

/* Digits with a sign: exact for 64-bit integers, where a double is not. */
static bool parse_i64(oc_string s, int64_t *value)
{
    uint64_t v = 0;
    size_t i = s.size && (s.data[0] == '-' || s.data[0] == '+');
    if (i == s.size)
        return false;
    for (; i < s.size; i++) {
        const unsigned digit = (unsigned)(s.data[i] - '0');
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = (int64_t)(s.data[0] == '-' ? 0 - v : v); /* uint64 keeps its bits */
    return s.data[0] == '-' ? v <= (uint64_t)INT64_MAX + 1 : true;
}

static oc_status from_strings(oc_call *c, const oc_string *s, oc_value *y, int mode, bool saturate)
{
    const oc_type type = y->type;
    const int64_t n = oc_value_n(y);
    const size_t elem = oc_type_size(type);
    for (int64_t k = 0; k < n; k++) {
        char *at = (char *)y->data + (size_t)k * elem;
        int64_t whole;
        double number;
        if (is_integer(type) && parse_i64(s[k], &whole))
            oc_convert(at, type, &whole, type == OC_U64 ? OC_U64 : OC_I64, 1, saturate);
        else if (!oc_f64_parse(s[k].data, s[k].size, &number))
            return oc_fail(c, OC_VALUE, "element %" PRId64 " is '%.*s', expected a number", k,
                           (int)(s[k].size < 40 ? s[k].size : 40), s[k].data);
        else if (type == OC_F8E8M0)
            to_e8m0((uint8_t *)at, &number, OC_F64, 1, mode, saturate);
        else
            oc_convert(at, type, &number, OC_F64, 1, saturate);
    }
    return OC_OK;
}

/* ---- numbers to strings ---- */

static void number_text(oc_type type, const void *data, int64_t k, char text[OC_FLOAT_TEXT])
{
    if (type == OC_U64)
        snprintf(text, OC_FLOAT_TEXT, "%" PRIu64, ((const uint64_t *)data)[k]);
    else if (type == OC_I64)
        snprintf(text, OC_FLOAT_TEXT, "%" PRId64, ((const int64_t *)data)[k]);
    else if (type == OC_F64)
        oc_f64_text(((const double *)data)[k], text);
    else if (is_integer(type) || type == OC_BOOL)
        snprintf(text, OC_FLOAT_TEXT, "%.0f", oc_element_f64(type, data, k));
    else
        oc_f32_text((float)oc_element_f64(type, data, k), text);
}

static const char *special_text(double x)
{
    return isnan(x) ? "NaN" : isinf(x) ? (x > 0 ? "INF" : "-INF") : NULL;
}

static oc_status to_strings(oc_call *c, oc_string *to, const void *from, oc_type type, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        char text[OC_FLOAT_TEXT];
        const char *special = special_text(oc_element_f64(type, from, k));
        if (!special)
            number_text(type, from, k, text);
        const char *all = special ? special : text;
        to[k] = (oc_string){oc_keep_string(c, all, strlen(all)), strlen(all)};
        if (!to[k].data)
            return oc_call_error(c)->code;
    }
    return OC_OK;
}

/* ---- the operators ---- */

static oc_status cast_run(oc_call *c)
{
    static const char *const modes[] = {"up", "down", "nearest", NULL};
    const oc_value *x = oc_in(c, 0);
    oc_value *y = oc_out(c, 0);
    const int64_t n = oc_value_n(x);
    const bool saturate = !oc_attr_has(c, "saturate") || oc_attr_int(c, "saturate");
    int mode = UP;
    if (oc_attr_has(c, "round_mode"))
        OC_TRY(oc_attr_enum(c, "round_mode", modes, &mode));
    if (x->type == y->type)
        memcpy(y->data, x->data, oc_value_bytes(x));
    else if (x->type == OC_STRING)
        return from_strings(c, x->data, y, mode, saturate);
    else if (y->type == OC_STRING)
        return to_strings(c, y->data, x->data, x->type, n);
    else if (y->type == OC_F8E8M0)
        to_e8m0(y->data, x->data, x->type, n, mode, saturate);
    else
        oc_convert(y->data, y->type, x->data, x->type, n, saturate);
    return OC_OK;
}

static oc_status cast_shape(oc_call *c)
{
    const int64_t to = oc_attr_int(c, "to");
    if (!oc_type_is_listed(to))
        return oc_fail(c, OC_VALUE, "attribute 'to' is %" PRId64 ", expected a data type's number",
                       to);
    return oc_set_out(c, 0, (oc_type)to, oc_in(c, 0)->dims);
}

/* Cast-1 names the type. */
static oc_status cast_1_shape(oc_call *c)
{
    const oc_string to = oc_attr_string(c, "to");
    char lower[16] = "";
    for (size_t i = 0; i < to.size && i < sizeof lower - 1; i++)
        lower[i] = (char)(to.data[i] >= 'A' && to.data[i] <= 'Z' ? to.data[i] + 32 : to.data[i]);
    const oc_type type = oc_type_find(lower, to.size < sizeof lower ? to.size : 0);
    if (!type)
        return oc_fail(c, OC_VALUE, "attribute 'to' is '%.*s', expected a data type's name",
                       (int)(to.size < 40 ? to.size : 40), to.data);
    return oc_set_out(c, 0, type, oc_in(c, 0)->dims);
}

static oc_status cast_like_shape(oc_call *c)
{
    return oc_set_out(c, 0, oc_in(c, 1)->type, oc_in(c, 0)->dims);
}

/* clang-format off */
#define T6  "numeric bool"
#define T9  "numeric bool string"
#define T13 "numeric_ir4 bool string"
#define T19 T13 " float8"
#define T21 T19 " uint4 int4"
#define T23 T21 " float4e2m1"
#define T24 T23 " float8e8m0"
#define T25 T24 " uint2 int2"
#define SATURATE ", int saturate = 1"
#define ROUND    ", string round_mode = \"up\""
#define CAST(attrs, set) "Cast <" attrs "> (T1 input) => (T2 output) | T1: " set "; T2: " set
#define LIKE(attrs, set)                                                                           \
    "CastLike " attrs "(T1 input, T2 target_type) => (T2 output) | T1: " set "; T2: " set
const oc_op oc_ops_cast[] = {
    {25, CAST("int to" SATURATE ROUND, T25), cast_shape, cast_run},
    {24, CAST("int to" SATURATE ROUND, T24), cast_shape, cast_run},
    {23, CAST("int to" SATURATE, T23),       cast_shape, cast_run},
    {21, CAST("int to" SATURATE, T21),       cast_shape, cast_run},
    {19, CAST("int to" SATURATE, T19),       cast_shape, cast_run},
    {13, CAST("int to", T13),                cast_shape, cast_run},
    { 9, CAST("int to", T9),                 cast_shape, cast_run},
    { 6, CAST("int to", T6),                 cast_shape, cast_run},
    { 1, CAST("string to", T6),              cast_1_shape, cast_run},
    {25, LIKE("<int saturate = 1" ROUND "> ", T25), cast_like_shape, cast_run},
    {24, LIKE("<int saturate = 1" ROUND "> ", T24), cast_like_shape, cast_run},
    {23, LIKE("<int saturate = 1> ", T23),          cast_like_shape, cast_run},
    {21, LIKE("<int saturate = 1> ", T21),          cast_like_shape, cast_run},
    {19, LIKE("<int saturate = 1> ", T19),          cast_like_shape, cast_run},
    {15, LIKE("", T13),                             cast_like_shape, cast_run},
    {0}
};
/* clang-format on */
