/* SPDX-License-Identifier: Apache-2.0
 * test_json.c - documents are JSON whatever text they hold. */
#include "common/json.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static const char *read_back(FILE *f)
{
    static char text[1024];
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

START_TEST(writes_documents)
{
    FILE *f = tmpfile();
    json_writer j = json_begin(f);
    json_object(&j, NULL);
    json_text(&j, "a", "x");
    json_array(&j, "b");
    json_int(&j, NULL, -1);
    json_unsigned(&j, NULL, UINT64_MAX);
    json_bool(&j, NULL, true);
    json_close(&j);
    json_array(&j, "empty");
    json_close(&j);
    json_text(&j, "none", NULL);
    json_close(&j);
    json_end(&j);
    ck_assert_str_eq(read_back(f),
                     "{\n  \"a\": \"x\",\n  \"b\": [\n    -1,\n    18446744073709551615,\n"
                     "    true\n  ],\n  \"empty\": [],\n  \"none\": null\n}\n");
}
END_TEST

START_TEST(writes_a_level_on_one_line)
{
    FILE *f = tmpfile();
    json_writer j = json_begin(f);
    json_object(&j, NULL);
    json_array(&j, "a");
    j.flat++;
    json_int(&j, NULL, 1);
    json_object(&j, NULL);
    json_int(&j, "b", 2);
    json_bool(&j, "c", false);
    json_close(&j);
    json_close(&j);
    j.flat--;
    json_int(&j, "d", 3);
    json_close(&j);
    json_end(&j);
    ck_assert_str_eq(read_back(f), "{\n  \"a\": [1, {\"b\": 2, \"c\": false}],\n  \"d\": 3\n}\n");
}
END_TEST

START_TEST(escapes_text_and_numbers)
{
    FILE *f = tmpfile();
    json_writer j = json_begin(f);
    json_array(&j, NULL);
    json_text(&j, NULL, "\"\\\n\x01");
    json_text(&j, NULL, "\xc3\xbc \xff \xc0\x80 \xed\xa0\x80");
    json_number(&j, NULL, (double)NAN);
    json_number(&j, NULL, -(double)INFINITY);
    json_number(&j, NULL, 0.1);
    json_close(&j);
    json_end(&j);
    ck_assert_str_eq(read_back(f), "[\n  \"\\\"\\\\\\u000a\\u0001\",\n"
                                   "  \"\xc3\xbc \\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\",\n"
                                   "  \"nan\",\n  \"-inf\",\n  0.10000000000000001\n]\n");
}
END_TEST

SUITE("json", writes_documents, writes_a_level_on_one_line, escapes_text_and_numbers)
