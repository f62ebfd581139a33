/* SPDX-License-Identifier: Apache-2.0
 * smallfloat.c - converts codes of 16, 8 and 4 bits to float, and back with one rounding. */
#include "base/smallfloat.h"

#include "base/element_type.h"
#include "base/int.h"

#include <math.h>
#include <string.h>

/* ---- float16 and bfloat16 ---- */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float oc_f16_to_f32(uint16_t code)
{
    const uint32_t sign = (uint32_t)(code & 0x8000) << 16;
    const uint32_t rest = code & 0x7fff;
    if (rest >= 0x7c00) /* Inf stays Inf, and a NaN keeps its payload */
        return from_bits(sign | 0x7f800000 | (rest - 0x7c00) << 13);
    if (rest >= 0x0400)
        return from_bits(sign | ((rest << 13) + ((127 - 15) << 23)));
    const float tiny = (float)rest * 0x1p-24f;
    return sign ? -tiny : tiny;
}

/* Returns x shifted right by n <= 63 bits, rounded to nearest even. */
static uint64_t shift_round(uint64_t x, int n)
{
    if (n == 0)
        return x;
    const uint64_t half = UINT64_C(1) << (n - 1), rest = x & (2 * half - 1);
    x >>= n;
    return x + (rest > half || (rest == half && (x & 1)));
}

/* An IEEE format: the number of bits of its mantissa field, and the bias of the exponent field
 * above it. */
typedef struct ieee {
    int mantissa, bias;
} ieee;

static uint16_t narrow(uint64_t bits, ieee from, int width, ieee to)
{
    const uint64_t top = UINT64_C(1) << (width - 1);
    const uint16_t sign = bits & top ? 0x8000 : 0;
    const uint32_t infinity = (0x7fffu >> to.mantissa) << to.mantissa;
    const uint64_t rest = bits & (top - 1);
    const uint64_t wide_infinity = (top - 1) >> from.mantissa << from.mantissa;
    /* a NaN keeps the top bits of its payload, and one more bit keeps it from becoming Inf */
    if (rest > wide_infinity)
        return (uint16_t)(sign | infinity | (1u << (to.mantissa - 1)) |
                          ((rest - wide_infinity) >> (from.mantissa - to.mantissa)));
    const int exponent = (int)(rest >> from.mantissa);
    const uint64_t one = UINT64_C(1) << from.mantissa;
    const uint64_t mantissa = (rest & (one - 1)) | (exponent ? one : 0);
    /* the exponent field of the target */
    const int field = (exponent ? exponent : 1) - from.bias + to.bias;
    int drop = from.mantissa - to.mantissa;
    if (field < 1)
        drop += 1 - field;
    if (drop > 62)
        return sign;
    uint64_t code = shift_round(mantissa, drop);
    if (field > 1) /* the leading bit of code already adds 1 to the exponent field */
        code += (uint64_t)(field - 1) << to.mantissa;
    return (uint16_t)(sign | oc_min(code, infinity));
}

static const ieee f16 = {10, 15}, bf16 = {7, 127}, f32 = {23, 127}, f64 = {52, 1023};

uint16_t oc_f16_from_f32(float x)
{
    return narrow(bits_of(x), f32, 32, f16);
}

uint16_t oc_f16_from_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return narrow(bits, f64, 64, f16);
}

float oc_bf16_to_f32(uint16_t code)
{
    return from_bits((uint32_t)code << 16);
}

uint16_t oc_bf16_from_f32(float x)
{
    return narrow(bits_of(x), f32, 32, bf16);
}

uint16_t oc_bf16_from_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return narrow(bits, f64, 64, bf16);
}

/* ---- 8 and 4 bits ---- */

/* A format of 8 or 4 bits. max, inf and nan are codes without their sign bit. */
typedef struct format {
    int mantissa, bias;
    uint8_t sign; /* the sign bit; 0 when the format is unsigned */
    /* Codes of the largest finite number, of Inf and of NaN. inf 0 or nan 0: the format has no
     * such code. */
    uint8_t max, inf, nan;
    bool one_zero; /* true: there is no -0, whose code is the format's only NaN */
} format;

/* clang-format off */
#define FORMATS(X)                                                                                 \
    X(F8E4M3FN,   3,   8 - 1, 0x80, 0x7e, 0,    0x7f, false)                                       \
    X(F8E4M3FNUZ, 3,   8,     0x80, 0x7f, 0,    0x80, true)                                        \
    X(F8E5M2,     2,  16 - 1, 0x80, 0x7b, 0x7c, 0x7f, false)                                       \
    X(F8E5M2FNUZ, 2,  16,     0x80, 0x7f, 0,    0x80, true)                                        \
    X(F8E8M0,     0, 128 - 1, 0,    0xfe, 0,    0xff, false)                                       \
    X(F4E2M1,     1,   2 - 1, 0x08, 0x07, 0,    0,    false)
/* clang-format on */
_Static_assert((0 FORMATS(OC_OR_TYPE)) == OC_SET_TINY_FLOAT, "each float of a byte has a format");

#define FORMAT(name, ...) [OC_##name] = {__VA_ARGS__},
static const format formats[OC_N_TYPES] = {FORMATS(FORMAT)};

float oc_f8_to_f32(oc_type type, uint8_t code)
{
    const format *f = &formats[type];
    if (f->one_zero && code == f->nan)
        return NAN;
    const bool negative = code & f->sign;
    const int rest = f->sign ? code & (f->sign - 1) : code, unit = 1 << f->mantissa;
    const int field = rest >> f->mantissa, low = rest & (unit - 1);
    float x;
    if (rest > f->max)
        x = f->inf && rest == f->inf ? INFINITY : NAN;
    else if (type == OC_F8E8M0)
        x = ldexpf(1, rest - f->bias);
    else if (field)
        x = ldexpf((float)(low + unit), field - f->bias - f->mantissa);
    else
        x = ldexpf((float)low, 1 - f->bias - f->mantissa);
    return negative ? -x : x;
}

/* Returns the code, without sign, of x >= 0 rounded to nearest even, as if the format had no
 * largest value: the result may exceed f->max. x < 2^130. */
static int round_code(const format *f, double x)
{
    const int least = 1 - f->bias;
    if (x < ldexp(1, least - f->mantissa - 1))
        return 0;
    int e = ilogb(x);
    if (e < least)
        e = least;
    const double m = ldexp(x, f->mantissa - e), below = floor(m);
    const int code = ((e + f->bias - 1) * (1 << f->mantissa)) + (int)below;
    const bool up = m - below > 0.5 || (m - below == 0.5 && code % 2 != 0);
    return code + up;
}

uint8_t oc_f8_from_f64(oc_type type, double x, bool saturate)
{
    if (type == OC_F8E8M0)
        return oc_e8m0_from_f64(x, OC_ROUND_NEAREST, saturate);
    const format *f = &formats[type];
    const uint8_t sign = signbit(x) ? f->sign : 0;
    if (isnan(x))
        return !f->nan ? f->sign /* a format without NaN stores -0, as ONNX's test data expect */
               : f->one_zero ? f->nan
                             : (uint8_t)(f->nan | sign);
    const double magnitude = fabs(x);
    const int code = magnitude < 0x1p130 ? round_code(f, magnitude) : 0x100;
    if (code == 0 && f->one_zero)
        return 0;
    if (code <= f->max)
        return (uint8_t)(code | sign);
    if (saturate || !f->nan)
        return f->max | sign;
    return f->one_zero ? f->nan : (uint8_t)((f->inf ? f->inf : f->nan) | sign);
}

bool oc_f8_has(oc_type type, double x)
{
    const format *f = &formats[type];
    return f->nan ? isfinite(oc_f8_to_f32(type, oc_f8_from_f64(type, x, false)))
                  : round_code(f, fabs(x)) <= f->max;
}

uint8_t oc_e8m0_from_f64(double x, oc_round round, bool saturate)
{
    const int bias = 127, max = 0xfe, nan = 0xff;
    if (isnan(x) || x < 0)
        return (uint8_t)nan;
    int e = x > 0 ? 2000 : -2000; /* Inf and zero get an exponent outside of every format's range */
    double part = 0.5;
    if (isfinite(x) && x > 0)
        part = frexp(x, &e); /* x = part * 2^e with part in [0.5, 1) */
    const bool up = round == OC_ROUND_UP ? part > 0.5 : round == OC_ROUND_NEAREST && part >= 0.75;
    const int code = e - 1 + up + bias;
    if (code >= 0 && code <= max)
        return (uint8_t)code;
    return (uint8_t)(!saturate ? nan : code > 0 ? max : 0);
}
