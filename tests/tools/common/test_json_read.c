/* SPDX-License-Identifier: Apache-2.0
 * test_json_read.c - JSON and literals of Python become trees, and what is neither is told with its
 * place. */
#include "json_print.h"
#include "suite.h"

#include <math.h>

typedef struct row {
    const char *text, *read; /* read: as JSON without blanks */
} row;

/* Reads a copy that ends where it ends, so that a sanitizer sees a read past it. */
static void read(json_tree *t, const char *text, size_t size, json_syntax syntax, oc_error *e)
{
    char *copy = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, size);
    json_read(t, copy, size, syntax, "a.json", e);
    free(copy);
}

static void check_rows(const row *rows, size_t n, json_syntax syntax)
{
    for (size_t i = 0; i < n; i++) {
        json_tree t;
        json_print p = {0};
        oc_error e = {0};
        read(&t, rows[i].text, strlen(rows[i].text), syntax, &e);
        ck_assert_msg(e.code == OC_OK, "%s: %s", rows[i].text, e.text);
        json_print_value(&p, t.root);
        ck_assert_str_eq(p.text, rows[i].read);
        free(p.text);
        json_tree_free(&t);
    }
}

START_TEST(reads_documents)
{
    const row rows[] = {
        {" null ", "null"},
        {"[]", "[]"},
        {"{}", "{}"},
        {"[true, false,null]", "[true,false,null]"},
        {"[0, -0.5, 12, 1e3, 2.5E-1, 9007199254740993]", "[0,-0.5,12,1000,0.25,9007199254740992]"},
        {"[NaN, Infinity, -Infinity]", "[NaN,Infinity,-Infinity]"},
        {"{\"a\": {\"b\": [1,\r\n\t2]}, \"\": 3}", "{\"a\":{\"b\":[1,2]},\"\":3}"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
         "\"\\u0022\\u005c/\\u0008\\u000c\\u000a\\u000d\\u0009\""},
        {"\"\\u00e9\\u20ac\\ud83d\\ude00 \xc3\xa9\"",
         "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc3\xa9\""},
        {"\"\\ud83d\\u0041\\ude00\"", "\"\xef\xbf\xbd"
                                      "A\xef\xbf\xbd\""},
        {"\"a\\u0000b\"", "\"a\\u0000b\""},
        {"\xef\xbb\xbf[1]", "[1]"},
        {"\"it's\x7f\"", "\"it's\x7f\""},
    };
    check_rows(rows, sizeof rows / sizeof *rows, JSON_STRICT);
}
END_TEST

START_TEST(reads_literals_of_python)
{
    const row rows[] = {
        {"{0: 'person', 1: \"it's\", 10: 'T\\'s \"x\"'}",
         "{\"0\":\"person\",\"1\":\"it's\",\"10\":\"T's \\u0022x\\u0022\"}"},
        {"[640, 640]", "[640,640]"},
        {"(17, 3,)", "[17,3]"},
        {"()", "[]"},
        {"[1,]", "[1]"},
        {"{'a': None, 'b': True, 'c': False,}", "{\"a\":null,\"b\":true,\"c\":false}"},
        {"[true, null]", "[true,null]"},
        {"[1., .5, +2, 1e-05, nan, -inf]", "[1,0.5,2,1.0000000000000001e-05,NaN,-Infinity]"},
        {"'\\x41\\xe9\\u20ac\\U0001f600\\101\\0'", "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                                                   "A\\u0000\""},
        {"'\\a\\v\\q\\/\\N{DASH}'", "\"\\u0007\\u000b\\u005cq\\u005c/\\u005cN{DASH}\""},
        {"'a\\\nb\tc'", "\"ab\\u0009c\""},
        {"'\\U00110000\\Ud8000000'", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"{-1: 'x', 1.5: 'y'}", "{\"-1\":\"x\",\"1.5\":\"y\"}"},
        {"'\xe6\x97\xa5'", "\"\xe6\x97\xa5\""},
    };
    check_rows(rows, sizeof rows / sizeof *rows, JSON_PYTHON);
}
END_TEST

START_TEST(tells_the_place)
{
    const struct {
        const char *text;
        json_syntax syntax;
        const char *told;
    } rows[] = {
        {"", JSON_STRICT, "a.json: line 1, column 1: expected a value"},
        {"[1,\n 2,]", JSON_STRICT, "line 2, column 4: expected a value"},
        {"[1 2]", JSON_STRICT, "line 1, column 4: expected ',' or ']'"},
        {"{\"\xc3\xa9\" 1}", JSON_STRICT, "line 1, column 6: expected ':'"},
        {"{a: 1}", JSON_STRICT, "column 2: expected a key in quotes"},
        {"{'a': 1}", JSON_STRICT, "column 2: expected a key in quotes"},
        {"{0: 1}", JSON_STRICT, "column 2: expected a key in quotes"},
        {"{\"a\":1,}", JSON_STRICT, "column 8: expected a key in quotes"},
        {"{\"a\":1", JSON_STRICT, "column 7: expected ',' or '}'"},
        {"(1)", JSON_STRICT, "column 1: expected a value"},
        {"True", JSON_STRICT, "column 1: expected a value"},
        {"[1] x", JSON_STRICT, "column 5: expected the end of the text"},
        {"\"a", JSON_STRICT, "column 1: expected a text that ends"},
        {"\"a\nb\"", JSON_STRICT, "column 3: expected an escape in place of a control character"},
        {"\"\\x41\"", JSON_STRICT, "column 3: expected an escape"},
        {"\"\\", JSON_STRICT, "column 3: expected an escape"},
        {"\"\\u12g4\"", JSON_STRICT, "column 4: expected 4 hexadecimal digits"},
        {"\"\\u12", JSON_STRICT, "column 4: expected 4 hexadecimal digits"},
        {"\"\xff\"", JSON_STRICT, "column 2: expected UTF-8"},
        {"\"\xed\xa0\x80\"", JSON_STRICT, "column 2: expected UTF-8"},
        {"01", JSON_STRICT, "column 1: expected a value"},
        {"1.", JSON_STRICT, "column 1: expected a value"},
        {".5", JSON_STRICT, "column 1: expected a value"},
        {"+1", JSON_STRICT, "column 1: expected a value"},
        {"1e", JSON_STRICT, "column 1: expected a value"},
        {"-", JSON_STRICT, "column 1: expected a value"},
        {"nul", JSON_STRICT, "column 1: expected a value"},
        {"'a\nb'", JSON_PYTHON, "column 3: expected an escape"},
        {"'\\x4'", JSON_PYTHON, "column 4: expected 2 hexadecimal digits"},
        {"'\\U0001f60'", JSON_PYTHON, "column 4: expected 8 hexadecimal digits"},
        {"{1, 2}", JSON_PYTHON, "column 3: expected ':'"},
        {"{x: 2}", JSON_PYTHON, "column 2: expected a key"},
        {"(1, 2", JSON_PYTHON, "column 6: expected ',' or ')'"},
        {"float32(1)", JSON_PYTHON, "column 1: expected a value"},
        {".", JSON_PYTHON, "column 1: expected a value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_tree t;
        oc_error e = {0};
        read(&t, rows[i].text, strlen(rows[i].text), rows[i].syntax, &e);
        ck_assert_msg(e.code == OC_FORMAT && strstr(e.text, rows[i].told), "%s: %s", rows[i].text,
                      e.text);
        ck_assert_ptr_null(t.root);
        json_tree_free(&t);
    }
}
END_TEST

START_TEST(bounds_the_depth)
{
    char text[2 * JSON_READ_DEPTH + 3];
    for (int n = JSON_READ_DEPTH; n <= JSON_READ_DEPTH + 1; n++) {
        json_tree t;
        oc_error e = {0};
        memset(text, '[', (size_t)n);
        memset(text + n, ']', (size_t)n);
        read(&t, text, 2 * (size_t)n, JSON_STRICT, &e);
        ck_assert_int_eq(e.code, n == JSON_READ_DEPTH ? OC_OK : OC_LIMIT);
        json_tree_free(&t);
    }
}
END_TEST

START_TEST(a_nul_ends_nothing)
{
    json_tree t;
    oc_error e = {0};
    read(&t, "[1]\0", 4, JSON_STRICT, &e);
    ck_assert_int_eq(e.code, OC_FORMAT);
    json_tree_free(&t);
}
END_TEST

START_TEST(finds_values)
{
    static const char text[] = "{\"n\": 1, \"n\": 2.5, \"big\": 1e10, \"b\": true, \"s\": \"x\", "
                               "\"z\": \"\\u0000\", \"a\": [5, 6]}";
    json_tree t;
    oc_error e = {0};
    read(&t, text, strlen(text), JSON_STRICT, &e);
    const json_value *root = t.root;
    ck_assert(json_number_of(json_get(root, "n"), 0) == 2.5);
    ck_assert_int_eq(json_int_of(json_get(root, "n"), 0, 9, -1), -1);
    ck_assert_int_eq(json_int_of(json_get(root, "big"), 0, 9, -1), -1);
    ck_assert(json_bool_of(json_get(root, "b"), false) && json_bool_of(json_get(root, "n"), true));
    ck_assert_str_eq(json_text_of(json_get(root, "s")), "x");
    ck_assert_ptr_null(json_text_of(json_get(root, "z")));
    ck_assert_ptr_null(json_text_of(json_get(root, "n")));
    ck_assert_int_eq(json_int_of(json_item(json_get(root, "a"), 1), 0, 9, -1), 6);
    ck_assert_ptr_null(json_item(json_get(root, "a"), 2));
    ck_assert_ptr_null(json_item(root, 0));
    ck_assert_ptr_null(json_get(json_get(root, "a"), "n"));
    ck_assert_ptr_null(json_get(NULL, "n"));
    json_tree_free(&t);
}
END_TEST

SUITE("json_read", reads_documents, reads_literals_of_python, tells_the_place, bounds_the_depth,
      a_nul_ends_nothing, finds_values)
