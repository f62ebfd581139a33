/* SPDX-License-Identifier: Apache-2.0
 * test_utf8.c - characters of UTF-8, what is none, and what is not shown. */
#include "suite.h"

#include "base/utf8.h"

#include <string.h>

START_TEST(sizes)
{
    static const struct {
        const char *bytes;
        size_t size, shown;
    } rows[] = {
        {"a", 1, 1},
        {"~x", 1, 1},
        {"\x1b[", 1, 0},
        {"\n", 1, 0},
        {"\x7f", 1, 0},
        {"\xc2\x80", 2, 0},
        {"\xc2\x9f", 2, 0},
        {"\xc2\xa0", 2, 2},
        {"\xdf\xbf", 2, 2},
        {"\xe0\xa0\x80", 3, 3},
        {"\xed\x9f\xbf", 3, 3},
        {"\xf0\x90\x80\x80", 4, 4},
        {"\xf4\x8f\xbf\xbf", 4, 4},
        {"\x80", 0, 0},             /* begins nothing */
        {"\xc1\xbf", 0, 0},         /* longer than it must be */
        {"\xe0\x9f\xbf", 0, 0},     /* longer than it must be */
        {"\xf0\x8f\xbf\xbf", 0, 0}, /* longer than it must be */
        {"\xed\xa0\x80", 0, 0},     /* half of a pair of UTF-16 */
        {"\xf4\x90\x80\x80", 0, 0}, /* past U+10FFFF */
        {"\xf5\x80\x80\x80", 0, 0}, /* longer than it must be */
        {"\xe2\x82", 0, 0},         /* cut off */
        {"\xe2\x82z", 0, 0},        /* ends too early */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned char *p = (const unsigned char *)rows[i].bytes;
        const size_t left = strlen(rows[i].bytes);
        ck_assert_msg(oc_utf8_size(p, left) == rows[i].size, "row %zu", i);
        ck_assert_msg(oc_utf8_shown(p, left) == rows[i].shown, "row %zu", i);
    }
    ck_assert_uint_eq(oc_utf8_size((const unsigned char *)"\xc2\xa0", 1), 0);
}
END_TEST

SUITE("utf8", sizes)
