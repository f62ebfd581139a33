/* SPDX-License-Identifier: Apache-2.0
 * test_text_build.c - texts are built of formatted pieces, JSON strings and the shortest numbers.
 */
#include "common/data.h"
#include "files/text_build.h"
#include "suite.h"

#include <math.h>

static void check(text_build *t, const char *expected)
{
    ck_assert(!t->failed);
    text_bytes(t, "", 1);
    ck_assert_str_eq((const char *)t->bytes.data, expected);
    text_free(t);
}

START_TEST(joins_pieces)
{
    text_build t = {0};
    char long_one[3001], expected[6200];
    memset(long_one, 'x', 3000);
    long_one[3000] = 0;
    text_put(&t, "%d,", 7);
    text_put(&t, "%s|", long_one);
    text_bytes(&t, "a\0b", 0);
    text_bytes(&t, long_one, 3000);
    snprintf(expected, sizeof expected, "7,%s|%s", long_one, long_one);
    check(&t, expected);
}
END_TEST

START_TEST(escapes_json)
{
    text_build t = {0};
    text_json(&t, "a&b \"\\\n\x7f \xc3\xa9 \xc2\x85 \xff \xf0\x9f\x98\x80");
    check(&t, "\"a&b \\\"\\\\\\u000a\\u007f \xc3\xa9 \\u0085 \xef\xbf\xbd \xf0\x9f\x98\x80\"");
}
END_TEST

START_TEST(numbers_are_the_shortest_that_read_back)
{
    static const struct {
        float x;
        const char *text;
    } rows[] = {
        {0, "0"},
        {0.1f, "0.1"},
        {-0.5f, "-0.5"},
        {640, "640"},
        {1.0f / 3, "0.33333334"},
        {16777216, "16777216"},
        {123456.789f, "123456.79"},
        {1e-8f, "1e-08"},
        {3.4028235e38f, "3.4028235e+38"},
        {NAN, "nan"},
        {-NAN, "nan"},
        {-INFINITY, "-inf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_build t = {0};
        text_float(&t, rows[i].x);
        check(&t, rows[i].text);
    }
    suite_random r = suite_random_new(7);
    for (int i = 0; i < 20000; i++) {
        const uint32_t bits = suite_below(&r, 1 << 28) << 4 | suite_below(&r, 16);
        text_build t = {0};
        float x;
        memcpy(&x, &bits, sizeof x);
        text_float(&t, x);
        text_bytes(&t, "", 1);
        suite_assert(isnan(x) || strtof((const char *)t.bytes.data, NULL) == x, "%08x: %s", bits,
                     (const char *)t.bytes.data);
        text_free(&t);
    }
}
END_TEST

START_TEST(a_lack_of_memory_is_remembered)
{
    text_build t = {0};
    text_put(&t, "begin");
    data_set_cap(4096);
    char *large = tool_alloc(8192, 1);
    text_bytes(&t, large, 8192);
    ck_assert(t.failed);
    data_set_cap(0);
    text_put(&t, "more");
    ck_assert(t.failed && t.bytes.size == 5);
    free(large);
    text_free(&t);
}
END_TEST

SUITE("text_build", joins_pieces, escapes_json, numbers_are_the_shortest_that_read_back,
      a_lack_of_memory_is_remembered)
