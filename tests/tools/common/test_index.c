/* SPDX-License-Identifier: Apache-2.0
 * test_index.c - numbers found by texts. */
#include "suite.h"

#include "common/index.h"

#include <stdio.h>

START_TEST(the_first_number_of_a_text_stays)
{
    enum { N = 2000 };
    text_index x = {0};
    char text[32];
    ck_assert_int_eq(text_index_find(&x, ""), -1);
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "name %d", i * 7 % N);
        text_index_add(&x, text, i);
        text_index_add(&x, text, i + 1);
    }
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "name %d", i * 7 % N);
        ck_assert_int_eq(text_index_find(&x, text), i);
    }
    ck_assert_int_eq(text_index_find(&x, "name"), -1);
    text_index_free(&x);
    ck_assert_int_eq(text_index_find(&x, "name 1"), -1);
}
END_TEST

SUITE("index", the_first_number_of_a_text_stays)
