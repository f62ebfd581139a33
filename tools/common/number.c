/* SPDX-License-Identifier: Apache-2.0
 * number.c - reads, writes, prints and compares one element of a tensor of any type. */
#include "common/number.h"

#include "base/element_type.h"
#include "base/int.h"
#include "base/smallfloat.h"

#include <math.h>

/* ---- one element ---- */

/* Floats of at most 16 bits. */
static bool is_small_float(oc_type type)
{
    return oc_type_in(type, OC_SET_HALF | OC_SET_TINY_FLOAT);
}

static double decode(oc_type type, uint64_t code)
{
    return (double)(type == OC_F16    ? oc_f16_to_f32((uint16_t)code)
                    : type == OC_BF16 ? oc_bf16_to_f32((uint16_t)code)
                                      : oc_f8_to_f32(type, (uint8_t)code));
}

/* Returns the code of x; see number_set. */
static uint64_t encode(oc_type type, double x)
{
    if (isnan(x))
        x = (double)NAN; /* one code for all NaNs */
    if (type == OC_F8E8M0)
        return oc_e8m0_from_f64(x > 0 || isnan(x) ? x : 0, OC_ROUND_NEAREST, true);
    if (oc_type_is_half(type))
        return type == OC_F16 ? oc_f16_from_f64(x) : oc_bf16_from_f64(x);
    const uint8_t code = oc_f8_from_f64(type, x, false);
    if (isnan(x) == isnan(oc_f8_to_f32(type, code)))
        return code;
    return isnan(x) ? 0 : oc_f8_from_f64(type, x, true); /* the format lacks NaN, or Inf */
}

bool number_is_float(oc_type type)
{
    return type == OC_F32 || type == OC_F64 || is_small_float(type);
}

bool number_is_signed(oc_type type)
{
    return oc_type_is_signed(type);
}

bool number_is_integer(oc_type type)
{
    return oc_type_is_integer(type);
}

bool number_is_float_or_integer(oc_type type)
{
    return number_is_float(type) || number_is_integer(type);
}

bool number_is_real(oc_type type)
{
    return number_is_float_or_integer(type) || type == OC_BOOL;
}

/* Returns element i of size bytes as an unsigned integer. */
static uint64_t raw_bits(const void *data, size_t size, int64_t i)
{
    const char *at = (const char *)data + (size_t)i * size;
    uint8_t u1;
    uint16_t u2;
    uint32_t u4;
    uint64_t u8;
    switch (size) {
    case 1:
        memcpy(&u1, at, size);
        return u1;
    case 2:
        memcpy(&u2, at, size);
        return u2;
    case 4:
        memcpy(&u4, at, size);
        return u4;
    default:
        memcpy(&u8, at, sizeof u8);
        return u8;
    }
}

static void set_bits(void *data, size_t size, int64_t i, uint64_t bits)
{
    char *at = (char *)data + (size_t)i * size;
    const uint8_t u1 = (uint8_t)bits;
    const uint16_t u2 = (uint16_t)bits;
    const uint32_t u4 = (uint32_t)bits;
    memcpy(at,
           size == 1   ? (const void *)&u1
           : size == 2 ? &u2
           : size == 4 ? &u4
                       : (void *)&bits,
           size);
}

int64_t number_signed(oc_type type, const void *data, int64_t i)
{
    const size_t size = oc_type_size(type);
    const uint64_t bits = raw_bits(data, size, i);
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    if (!number_is_signed(type) || !(bits & top))
        return (int64_t)bits;
    return -(int64_t)(~(bits | ~(top - 1))) - 1;
}

uint64_t number_unsigned(oc_type type, const void *data, int64_t i)
{
    return raw_bits(data, oc_type_size(type), i);
}

double number_get(oc_type type, const void *data, int64_t i)
{
    /* common types come first, for speed: pictures are converted sample by sample */
    switch (type) {
    case OC_F32:
        return ((const float *)data)[i];
    case OC_F64:
        return ((const double *)data)[i];
    case OC_U8:
        return ((const uint8_t *)data)[i];
    case OC_C64:
        return ((const float *)data)[2 * i];
    case OC_C128:
        return ((const double *)data)[2 * i];
    case OC_STRING:
        return 0;
    default:
        break;
    }
    const uint64_t bits = number_unsigned(type, data, i);
    if (is_small_float(type))
        return decode(type, bits);
    return number_is_signed(type) ? (double)number_signed(type, data, i) : (double)bits;
}

static void set_integer(oc_type type, void *data, int64_t i, double x)
{
    const int bits = oc_type_bits(type) - (number_is_signed(type) ? 1 : 0);
    const double end = ldexp(1, bits), start = number_is_signed(type) ? -end : 0;
    const double whole = nearbyint(x);
    uint64_t value;
    if (!(whole > start)) /* also true for NaN, which becomes 0 */
        value = isnan(x) || start == 0 ? 0 : (uint64_t)1 << 63 >> (63 - bits);
    else if (whole >= end)
        value = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    else
        value = whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
    if (!isnan(x) && whole <= start && start < 0)
        value = ~(value - 1); /* -2^bits in two's complement */
    set_bits(data, oc_type_size(type), i, value);
}

void number_set(oc_type type, void *data, int64_t i, double x)
{
    if (type == OC_F32)
        ((float *)data)[i] = (float)x;
    else if (is_small_float(type))
        set_bits(data, oc_type_size(type), i, encode(type, x));
    else if (type == OC_F64)
        ((double *)data)[i] = x;
    else if (type == OC_C64)
        ((float *)data)[2 * i] = (float)x;
    else if (type == OC_C128)
        ((double *)data)[2 * i] = x;
    else if (type == OC_BOOL)
        ((uint8_t *)data)[i] = x != 0;
    else if (type != OC_STRING)
        set_integer(type, data, i, x);
}

/* ---- text ---- */

int number_digits(oc_type type)
{
    return type == OC_F64 || type == OC_C128 ? 17 : 9;
}

double number_unsigned_nan(double x)
{
    return isnan(x) ? fabs(x) : x;
}

const char *number_text(oc_type type, const void *data, int64_t i, int precision,
                        char text[NUMBER_TEXT])
{
    if (type == OC_STRING) {
        const oc_string *s = (const oc_string *)data + i;
        const int size = s->size < 40 ? (int)s->size : 40;
        snprintf(text, NUMBER_TEXT, "\"%.*s\"%s", size, size ? s->data : "",
                 s->size > 40 ? "..." : "");
    } else if (type == OC_C64 || type == OC_C128) {
        const oc_type part = type == OC_C64 ? OC_F32 : OC_F64;
        snprintf(text, NUMBER_TEXT, "%.*g%+.*gi", precision,
                 number_unsigned_nan(number_get(part, data, 2 * i)), precision,
                 number_unsigned_nan(number_get(part, data, 2 * i + 1)));
    } else if (number_is_float(type)) {
        snprintf(text, NUMBER_TEXT, "%.*g", precision,
                 number_unsigned_nan(number_get(type, data, i)));
    } else if (number_is_signed(type)) {
        snprintf(text, NUMBER_TEXT, "%" PRId64, number_signed(type, data, i));
    } else {
        snprintf(text, NUMBER_TEXT, "%" PRIu64, number_unsigned(type, data, i));
    }
    return text;
}

const char *number_time(double ms, char text[NUMBER_TEXT])
{
    const bool in_us = ms < 0.1;
    snprintf(text, NUMBER_TEXT, in_us ? "%.3g us" : "%.3f ms", in_us ? 1e3 * ms : ms);
    return text;
}

/* ---- distance ---- */

/* Returns a float's code as an integer, in the order of the values; both zeros become 0. */
static int64_t ordered_code(oc_type type, const void *data, int64_t i)
{
    const uint64_t bits = number_unsigned(type, data, i);
    const uint64_t sign = (uint64_t)1 << (oc_type_bits(type) - 1);
    const int64_t magnitude = (int64_t)(bits & (sign - 1));
    return type == OC_F8E8M0 ? (int64_t)bits : bits & sign ? -magnitude : magnitude;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

uint64_t number_ulp(oc_type type, const void *a, int64_t i, const void *b, int64_t j)
{
    if (type == OC_C64 || type == OC_C128) {
        const oc_type part = type == OC_C64 ? OC_F32 : OC_F64;
        const uint64_t re = number_ulp(part, a, 2 * i, b, 2 * j);
        const uint64_t im = number_ulp(part, a, 2 * i + 1, b, 2 * j + 1);
        return oc_max(re, im);
    }
    if (number_is_float(type)) {
        const bool a_nan = isnan(number_get(type, a, i)), b_nan = isnan(number_get(type, b, j));
        if (a_nan || b_nan)
            return a_nan && b_nan ? 0 : UINT64_MAX;
        return distance(ordered_code(type, a, i), ordered_code(type, b, j));
    }
    if (number_is_signed(type))
        return distance(number_signed(type, a, i), number_signed(type, b, j));
    const uint64_t x = number_unsigned(type, a, i), y = number_unsigned(type, b, j);
    return x > y ? x - y : y - x;
}

const char *number_ulp_text(uint64_t ulp, char text[NUMBER_TEXT])
{
    snprintf(text, NUMBER_TEXT, ulp == UINT64_MAX ? "NaN" : "%" PRIu64, ulp);
    return text;
}
