/* SPDX-License-Identifier: Apache-2.0
 * test_status.c - names of codes, and errors that keep their first message. */
#include "suite.h"
#include "base/status.h"

#include <string.h>

START_TEST(every_code_has_a_name_and_a_text)
{
    ck_assert_int_eq(OC_OK, 0);
    ck_assert_int_eq(OC_CANCELLED, 12); /* codes never change */
    ck_assert_str_eq(oc_status_name(OC_SHAPE), "SHAPE");
    ck_assert_str_eq(oc_status_text(OC_SHAPE), "shape mismatch");
    for (int i = 0; i < OC_N_STATUS; i++)
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(oc_status_name((oc_status)i), oc_status_name((oc_status)k));
    ck_assert_str_eq(oc_status_name((oc_status)-1), "?");
    ck_assert_str_eq(oc_status_name((oc_status)OC_N_STATUS), "?");
    ck_assert_str_eq(oc_status_text((oc_status)OC_N_STATUS), "unknown status");
}
END_TEST

START_TEST(the_first_message_stays)
{
    oc_error e = {0};
    ck_assert_int_eq(oc_error_set(&e, OC_SHAPE, "input %d is %s", 2, "[2,4]"), OC_SHAPE);
    ck_assert_int_eq(oc_error_set(&e, OC_VALUE, "later"), OC_SHAPE);
    ck_assert_int_eq(oc_error_nomem(&e, 1), OC_SHAPE);
    ck_assert_str_eq(e.text, "input 2 is [2,4]");
    e = (oc_error){0};
    ck_assert_int_eq(oc_error_nomem(&e, 77), OC_NOMEM);
    ck_assert_ptr_nonnull(strstr(e.text, "77 bytes"));
}
END_TEST

START_TEST(long_messages_are_cut)
{
    static char text[5000];
    oc_error e = {0};
    memset(text, 'x', sizeof text - 1);
    oc_error_set(&e, OC_MODEL, "%s", text);
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
}
END_TEST

START_TEST(a_file_is_put_in_front)
{
    char path[1001], text[2000];
    oc_error e = {0};
    oc_error_set(&e, OC_FORMAT, "line 3");
    ck_assert_int_eq(oc_error_in(&e, "a/b.onnxtxt"), OC_FORMAT);
    ck_assert_str_eq(e.text, "a/b.onnxtxt: line 3");
    e = (oc_error){0};
    oc_error_set(&e, OC_IO, "nothing there");
    oc_error_in(&e, "");
    ck_assert_str_eq(e.text, "'': nothing there");
    memset(path, '/', sizeof path - 1);
    memcpy(path + 995, "m.txt", 6);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    e = (oc_error){0};
    oc_error_set(&e, OC_FORMAT, "%s", text);
    oc_error_in(&e, path);
    ck_assert_msg(strncmp(e.text, "...//", 5) == 0, "%s", e.text);
    ck_assert_ptr_nonnull(strstr(e.text, "//m.txt: xxx"));
    ck_assert_uint_eq(strlen(e.text), 3 + 300 + 2 + 700);
}
END_TEST

START_TEST(what_terminals_obey_is_shown)
{
    oc_error e = {0};
    oc_error_set(&e, OC_MODEL, "node '%s'", "a\x1b[0m\n\x7f\x9b\xc2\x9b\xe2\x82");
    ck_assert_str_eq(e.text, "node 'a\\x1b[0m\\x0a\\x7f\\x9b\\xc2\\x9b\\xe2\\x82'");
    oc_error_in(&e, "\x1b.onnx");
    ck_assert_ptr_nonnull(strstr(e.text, "\\x1b.onnx: node 'a\\x1b[0m"));
    e = (oc_error){0};
    oc_error_set(&e, OC_MODEL, "%s",
                 "\xc3\xa9 \xe2\x82\xac \"\\n\""); /* letters, quotes, a backslash */
    ck_assert_str_eq(e.text, "\xc3\xa9 \xe2\x82\xac \"\\n\"");
}
END_TEST

START_TEST(a_text_ends_where_its_room_ends)
{
    char text[8];
    for (size_t room = 1; room <= sizeof text; room++) {
        memset(text, 'z', sizeof text);
        oc_show(text, room, "a\x1b\xc3\xa9%s", "bc");
        ck_assert_uint_lt(strlen(text), room);
        ck_assert_str_eq(text, room < 2   ? ""
                               : room < 6 ? "a"
                               : room < 8 ? "a\\x1b"
                                          : "a\\x1b\xc3\xa9");
    }
    char all[2000], shown[2000];
    memset(all, '\n', sizeof all - 1);
    all[sizeof all - 1] = 0;
    oc_show(shown, sizeof shown, "%s", all);
    ck_assert_uint_eq(strlen(shown), 1996);
}
END_TEST

static oc_status pass_on(oc_status inner, int *reached)
{
    OC_TRY(inner);
    *reached = 1;
    return OC_OK;
}

START_TEST(try_returns_at_once)
{
    int reached = 0;
    ck_assert_int_eq(pass_on(OC_IO, &reached), OC_IO);
    ck_assert_int_eq(reached, 0);
    ck_assert_int_eq(pass_on(OC_OK, &reached), OC_OK);
    ck_assert_int_eq(reached, 1);
}
END_TEST

SUITE("status", every_code_has_a_name_and_a_text, the_first_message_stays, long_messages_are_cut,
      a_file_is_put_in_front, what_terminals_obey_is_shown, a_text_ends_where_its_room_ends,
      try_returns_at_once)
