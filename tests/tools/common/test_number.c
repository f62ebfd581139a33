/* SPDX-License-Identifier: Apache-2.0
 * test_number.c - elements of every type against the library's own conversions. */
#include "base/element_type.h"
#include "base/smallfloat.h"
#include "common/number.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static const oc_type narrow[] = {OC_TYPES_TINY_FLOAT(OC_TYPE_COMMA)};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

START_TEST(reads_codes_as_the_library_does)
{
    for (int code = 0; code < 65536; code++) {
        const uint16_t c = (uint16_t)code;
        ck_assert(same(number_get(OC_F16, &c, 0), (double)oc_f16_to_f32(c)));
        ck_assert(same(number_get(OC_BF16, &c, 0), (double)oc_bf16_to_f32(c)));
    }
    for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++)
        for (int code = 0; code < 1 << oc_type_bits(narrow[k]); code++) {
            const uint8_t c = (uint8_t)code;
            ck_assert_msg(same(number_get(narrow[k], &c, 0), (double)oc_f8_to_f32(narrow[k], c)),
                          "%s %d", oc_type_name(narrow[k]), code);
        }
}
END_TEST

START_TEST(rounds_as_the_library_does)
{
    suite_random r = suite_random_new(5);
    for (int i = 0; i < 60000; i++) {
        const uint32_t bits = suite_below(&r, 1u << 16) << 16 | suite_below(&r, 1u << 16);
        float x;
        memcpy(&x, &bits, sizeof x);
        uint16_t c;
        if (isnan(x))
            continue;
        number_set(OC_F16, &c, 0, x);
        ck_assert_msg(c == oc_f16_from_f32(x), "%a", (double)x);
        number_set(OC_BF16, &c, 0, x);
        ck_assert_msg(c == oc_bf16_from_f32(x), "%a", (double)x);
    }
}
END_TEST

START_TEST(keeps_every_code)
{
    for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++)
        for (int code = 0; code < 1 << oc_type_bits(narrow[k]); code++) {
            const uint8_t c = (uint8_t)code;
            uint8_t back;
            const double x = number_get(narrow[k], &c, 0);
            number_set(narrow[k], &back, 0, x);
            ck_assert_msg(same(number_get(narrow[k], &back, 0), x), "%s %d",
                          oc_type_name(narrow[k]), code);
        }
}
END_TEST

START_TEST(clamps_integers)
{
    static const struct {
        oc_type type;
        double x;
        const char *text;
    } cases[] = {
        {OC_I8, -300, "-128"},
        {OC_I8, 127.5, "127"},
        {OC_I8, -1, "-1"},
        {OC_U8, -1, "0"},
        {OC_U8, 2.5, "2"},
        {OC_U8, 1e9, "255"},
        {OC_I4, -9, "-8"},
        {OC_I4, 9, "7"},
        {OC_I4, -3, "-3"},
        {OC_U4, 99, "15"},
        {OC_I2, 5, "1"},
        {OC_I2, -5, "-2"},
        {OC_U2, 5, "3"},
        {OC_I64, 1e30, "9223372036854775807"},
        {OC_I64, -1e30, "-9223372036854775808"},
        {OC_U64, 1e30, "18446744073709551615"},
        {OC_I32, (double)NAN, "0"},
        {OC_I32, -2147483648.0, "-2147483648"},
        {OC_BOOL, 3, "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t room[2] = {0};
        char text[NUMBER_TEXT];
        number_set(cases[i].type, room, 0, cases[i].x);
        ck_assert_str_eq(number_text(cases[i].type, room, 0, 9, text), cases[i].text);
    }
}
END_TEST

START_TEST(counts_values_between)
{
    const float a[] = {1,          nextafterf(1, 2),  -0.0f,           0,
                       (float)NAN, -nextafterf(0, 1), nextafterf(0, 1)};
    ck_assert_uint_eq(number_ulp(OC_F32, a, 0, a, 1), 1);
    ck_assert_uint_eq(number_ulp(OC_F32, a, 2, a, 3), 0);
    ck_assert_uint_eq(number_ulp(OC_F32, a, 4, a, 4), 0);
    ck_assert_uint_eq(number_ulp(OC_F32, a, 4, a, 0), UINT64_MAX);
    ck_assert_uint_eq(number_ulp(OC_F32, a, 5, a, 6), 2);
    const double d[] = {1, nextafter(nextafter(1, 2), 2)};
    ck_assert_uint_eq(number_ulp(OC_F64, d, 0, d, 1), 2);
    const int64_t i[] = {INT64_MIN, INT64_MAX};
    ck_assert_uint_eq(number_ulp(OC_I64, i, 0, i, 1), UINT64_MAX);
    const uint16_t h[] = {0x3c00, 0x3c03};
    ck_assert_uint_eq(number_ulp(OC_F16, h, 0, h, 1), 3);
}
END_TEST

START_TEST(gives_nan_no_sign)
{
    const float f[2] = {-NAN, -INFINITY};
    const double d = -(double)NAN, sum = -(double)INFINITY + (double)INFINITY;
    char text[NUMBER_TEXT];
    ck_assert_str_eq(number_text(OC_F32, f, 0, 6, text), "nan");
    ck_assert_str_eq(number_text(OC_F32, f, 1, 6, text), "-inf");
    ck_assert_str_eq(number_text(OC_F64, &d, 0, 6, text), "nan");
    ck_assert_str_eq(number_text(OC_C64, f, 0, 6, text), "nan-infi");
    ck_assert(!signbit(number_unsigned_nan(sum)) && number_unsigned_nan(-2.5) == -2.5);
}
END_TEST

SUITE("number", reads_codes_as_the_library_does, rounds_as_the_library_does, keeps_every_code,
      clamps_integers, counts_values_between, gives_nan_no_sign)
