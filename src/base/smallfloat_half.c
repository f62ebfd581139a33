/* SPDX-License-Identifier: Apache-2.0
 * smallfloat_half.c - float16 and bfloat16 codes to float, and back with one rounding. */
#include "base/smallfloat.h"

#include <string.h>

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
    if (rest >= 0x7c00) /* Inf, or NaN, which keeps its payload */
        return from_bits(sign | 0x7f800000 | (rest - 0x7c00) << 13);
    if (rest >= 0x0400)
        return from_bits(sign | ((rest << 13) + ((127 - 15) << 23)));
    const float tiny = (float)rest * 0x1p-24f;
    return sign ? -tiny : tiny;
}

/* x shifted right by n <= 63 bits, rounded to nearest even. */
static uint64_t shift_round(uint64_t x, int n)
{
    if (n == 0)
        return x;
    const uint64_t half = UINT64_C(1) << (n - 1), rest = x & (2 * half - 1);
    x >>= n;
    return x + (rest > half || (rest == half && (x & 1)));
}

/* An IEEE format: bits of the mantissa field, and the bias of the exponent field above it. */
typedef struct format {
    int mantissa, bias;
} format;

static uint16_t narrow(uint64_t bits, format from, int width, format to)
{
    const uint64_t top = UINT64_C(1) << (width - 1);
    const uint16_t sign = bits & top ? 0x8000 : 0;
    const uint32_t infinity = (0x7fffu >> to.mantissa) << to.mantissa;
    const uint64_t rest = bits & (top - 1);
    const uint64_t wide_infinity = (top - 1) >> from.mantissa << from.mantissa;
    if (rest > wide_infinity) /* NaN: keep the payload's top bits, and a bit that excludes Inf */
        return (uint16_t)(sign | infinity | (1u << (to.mantissa - 1)) |
                          ((rest - wide_infinity) >> (from.mantissa - to.mantissa)));
    const int exponent = (int)(rest >> from.mantissa);
    const uint64_t one = UINT64_C(1) << from.mantissa;
    const uint64_t mantissa = (rest & (one - 1)) | (exponent ? one : 0);
    const int field = (exponent ? exponent : 1) - from.bias + to.bias; /* target's exponent */
    int drop = from.mantissa - to.mantissa;
    if (field < 1)
        drop += 1 - field;
    if (drop > 62)
        return sign;
    uint64_t code = shift_round(mantissa, drop);
    if (field > 1) /* the leading bit of code already adds 1 to the exponent field */
        code += (uint64_t)(field - 1) << to.mantissa;
    return (uint16_t)(sign | (code < infinity ? code : infinity));
}

static const format f16 = {10, 15}, bf16 = {7, 127}, f32 = {23, 127}, f64 = {52, 1023};

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
