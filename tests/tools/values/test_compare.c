/* SPDX-License-Identifier: Apache-2.0
 * test_compare.c - tolerances, NaN, infinities, shapes, types, strings. */
#include "values/compare.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static oc_value *make(oc_type type, int64_t n, const void *data)
{
    oc_error e = {0};
    oc_value *v = oc_tensor_new(type, 1, &n, NULL, &e);
    ck_assert_ptr_nonnull(v);
    if (type != OC_STRING)
        memcpy(oc_value_mutable_data(v), data, (size_t)n * oc_type_size(type));
    return v;
}

static compare_result compare(oc_type type, int64_t n, const void *a, const void *b, double rtol,
                              double atol)
{
    oc_value *x = make(type, n, a), *y = make(type, n, b);
    const compare_result r = compare_values(x, y, &(compare_bound){.rtol = rtol, .atol = atol});
    oc_value_free(x);
    oc_value_free(y);
    return r;
}

START_TEST(applies_both_tolerances)
{
    const float a[] = {100, 1, 0}, b[] = {101, 1, 0.25f};
    ck_assert(compare(OC_F32, 2, a, b, 0.01, 0).agrees);
    ck_assert(!compare(OC_F32, 2, a, b, 0.0099, 0).agrees);
    ck_assert(compare(OC_F32, 2, a, b, 0, 1).agrees);
    const compare_result r = compare(OC_F32, 3, a, b, 0.01, 0.2);
    ck_assert(!r.agrees && r.first == 2 && r.n_differ == 1 && r.n == 3 && r.max_abs == 1);
    ck_assert_ptr_nonnull(
        strstr(r.text, "1 of 3 elements differ, the first at [2]: 0, expected 0.25"));
}
END_TEST

/* Differences of 0.5, 1.5 and 0 with tolerance 1; a NaN and a number have no difference. */
START_TEST(tells_the_greatest_the_mean_and_the_share)
{
    const float a[] = {1.5f, 4, 8, (float)NAN}, b[] = {1, 2.5f, 8, 1};
    const uint8_t yes[] = {1, 1}, no[] = {1, 0};
    char text[COMPARE_FIGURES];
    compare_result r = compare(OC_F32, 3, a, b, 0, 1);
    ck_assert_str_eq(compare_figures(&r, text), "max abs 1.5, max ulp 6291456, mean abs 0.667, "
                                                "33.3 % beyond the tolerance");
    const compare_result other = compare(OC_F32, 3, b, b, 0, 1);
    ck_assert_str_eq(compare_figures(&other, text),
                     "max abs 0, max ulp 0, mean abs 0, 0 % beyond the tolerance");
    compare_add(&r, &other);
    ck_assert(!r.agrees && r.n == 6 && r.n_differ == 1);
    ck_assert_double_eq(compare_mean_abs(&r), 2.0 / 6);
    ck_assert_double_eq(compare_share_beyond(&r), 1.0 / 6);
    r = compare(OC_F32, 4, a, b, 0, 1);
    ck_assert_double_eq(compare_mean_abs(&r), 2.0 / 3);
    ck_assert_double_eq(compare_share_beyond(&r), 2.0 / 4);
    r = compare(OC_BOOL, 2, yes, no, 0, 0);
    ck_assert_str_eq(compare_figures(&r, text), "50 % beyond the tolerance");
}
END_TEST

START_TEST(knows_nan_and_infinity)
{
    const float nan[] = {(float)NAN}, inf[] = {(float)INFINITY}, one[] = {1},
                low[] = {-(float)INFINITY};
    ck_assert(compare(OC_F32, 1, nan, nan, 0, 0).agrees);
    ck_assert(compare(OC_F32, 1, inf, inf, 0, 0).agrees);
    ck_assert(!compare(OC_F32, 1, nan, one, 1e9, 1e9).agrees);
    ck_assert(!compare(OC_F32, 1, one, nan, 1e9, 1e9).agrees);
    ck_assert(!compare(OC_F32, 1, one, inf, 1e9, 1e9).agrees);
    ck_assert(!compare(OC_F32, 1, inf, one, 1e9, 1e9).agrees);
    ck_assert(!compare(OC_F32, 1, inf, low, 1e9, 1e9).agrees);
    ck_assert_uint_eq(compare(OC_F32, 1, nan, one, 0, 0).max_ulp, UINT64_MAX);
}
END_TEST

START_TEST(compares_other_types)
{
    const int64_t a[] = {INT64_MAX, 5}, b[] = {INT64_MAX - 1, 5};
    ck_assert(!compare(OC_I64, 2, a, b, 0, 0).agrees); /* equal as doubles */
    ck_assert(compare(OC_I64, 2, a, b, 0, 1).agrees);
    const uint8_t yes[] = {1}, no[] = {0};
    ck_assert(!compare(OC_BOOL, 1, yes, no, 10, 10).agrees);
    const float c[] = {1, 2}, d[] = {1, 3};
    ck_assert(!compare(OC_C64, 1, c, d, 0, 0.5).agrees);
    ck_assert(compare(OC_C64, 1, c, d, 0, 1).agrees);
    oc_error e = {0};
    oc_value *s = make(OC_STRING, 1, NULL), *t = make(OC_STRING, 1, NULL);
    oc_tensor_set_string(s, 0, "ab", 2, &e);
    oc_tensor_set_string(t, 0, "ac", 2, &e);
    ck_assert(!compare_values(s, t, &(compare_bound){.rtol = 9, .atol = 9}).agrees);
    oc_tensor_set_string(t, 0, "ab", 2, &e);
    ck_assert(compare_values(s, t, &(compare_bound){.rtol = 0}).agrees);
    oc_value_free(s);
    oc_value_free(t);
}
END_TEST

START_TEST(compares_forms_first)
{
    oc_error e = {0};
    const float one = 1;
    const double two = 1;
    const int64_t square[] = {1, 1};
    oc_value *a = make(OC_F32, 1, &one), *b = make(OC_F64, 1, &two);
    oc_value *c = oc_tensor_new(OC_F32, 2, square, NULL, &e);
    const compare_result r = compare_values(a, b, &(compare_bound){.rtol = 9, .atol = 9});
    ck_assert(!r.agrees);
    ck_assert_str_eq(r.text, "float[1], expected double[1]");
    ck_assert_str_eq(compare_values(a, c, &(compare_bound){.rtol = 9, .atol = 9}).text,
                     "float[1], expected float[1,1]");
    oc_value_free(a);
    oc_value_free(b);
    oc_value_free(c);
}
END_TEST

SUITE("compare", applies_both_tolerances, knows_nan_and_infinity, compares_other_types,
      compares_forms_first, tells_the_greatest_the_mean_and_the_share)
