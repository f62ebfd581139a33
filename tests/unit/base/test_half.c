/* SPDX-License-Identifier: Apache-2.0
 * test_half.c - every float16 and bfloat16 code, and both sides of every rounding point. */
#include "base/smallfloat.h"
#include "suite.h"

#include <math.h>

/* The value of a code, worked out from the format's definition. Infinity is worth what would follow
 * the largest number: that is where rounding turns to it. */
static double value(uint16_t code, int mantissa, int bias)
{
    const int field = (code & 0x7fff) >> mantissa, unit = 1 << mantissa;
    const int m = (code & (unit - 1)) + (field ? unit : 0);
    const double v = ldexp(m, (field ? field : 1) - bias - mantissa);
    return code & 0x8000 ? -v : v;
}

static void check_format(int mantissa, int bias, float widen(uint16_t), uint16_t from32(float),
                         uint16_t from64(double))
{
    const int infinity = 0x7fff >> mantissa << mantissa;
    for (int sign = 0; sign <= 0x8000; sign += 0x8000)
        for (int c = 0; c < 0x8000; c++) {
            const uint16_t code = (uint16_t)(c | sign);
            if (c > infinity) {
                ck_assert(isnan(widen(code)));
                ck_assert_int_gt(from32(widen(code)) & 0x7fff, infinity);
                ck_assert_int_gt(from64((double)widen(code)) & 0x7fff, infinity);
                continue;
            }
            const double v = value(code, mantissa, bias);
            if (c < infinity)
                ck_assert(widen(code) == (float)v);
            else
                ck_assert(isinf(widen(code)));
            ck_assert_int_eq(signbit(widen(code)) != 0, sign != 0);
            ck_assert_uint_eq(from32(widen(code)), code);
            ck_assert_uint_eq(from64((double)widen(code)), code);
            if (c == infinity)
                continue;
            const uint16_t next = (uint16_t)(code + 1), even = code & 1 ? next : code;
            const double middle = (v + value(next, mantissa, bias)) / 2;
            ck_assert_uint_eq(from64(middle), even);
            ck_assert_uint_eq(from64(nextafter(middle, 2 * middle)), next);
            ck_assert_uint_eq(from64(nextafter(middle, 0)), code);
            const float half = (float)middle;
            ck_assert_uint_eq(from32(half), even);
            ck_assert_uint_eq(from32(nextafterf(half, 2 * half)), next);
            ck_assert_uint_eq(from32(nextafterf(half, 0)), code);
        }
}

START_TEST(float16_codes)
{
    check_format(10, 15, oc_f16_to_f32, oc_f16_from_f32, oc_f16_from_f64);
}
END_TEST

START_TEST(bfloat16_codes)
{
    check_format(7, 127, oc_bf16_to_f32, oc_bf16_from_f32, oc_bf16_from_f64);
}
END_TEST

START_TEST(far_from_the_range)
{
    ck_assert_uint_eq(oc_f16_from_f32(-3e38f), 0xfc00);
    ck_assert_uint_eq(oc_f16_from_f64(1e300), 0x7c00);
    ck_assert_uint_eq(oc_bf16_from_f64(-1e300), 0xff80);
    ck_assert_uint_eq(oc_f16_from_f64(-1e-300), 0x8000);
    ck_assert_uint_eq(oc_bf16_from_f64(1e-300), 0);
    /* Rounding to float first would land on the tie and lose the last bit. */
    ck_assert_uint_eq(oc_f16_from_f64(1 + 0x1p-11 + 0x1p-40), 0x3c01);
}
END_TEST

SUITE("half", float16_codes, bfloat16_codes, far_from_the_range)
