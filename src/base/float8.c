/* SPDX-License-Identifier: Apache-2.0
 * float8.c - floating-point codes of 8 and 4 bits to float, and back with one rounding. */
#include "base/smallfloat.h"

#include "base/element_type.h"

#include <math.h>

/* A format of 8 or 4 bits. max, inf and nan are codes without the sign bit. */
typedef struct format {
    int mantissa, bias;
    uint8_t sign;          /* the sign bit; 0: the format has none */
    uint8_t max, inf, nan; /* largest finite code; inf 0, nan 0: the format has none */
    bool one_zero;         /* there is no -0: its code is the only NaN */
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

/* The code (without sign) of x >= 0 rounded to nearest even, as if the format had no largest value:
 * the result may exceed f->max. x < 2^130. */
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
    int e = x > 0 ? 2000 : -2000; /* Inf and zero lie outside the range of exponents */
    double part = 0.5;
    if (isfinite(x) && x > 0)
        part = frexp(x, &e); /* x = part * 2^e with part in [0.5, 1) */
    const bool up = round == OC_ROUND_UP ? part > 0.5 : round == OC_ROUND_NEAREST && part >= 0.75;
    const int code = e - 1 + up + bias;
    if (code >= 0 && code <= max)
        return (uint8_t)code;
    return (uint8_t)(!saturate ? nan : code > 0 ? max : 0);
}
