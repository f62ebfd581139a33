/* SPDX-License-Identifier: Apache-2.0
 * test_functions.c - the library of function bodies. */
#include "suite.h"

#include "loader/functions.h"

#include <string.h>

START_TEST(bodies_are_found_by_name_and_version)
{
    ck_assert_ptr_null(oc_body_find("AffineGrid", 19));
    ck_assert_ptr_null(oc_body_find("AffineGri", 20));
    ck_assert_ptr_null(oc_body_find("AffineGridX", 20));
    ck_assert_ptr_null(oc_body_find("", 20));
    const oc_body *b = oc_body_find("AffineGrid", 20);
    ck_assert_ptr_nonnull(b);
    ck_assert_int_eq(b->since, 20);
    ck_assert_ptr_eq(oc_body_find("AffineGrid", INT64_MAX), b);
}
END_TEST

START_TEST(every_body_is_the_newest_of_its_version)
{
    int n = 0;
    for (; oc_body_at(n); n++) {
        const oc_body *b = oc_body_at(n), *after = oc_body_at(n + 1);
        ck_assert_ptr_eq(oc_body_find(b->name, b->since), b);
        if (after)
            ck_assert_int_le(strcmp(b->name, after->name), 0);
    }
    ck_assert_int_gt(n, 0);
    ck_assert_ptr_null(oc_body_at(-1));
}
END_TEST

START_TEST(schema_defaults_are_in_the_attribute_list)
{
    const oc_body *b = oc_body_find("AffineGrid", 20);
    ck_assert_ptr_nonnull(strstr(b->standard, "AffineGrid <align_corners: int = 0>(theta, size)"));
    ck_assert_ptr_nonnull(strstr(b->repaired, "AffineGrid <align_corners: int = 0>(theta, size)"));
    ck_assert_ptr_nonnull(strstr(b->standard, "r1_ = Squeeze (r1)\n"));
    ck_assert_ptr_null(strstr(b->repaired, "r1_ = Squeeze (r1)\n"));
}
END_TEST

SUITE("functions", bodies_are_found_by_name_and_version, every_body_is_the_newest_of_its_version,
      schema_defaults_are_in_the_attribute_list)
