/* SPDX-License-Identifier: Apache-2.0
 * test_dims.c - shape arithmetic. */
#include "suite.h"
#include "tensor/dims.h"

#include <string.h>

START_TEST(bytes_are_checked)
{
    int64_t count;
    size_t bytes;
    const oc_dims good = {3, {2, 3, 4}}, empty = {2, {0, 5}}, scalar = {0, {0}};
    ck_assert(oc_dims_bytes(&good, 4, &count, &bytes));
    ck_assert_int_eq(count, 24);
    ck_assert_uint_eq(bytes, 96);
    ck_assert(oc_dims_bytes(&empty, 4, &count, &bytes));
    ck_assert_int_eq(count, 0);
    ck_assert(oc_dims_bytes(&scalar, 8, &count, &bytes));
    ck_assert_int_eq(count, 1);

    const oc_dims negative = {1, {-1}}, wraps = {2, {INT64_C(1) << 32, INT64_C(1) << 32}};
    const oc_dims hidden = {3, {0, INT64_C(1) << 40, INT64_C(1) << 40}};
    const oc_dims elements = {1, {INT64_MAX / 2}};
    ck_assert(!oc_dims_bytes(&negative, 1, &count, &bytes));
    ck_assert(!oc_dims_bytes(&wraps, 1, &count, &bytes));
    ck_assert(!oc_dims_bytes(&hidden, 1, &count, &bytes)); /* zero does not hide the overflow */
    ck_assert(!oc_dims_bytes(&elements, 8, &count, &bytes));
    ck_assert(!oc_dims_fit(&negative, 1) && !oc_dims_fit(&hidden, 1) && !oc_dims_fit(&elements, 8));
    const oc_dims wide = {2, {1 << 30, 0}}; /* memory of 32 bits could have no row of one float */
    ck_assert(oc_dims_fit(&wide, 4));
    ck_assert(oc_dims_bytes(&wide, 4, &count, &bytes) == !SUITE_NARROW);
}
END_TEST

START_TEST(broadcast_as_numpy_does)
{
    oc_dims a = {3, {2, 1, 4}};
    const oc_dims b = {2, {3, 1}}, want = {3, {2, 3, 4}}, scalar = {0, {0}}, bad = {1, {5}};
    ck_assert(oc_dims_broadcast(&a, &b));
    ck_assert(oc_dims_equal(&a, &want));
    ck_assert(oc_dims_broadcast(&a, &scalar));
    ck_assert(oc_dims_equal(&a, &want));
    ck_assert(!oc_dims_broadcast(&a, &bad));
    oc_dims zero = {1, {0}};
    const oc_dims one = {1, {1}};
    ck_assert(oc_dims_broadcast(&zero, &one));
    ck_assert_int_eq(zero.n[0], 0);
}
END_TEST

START_TEST(axes_from_both_ends)
{
    int axis = -1;
    ck_assert(oc_dims_axis(-3, 3, &axis));
    ck_assert_int_eq(axis, 0);
    ck_assert(oc_dims_axis(2, 3, &axis));
    ck_assert_int_eq(axis, 2);
    ck_assert(!oc_dims_axis(3, 3, &axis));
    ck_assert(!oc_dims_axis(-4, 3, &axis));
    ck_assert(!oc_dims_axis(0, 0, &axis));
}
END_TEST

START_TEST(text_fits_the_largest_shape)
{
    char text[OC_DIMS_TEXT];
    oc_dims d = {OC_MAX_RANK, {0}};
    for (int i = 0; i < d.rank; i++)
        d.n[i] = INT64_MAX;
    ck_assert_uint_lt(strlen(oc_dims_text(&d, text)), sizeof text);
    const oc_dims unknown = {2, {-1, 3}};
    ck_assert_str_eq(oc_dims_text(&unknown, text), "[?,3]");
}
END_TEST

SUITE("dims", bytes_are_checked, broadcast_as_numpy_does, axes_from_both_ends,
      text_fits_the_largest_shape)
