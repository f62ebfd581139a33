/* SPDX-License-Identifier: Apache-2.0
 * cast.c - Cast and CastLike: any element type to any other, strings included.
 *
 * tensor/convert.h converts numbers. A string is a number in any notation that base/number.h reads
 * ("INF" and "NaN" in any case), with or without white space around it; any other is an error. A
 * string of digits alone is read as an integer, and a narrower type takes its low bits. Any other
 * number, and one of more than 64 bits, is read as a float and converted as such. A number becomes
 * the shortest text that reads back to it (one of 8 bits or less: to the same float), with "INF",
 * "-INF" and "NaN". round_mode affects float8e8m0 only. */
#include "ops/kit/layout.h"

#include "base/number.h"
#include "kernels/elementwise/cast.h"

#include <float.h>
#include <math.h>

enum { TEXT_WORK = 1 << 12 }; /* products that take as long as a number from or to text */

/* How values that the target type lacks are replaced: attributes saturate and round_mode. */
typedef struct rounding {
    bool saturate;
    int mode; /* oc_round */
} rounding;

/* Converts n numbers; neither type is string. */
static void convert(void *to, oc_type type, const void *from, oc_type from_type, int64_t n,
                    rounding r)
{
    if (type == OC_F8E8M0)
        oc_convert_e8m0(to, from, from_type, n, (oc_round)r.mode, r.saturate);
    else
        oc_convert(to, type, from, from_type, n, r.saturate);
}

/* ---- strings to numbers ---- */

/* Reads digits with a sign as the bits of a 64-bit integer; *type becomes its type. */
static bool parse_integer(oc_string s, uint64_t *bits, oc_type *type)
{
    const bool negative = s.size && s.data[0] == '-';
    size_t i = negative || (s.size && s.data[0] == '+');
    uint64_t v = 0;
    if (i == s.size)
        return false;
    for (; i < s.size; i++) {
        const unsigned digit = (unsigned)(s.data[i] - '0');
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *bits = negative ? 0 - v : v;
    *type = !negative && v > INT64_MAX ? OC_U64 : OC_I64;
    return !negative || v <= (uint64_t)INT64_MAX + 1;
}

static bool from_string(oc_string s, void *to, oc_type type, rounding r)
{
    uint64_t bits;
    double number;
    oc_type from;
    if (oc_type_is_integer(type) && parse_integer(s, &bits, &from))
        convert(to, type, &bits, from, 1, r);
    else if (type == OC_F32 && oc_f32_parse(s.data, s.size, to)) /* rounded once */
        return true;
    else if (oc_f64_parse(s.data, s.size, &number))
        convert(to, type, &number, OC_F64, 1, r);
    else
        return false;
    return true;
}

static bool is_space(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

static oc_string trimmed(oc_string s)
{
    while (s.size && is_space(s.data[0]))
        s = (oc_string){s.data + 1, s.size - 1};
    while (s.size && is_space(s.data[s.size - 1]))
        s.size--;
    return s;
}

static oc_status from_strings(oc_call *c, const oc_string *s, void *to, oc_type type, int64_t n,
                              rounding r)
{
    OC_CALL_LOOP (c, k, n, 64)
        if (!from_string(trimmed(s[k]), (char *)to + (size_t)k * oc_type_size(type), type, r))
            return oc_fail(c, OC_VALUE, "element %" PRId64 " is '%.*s', expected a number", k,
                           (int)(oc_min(s[k].size, 40)), s[k].data);
    return OC_OK;
}

/* ---- numbers to strings ---- */

/* Writes the shortest text of a float16 or bfloat16; FLT_DIG digits always tell two of them
 * apart. */
static void half_text(oc_type type, double x, char text[OC_FLOAT_TEXT])
{
    double shortest = x, back = x + 1;
    for (int digits = 1; digits < FLT_DIG && back != x; digits++) {
        uint16_t code;
        oc_float_digits(x, digits, text);
        oc_f64_parse(text, strlen(text), &shortest);
        oc_convert(&code, type, &shortest, OC_F64, 1, true);
        oc_convert(&back, OC_F64, &code, type, 1, true);
    }
    oc_float_digits(shortest, FLT_DIG, text);
}

static void number_text(oc_type type, const void *data, int64_t k, char text[OC_FLOAT_TEXT])
{
    const double x = oc_element_f64(type, data, k);
    if (type == OC_U64)
        snprintf(text, OC_FLOAT_TEXT, "%" PRIu64, ((const uint64_t *)data)[k]);
    else if (type == OC_I64)
        snprintf(text, OC_FLOAT_TEXT, "%" PRId64, ((const int64_t *)data)[k]);
    else if (oc_type_is_integer(type) || type == OC_BOOL)
        snprintf(text, OC_FLOAT_TEXT, "%.0f", x);
    else if (!isfinite(x))
        strcpy(text, isnan(x) ? "NaN" : x > 0 ? "INF" : "-INF");
    else if (type == OC_F64)
        oc_f64_text(x, text);
    else if (oc_type_is_half(type))
        half_text(type, x, text);
    else
        oc_f32_text((float)x, text);
}

static oc_status to_strings(oc_call *c, oc_string *to, const void *from, oc_type type, int64_t n)
{
    OC_CALL_LOOP (c, k, n, 64) {
        char text[OC_FLOAT_TEXT];
        number_text(type, from, k, text);
        to[k] = (oc_string){oc_keep_string(c, text, strlen(text)), strlen(text)};
        if (!to[k].data)
            return oc_call_error(c)->code;
    }
    return OC_OK;
}

/* ---- numbers to numbers ---- */

typedef struct pair {
    oc_type to, from;
    rounding r;
    unsigned cpu;
} pair;

static void convert_row(void *y, const void *const x[], OC_UNUSED const int64_t step[], int64_t n,
                        const void *ctx)
{
    const pair *p = ctx;
    if (!oc_cast(p->cpu, y, p->to, x[0], p->from, n))
        convert(y, p->to, x[0], p->from, n, p->r);
}

/* ---- the operators ---- */

/* Elements stay where they are, if both types have the layout. */
static void cast_layouts(oc_call *c, oc_layouts *l)
{
    const oc_value *x = oc_in(c, 0), *y = oc_out(c, 0);
    l->out = oc_nchw16c_fits(x->type, &x->dims) && oc_nchw16c_fits(y->type, &y->dims);
    l->blocked = l->out;
    l->either = oc_n_in(c) > 1 ? 2 : 0;
}

static oc_status cast_run(oc_call *c)
{
    static const char *const modes[] = {"up", "down", "nearest", NULL}; /* as oc_round */
    oc_value in = *oc_in(c, 0), out = *oc_out(c, 0);
    if (oc_is_nchw16c(&out)) {
        in = oc_value_in_memory(&in);
        out = oc_value_in_memory(&out);
    }
    const oc_value *x = &in;
    oc_value *y = &out;
    const int64_t n = oc_value_n(x);
    rounding r = {.saturate = !oc_attr_has(c, "saturate") || oc_attr_int(c, "saturate")};
    if (oc_attr_has(c, "round_mode"))
        OC_TRY(oc_attr_enum(c, "round_mode", modes, &r.mode));
    if (x->type == y->type)
        oc_call_copy(c, y->data, x->data, oc_value_bytes(x));
    else if (x->type == OC_STRING)
        return from_strings(c, x->data, y->data, y->type, n, r);
    else if (y->type == OC_STRING)
        return to_strings(c, y->data, x->data, x->type, n);
    else
        oc_call_map(c, y, &x, 1, convert_row, &(pair){y->type, x->type, r, oc_call_cpu(c)});
    return OC_OK;
}

static bool cast_adds(oc_call *c, int64_t *pads)
{
    return !pads && oc_in(c, 0)->type == oc_out(c, 0)->type;
}

static oc_status cast_shape(oc_call *c)
{
    const int64_t to = oc_attr_int(c, "to");
    if (!oc_type_is_listed(to))
        return oc_fail(c, OC_VALUE, "attribute 'to' is %" PRId64 ", expected a data type's number",
                       to);
    return oc_set_out(c, 0, (oc_type)to, &oc_in(c, 0)->dims);
}

/* In Cast-1 the attribute is the name of the type. */
static oc_status cast_1_shape(oc_call *c)
{
    const oc_string to = oc_attr_string(c, "to");
    char lower[16] = "";
    for (size_t i = 0; i < to.size && i < sizeof lower - 1; i++)
        lower[i] = (char)(to.data[i] >= 'A' && to.data[i] <= 'Z' ? to.data[i] + 32 : to.data[i]);
    const oc_type type = oc_type_find(lower, to.size < sizeof lower ? to.size : 0);
    if (!type)
        return oc_fail(c, OC_VALUE, "attribute 'to' is '%.*s', expected a data type's name",
                       (int)oc_min(to.size, 40), to.data);
    return oc_set_out(c, 0, type, &oc_in(c, 0)->dims);
}

OC_CALL_FN(cast_like_shape, oc_set_out(c, 0, oc_in(c, 1)->type, &oc_in(c, 0)->dims))

/* clang-format off */
#define T6  "numeric bool"
#define T9  "real"
#define T13 "real_ir4"
#define T19 "real_ir9"
#define T21 "real_ir10"
#define T23 "real_ir11"
#define T24 "real_ir12"
#define T25 "real_ir13"
#define SATURATE ", int saturate+ = 1"
#define ROUND    ", string round_mode+ = \"up\""
#define CAST(attrs, set) "Cast <" attrs "> (T1 input) => (T2 output) | T1: " set "; T2: " set
#define LIKE(attrs, set)                                                                           \
    "CastLike " attrs "(T1 input, T2 target_type) => (T2 output) | T1: " set "; T2: " set
#define RUN cast_run, OC_TRAITS(.layouts = cast_layouts, .adds = cast_adds)
const oc_op oc_ops_cast[] = {
    {25, CAST("int to@T2" SATURATE ROUND, T25), cast_shape, RUN},
    {24, CAST("int to@T2" SATURATE ROUND, T24), cast_shape, RUN},
    {23, CAST("int to@T2" SATURATE, T23),       cast_shape, RUN},
    {21, CAST("int to@T2" SATURATE, T21),       cast_shape, RUN},
    {19, CAST("int to@T2" SATURATE, T19),       cast_shape, RUN},
    {13, CAST("int to@T2", T13),                cast_shape, RUN},
    { 9, CAST("int to@T2", T9),                 cast_shape, RUN},
    { 6, CAST("int to@T2", T6),                 cast_shape, RUN},
    { 1, CAST("string to", T6),              cast_1_shape, RUN},
    {25, LIKE("<int saturate+ = 1" ROUND "> ", T25), cast_like_shape, RUN},
    {24, LIKE("<int saturate+ = 1" ROUND "> ", T24), cast_like_shape, RUN},
    {23, LIKE("<int saturate+ = 1> ", T23),          cast_like_shape, RUN},
    {21, LIKE("<int saturate+ = 1> ", T21),          cast_like_shape, RUN},
    {19, LIKE("<int saturate+ = 1> ", T19),          cast_like_shape, RUN},
    {15, LIKE("", T13),                             cast_like_shape, RUN},
    {0}
};
