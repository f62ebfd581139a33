/* SPDX-License-Identifier: Apache-2.0
 * test_float8.c - every code of 8 and 4 bits, all rounding points, and what lies outside. */
#include "base/element_type.h"
#include "base/smallfloat.h"
#include "suite.h"

#include <math.h>

/* Largest finite value, and what stands for +-infinity and NaN without saturation. */
static const struct {
    oc_type type;
    int n; /* codes */
    double max;
    uint8_t max_code, overflow, overflow_negative, nan;
} formats[] = {
    {OC_F8E4M3FN, 256, 448, 0x7e, 0x7f, 0xff, 0x7f},
    {OC_F8E4M3FNUZ, 256, 240, 0x7f, 0x80, 0x80, 0x80},
    {OC_F8E5M2, 256, 57344, 0x7b, 0x7c, 0xfc, 0x7f},
    {OC_F8E5M2FNUZ, 256, 57344, 0x7f, 0x80, 0x80, 0x80},
    {OC_F8E8M0, 256, 0x1p127, 0xfe, 0xff, 0xff, 0xff},
    {OC_F4E2M1, 16, 6, 0x7, 0x7, 0xf, 0x8},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };
_Static_assert(N_FORMATS == 0 OC_TYPES_TINY_FLOAT(OC_PLUS_ONE), "each float of a byte is tested");

START_TEST(every_code_comes_back)
{
    for (int f = 0; f < N_FORMATS; f++)
        for (int c = 0; c < formats[f].n; c++) {
            const oc_type type = formats[f].type;
            const float x = oc_f8_to_f32(type, (uint8_t)c);
            const uint8_t back = oc_f8_from_f64(type, (double)x, false);
            if (isnan(x))
                ck_assert(isnan(oc_f8_to_f32(type, back)));
            else
                ck_assert_msg(back == c, "%s %02x: %a gives %02x", oc_type_name(type), c, (double)x,
                              back);
        }
}
END_TEST

START_TEST(values_are_the_standards)
{
    static const struct {
        oc_type type;
        uint8_t code;
        double value;
    } rows[] = {
        {OC_F8E4M3FN, 0x01, 0x1p-9},    {OC_F8E4M3FN, 0x08, 0x1p-6},
        {OC_F8E4M3FN, 0x38, 1},         {OC_F8E4M3FN, 0xb8, -1},
        {OC_F8E4M3FN, 0x7e, 448},       {OC_F8E4M3FNUZ, 0x40, 1},
        {OC_F8E4M3FNUZ, 0x01, 0x1p-10}, {OC_F8E4M3FNUZ, 0x7f, 240},
        {OC_F8E5M2, 0x3c, 1},           {OC_F8E5M2, 0x01, 0x1p-16},
        {OC_F8E5M2, 0x7b, 57344},       {OC_F8E5M2, 0xfc, -INFINITY},
        {OC_F8E5M2FNUZ, 0x40, 1},       {OC_F8E5M2FNUZ, 0x01, 0x1p-17},
        {OC_F8E5M2FNUZ, 0x7f, 57344},   {OC_F8E8M0, 0x00, 0x1p-127},
        {OC_F8E8M0, 0x7f, 1},           {OC_F8E8M0, 0xfe, 0x1p127},
        {OC_F4E2M1, 0x1, 0.5},          {OC_F4E2M1, 0x5, 3},
        {OC_F4E2M1, 0xf, -6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg((double)oc_f8_to_f32(rows[i].type, rows[i].code) == rows[i].value, "%s %02x",
                      oc_type_name(rows[i].type), rows[i].code);
    ck_assert(isnan(oc_f8_to_f32(OC_F8E4M3FN, 0x7f)) && isnan(oc_f8_to_f32(OC_F8E4M3FN, 0xff)));
    ck_assert(isnan(oc_f8_to_f32(OC_F8E4M3FNUZ, 0x80)));
    ck_assert(isnan(oc_f8_to_f32(OC_F8E5M2, 0x7d)) && isnan(oc_f8_to_f32(OC_F8E8M0, 0xff)));
    ck_assert(signbit(oc_f8_to_f32(OC_F8E4M3FN, 0x80)));
}
END_TEST

/* Between neighbours the nearer wins; half way the even code. */
START_TEST(rounding_is_to_nearest_even)
{
    for (int f = 0; f < N_FORMATS; f++)
        for (int c = 0; c < formats[f].max_code && formats[f].type != OC_F8E8M0; c++) {
            const oc_type type = formats[f].type;
            const double low = (double)oc_f8_to_f32(type, (uint8_t)c),
                         high = (double)oc_f8_to_f32(type, (uint8_t)(c + 1)),
                         middle = low + (high - low) / 2;
            ck_assert_int_eq(oc_f8_from_f64(type, middle, true), c + c % 2);
            ck_assert_int_eq(oc_f8_from_f64(type, nextafter(middle, 0), true), c);
            ck_assert_int_eq(oc_f8_from_f64(type, nextafter(middle, INFINITY), true), c + 1);
        }
}
END_TEST

START_TEST(beyond_the_largest)
{
    for (int f = 0; f < N_FORMATS; f++) {
        const oc_type type = formats[f].type;
        const bool has_sign = type != OC_F8E8M0;
        static const double large[] = {2, 1e3, 1e300, INFINITY};
        for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
            const double x = formats[f].max * large[i];
            const uint8_t sign = type == OC_F4E2M1 ? 0x8 : 0x80;
            ck_assert_uint_eq(oc_f8_from_f64(type, x, true), formats[f].max_code);
            ck_assert_uint_eq(oc_f8_from_f64(type, x, false), formats[f].overflow);
            if (has_sign)
                ck_assert_uint_eq(oc_f8_from_f64(type, -x, true), formats[f].max_code | sign);
            ck_assert_uint_eq(oc_f8_from_f64(type, -x, false), formats[f].overflow_negative);
        }
        ck_assert_uint_eq(oc_f8_from_f64(type, (double)NAN, true), formats[f].nan);
    }
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E4M3FN, 464, false), 0x7e); /* half way: even */
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E4M3FN, 464.5, false), 0x7f);
}
END_TEST

START_TEST(zeros)
{
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E4M3FN, -0.0, false), 0x80);
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E4M3FNUZ, -0.0, false), 0x00);
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E5M2FNUZ, -1e-30, false), 0x00);
    ck_assert_uint_eq(oc_f8_from_f64(OC_F8E5M2, 5e-324, false), 0x00);
    ck_assert_uint_eq(oc_f8_from_f64(OC_F4E2M1, -0.0, false), 0x08);
}
END_TEST

/* Cast-24: half way between two powers is the greater one, and the table of special values. */
START_TEST(float8e8m0_rounds_by_mode)
{
    for (int c = 0; c < 0xfe; c++) {
        const double low = (double)oc_f8_to_f32(OC_F8E8M0, (uint8_t)c);
        const double between[] = {low, 1.25 * low, nextafter(1.5 * low, 0), 1.5 * low, 1.75 * low};
        for (int i = 0; i < 5; i++) {
            const double x = between[i];
            ck_assert_int_eq(oc_e8m0_from_f64(x, OC_ROUND_UP, false), c + (i > 0));
            ck_assert_int_eq(oc_e8m0_from_f64(x, OC_ROUND_DOWN, true), c);
            ck_assert_int_eq(oc_e8m0_from_f64(x, OC_ROUND_NEAREST, false), c + (i > 2));
            ck_assert_int_eq(oc_f8_from_f64(OC_F8E8M0, x, true), c + (i > 2));
        }
    }
    static const struct {
        double x;
        uint8_t saturated, other;
    } ends[] = {{0, 0, 0xff},        {-0.0, 0, 0xff},       {0x1p-129, 0, 0xff},
                {5e-324, 0, 0xff},   {0x1p128, 0xfe, 0xff}, {INFINITY, 0xfe, 0xff},
                {1e300, 0xfe, 0xff}, {-1, 0xff, 0xff},      {-(double)INFINITY, 0xff, 0xff},
                {NAN, 0xff, 0xff}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int mode = OC_ROUND_UP; mode <= OC_ROUND_NEAREST; mode++) {
            const oc_round round = (oc_round)mode;
            ck_assert_uint_eq(oc_e8m0_from_f64(ends[i].x, round, true), ends[i].saturated);
            ck_assert_uint_eq(oc_e8m0_from_f64(ends[i].x, round, false), ends[i].other);
        }
    /* The ends are those of the rounded number. */
    ck_assert_uint_eq(oc_e8m0_from_f64(0x1.4p-128, OC_ROUND_UP, false), 0);
    ck_assert_uint_eq(oc_e8m0_from_f64(0x1.4p-128, OC_ROUND_NEAREST, false), 0xff);
    ck_assert_uint_eq(oc_e8m0_from_f64(0x1.4p127, OC_ROUND_NEAREST, false), 0xfe);
    ck_assert_uint_eq(oc_e8m0_from_f64(0x1.4p127, OC_ROUND_UP, false), 0xff);
}
END_TEST

SUITE("float8", float8e8m0_rounds_by_mode, every_code_comes_back, values_are_the_standards,
      rounding_is_to_nearest_even, beyond_the_largest, zeros)
