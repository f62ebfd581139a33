/* SPDX-License-Identifier: Apache-2.0
 * test_answer_pick.c - which classes a text names, and what is left of an answer. */
#include "answer/answer_pick.h"

#include "common/data.h"
#include "suite.h"

static char *names[] = {"cat", "a, b", "b", "a", "cat", NULL, "12"};
static const metadata_names known = {names, 7};

static void reads(const char *text, const char *expected)
{
    oc_error e = {0};
    picked_classes p = {0};
    char got[16] = "";
    picked_read(&p, text, &known, 9, &e);
    ck_assert_str_eq(e.text, "");
    for (int i = 0; i < p.n; i++)
        got[i] = p.has[i] ? (char)('0' + i) : '.';
    ck_assert_str_eq(got, expected);
    picked_free(&p);
}

START_TEST(names_and_numbers)
{
    reads("cat", "0...4");
    reads("a, b", ".1");
    reads("b,a", "..23");
    reads("a, b,b", ".12");
    reads("8,5", ".....5..8");
    reads("12", "......6");
}
END_TEST

START_TEST(what_is_no_class)
{
    static const char *const wrong[] = {"", "cat,", ",cat", "9", "dog", "a,b, a", "-1", "1x", "1 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        oc_error e = {0};
        picked_classes p = {0};
        picked_read(&p, wrong[i], &known, 9, &e);
        ck_assert_msg(e.code == OC_ARGUMENT, "'%s' is taken", wrong[i]);
        picked_free(&p);
    }
}
END_TEST

START_TEST(objects_keep_their_parts)
{
    oc_error e = {0};
    picked_classes p = {0};
    const int64_t label[] = {2, 0, 2}, cls[] = {2, 1, 0, 2};
    const float score[] = {3, 2, 1}, point[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float box[12], corner[24], mask[12];
    for (int i = 0; i < 24; i++) {
        corner[i] = (float)i;
        box[i % 12] = mask[i % 12] = (float)(i % 12);
    }
    answer a = {.n = 3,
                .label = label,
                .score = score,
                .box = box,
                .corner = corner,
                .n_points = 1,
                .point = point,
                .grid_width = 2,
                .grid_height = 2,
                .mask = mask,
                .cls = cls};
    void *memory = NULL;
    picked_read(&p, "2", &known, 9, &e);
    answer_pick(&a, &p, &memory, &e);
    ck_assert_str_eq(e.text, "");
    ck_assert_int_eq(a.n, 2);
    ck_assert(a.label[0] == 2 && a.label[1] == 2 && a.score[0] == 3 && a.score[1] == 1);
    ck_assert(a.box[3] == 3 && a.box[4] == 8 && a.corner[7] == 7 && a.corner[8] == 16);
    ck_assert(a.point[2] == 3 && a.point[3] == 7 && a.mask[3] == 3 && a.mask[4] == 8);
    ck_assert(a.cls[0] == 2 && a.cls[1] == -1 && a.cls[2] == -1 && a.cls[3] == 2);
    data_free(memory);
    picked_free(&p);
}
END_TEST

SUITE("answer_pick", names_and_numbers, what_is_no_class, objects_keep_their_parts)
