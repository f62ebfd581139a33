/* SPDX-License-Identifier: Apache-2.0
 * test_text_value.c - small tensors from text: lists, tables, and what they refuse. */
#include "test_files.h"
#include "common/number.h"
#include "files/text_value.h"

#include <string.h>

typedef struct row {
    const char *text;
    oc_type type;
    int rank; /* of the input; -1: any */
    const char *shape;
    double element[6];
} row;

static oc_value *read(const char *text, oc_type type, int rank, oc_error *e)
{
    oc_port port = {.name = "x", .type = type, .rank = rank};
    return text_value_read(text, strlen(text), &port, "-i x", e);
}

static void write_shape(const oc_value *v, char text[64])
{
    size_t n = 0;
    text[0] = 0;
    for (int k = 0; k < oc_value_rank(v); k++)
        n += (size_t)snprintf(text + n, 64 - n, "%s%lld", k ? "," : "",
                              (long long)oc_value_dims(v)[k]);
}

START_TEST(lists_and_tables_have_their_shapes)
{
    const row rows[] = {
        {"[[640,480]]", OC_I64, 2, "1,2", {640, 480}},
        {" [ [1, 2,3],\n [4,5,6] ] ", OC_F32, -1, "2,3", {1, 2, 3, 4, 5, 6}},
        {"[1e3, -2.5, nan, inf]", OC_F32, 1, "4", {1000, -2.5, 0, INFINITY}},
        {"[true,false]", OC_BOOL, 1, "2", {1, 0}},
        {"[]", OC_I64, 1, "0", {0}},
        {"[[],[]]", OC_F32, 2, "2,0", {0}},
        {"[[[9]]]", OC_U8, 3, "1,1,1", {9}},
        {"640 480\n", OC_I64, 2, "1,2", {640, 480}},
        {"640,480", OC_I64, 1, "2", {640, 480}},
        {"1;2\r\n3;4\r\n\r\n", OC_I32, -1, "2,2", {1, 2, 3, 4}},
        {"1\n2\n3\n", OC_F32, 1, "3", {1, 2, 3}},
        {"1\n2\n3\n", OC_F32, 2, "3,1", {1, 2, 3}},
        {"1 2 3", OC_F32, 4, "1,1,1,3", {1, 2, 3}},
        {"5", OC_F32, 0, "", {5}},
        {"5", OC_F32, -1, "", {5}},
        {"5", OC_F32, 1, "1", {5}},
        {"0.5", OC_UNDEFINED, -1, "", {0.5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char shape[64];
        oc_error e = {0};
        oc_value *v = read(rows[i].text, rows[i].type, rows[i].rank, &e);
        ck_assert_msg(v != NULL, "%s: %s", rows[i].text, e.text);
        write_shape(v, shape);
        ck_assert_str_eq(shape, rows[i].shape);
        for (int64_t k = 0; k < oc_value_count(v); k++) {
            const double x = number_get(oc_value_type(v), oc_value_data(v), k);
            ck_assert_msg(x == rows[i].element[k] || x != x, "%s: %lld is %g", rows[i].text,
                          (long long)k, x);
        }
        oc_value_free(v);
    }
}
END_TEST

START_TEST(large_integers_are_exact)
{
    oc_error e = {0};
    oc_value *v = read("[9223372036854775807, -9007199254740993]", OC_I64, 1, &e);
    ck_assert_ptr_nonnull(v);
    ck_assert(((const int64_t *)oc_value_data(v))[0] == INT64_MAX);
    ck_assert(((const int64_t *)oc_value_data(v))[1] == INT64_C(-9007199254740993));
    oc_value_free(v);
}
END_TEST

START_TEST(what_is_wrong_is_told)
{
    const struct {
        const char *text;
        oc_type type;
        oc_status code;
        const char *told;
    } rows[] = {
        {"[1,2", OC_F32, OC_FORMAT, "expected ',' or ']'"},
        {"[1,,2]", OC_F32, OC_FORMAT, "expected a number"},
        {"[[1],2]", OC_F32, OC_FORMAT, "expected lists of equal depth"},
        {"[[1,2],[3]]", OC_F32, OC_FORMAT, "expected lists of equal length"},
        {"[1] 2", OC_F32, OC_FORMAT, "expected the end"},
        {"[[[[[[[[[1]]]]]]]]]", OC_F32, OC_FORMAT, "at most 8 brackets"},
        {"1 2\n3\n", OC_F32, OC_FORMAT, "row 2 has 1 numbers, the first 2"},
        {"1 2\n3 x\n", OC_F32, OC_FORMAT, "line 2: expected a number"},
        {"", OC_F32, OC_FORMAT, "expected a number"},
        {"[256]", OC_U8, OC_VALUE, "number 1 is 256, expected uint8"},
        {"[1.5]", OC_I64, OC_VALUE, "number 1 is 1.5, expected int64"},
        {"[2]", OC_BOOL, OC_VALUE, "number 1 is 2, expected bool"},
        {"[1]", OC_STRING, OC_ARGUMENT, "no tensor of numbers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {0};
        ck_assert_ptr_null(read(rows[i].text, rows[i].type, 1, &e));
        ck_assert_msg(e.code == rows[i].code && strstr(e.text, rows[i].told), "%s: %d %s",
                      rows[i].text, (int)e.code, e.text);
    }
}
END_TEST

START_TEST(a_path_is_not_taken_for_a_number)
{
    ck_assert(text_value_is_typed("[1]") && text_value_is_typed("-2.5") &&
              text_value_is_typed("true") && text_value_is_typed("7"));
    ck_assert(!text_value_is_typed("007.png") && !text_value_is_typed("photo.jpg") &&
              !text_value_is_typed("../x.npy") && !text_value_is_typed("./7.npy") &&
              !text_value_is_typed("") && !text_value_is_typed("truely"));
    ck_assert(text_value_is_file("a.TXT") && text_value_is_file("b.json") &&
              !text_value_is_file("c.npy"));
}
END_TEST

SUITE("text_value", lists_and_tables_have_their_shapes, large_integers_are_exact,
      what_is_wrong_is_told, a_path_is_not_taken_for_a_number)
