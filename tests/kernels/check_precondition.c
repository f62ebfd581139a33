/* SPDX-License-Identifier: Apache-2.0
 * check_precondition.c - what the asserts of kernels are made of tells right from wrong. */
#include "kernels/common/precondition.h"
#include "kernels/roi/roi_axis.h"
#include "kernels/sample/gather.h"
#include "suite.h"

START_TEST(ranges_of_bytes)
{
    static const char bytes[100];
    ck_assert(oc_apart(bytes, 50, bytes + 50, 50));
    ck_assert(oc_apart(bytes + 50, 50, bytes, 50));
    ck_assert(!oc_apart(bytes, 51, bytes + 50, 50));
    ck_assert(!oc_apart(bytes + 50, 50, bytes, 51));
    ck_assert(!oc_apart(bytes, 100, bytes + 50, 1));
    ck_assert(oc_apart(bytes, 0, bytes, 100));
    ck_assert_int_eq(oc_extent(3, 5, 10, 4), 100);
    ck_assert_int_eq(oc_extent(0, 5, 10, 4), 0);
    ck_assert_int_eq(oc_extent(3, 0, 10, 4), 0);
    ck_assert(oc_is_aligned((const void *)(uintptr_t)128, 64));
    ck_assert(!oc_is_aligned((const void *)(uintptr_t)96, 64));
}
END_TEST

/* Each number that breaks a rule of taps.h is found, alone. */
START_TEST(taps)
{
    static oc_taps t;
    t = (oc_taps){.n = 6, .rows = 2, .cols = 2, .stride = 8, .run = 3, .pitch = 4};
    ck_assert(oc_taps_are_sound(&t));
    struct {
        int32_t *place, value;
    } wrong[] = {{&t.run, 4},        {&t.run, 0},       {&t.n, 9},         {&t.rows, 0},
                 {&t.rows, 300},     {&t.cols, 3},      {&t.base[13], -1}, {&t.shift[5], 2},
                 {&t.shift[13], -2}, {&t.shift[0], -9}, {&t.stride, 2000}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int32_t good = *wrong[i].place;
        *wrong[i].place = wrong[i].value;
        ck_assert_msg(!oc_taps_are_sound(&t), "number %d", (int)i);
        *wrong[i].place = good;
    }
    t.base[6] = -1; /* past the last position */
    ck_assert(oc_taps_are_sound(&t));
    t.base[9] = 4;
    t.absent[9] = OC_NO_PIXEL; /* a row that is missing has base 0 */
    ck_assert(!oc_taps_are_sound(&t));
    t.base[9] = 0;
    ck_assert(oc_taps_are_sound(&t));
    t.all = true;
    ck_assert(!oc_taps_are_sound(&t));
    t.absent[9] = 0;
    ck_assert(!oc_taps_are_sound(&t)); /* shift[1] is 0 */
    for (int i = 0; i < t.n; i++)
        t.shift[t.stride + i] = 1;
    ck_assert(oc_taps_are_sound(&t));
}
END_TEST

START_TEST(taps_of_an_axis)
{
    int32_t first[] = {0, 2, 3}, index[] = {0, 4, 2};
    const oc_roi_axis x = {.bins = 2, .first = first, .index = index, .n = 5};
    ck_assert(oc_roi_axis_is_sound(&x));
    index[1] = 5;
    ck_assert(!oc_roi_axis_is_sound(&x));
    index[1] = -1;
    ck_assert(!oc_roi_axis_is_sound(&x));
    index[1] = 4;
    first[2] = 1;
    ck_assert(!oc_roi_axis_is_sound(&x));
    first[2] = 3;
    first[0] = 1;
    ck_assert(!oc_roi_axis_is_sound(&x));
}
END_TEST

SUITE("precondition", ranges_of_bytes, taps, taps_of_an_axis)
