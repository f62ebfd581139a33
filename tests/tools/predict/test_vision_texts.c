/* SPDX-License-Identifier: Apache-2.0
 * test_vision_texts.c - a function's text brings what it calls, and behind a model's text it runs.
 */
#include "predict/vision_texts.h"
#include "suite.h"

#include <ocellus.h>
#include <stdio.h>
#include <string.h>

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

START_TEST(a_text_brings_what_it_calls)
{
    char *text = vision_text("Yolov8");
    ck_assert_int_eq(count(text, "\nYolov8 <"), 1);
    ck_assert_int_eq(count(text, "\nSuppress <"), 1);
    ck_assert_int_eq(count(text, "\nToPhotograph ("), 1);
    ck_assert_int_eq(count(text, "\nCorners ("), 1);
    ck_assert_int_eq(count(text, "\nPickColumns <"), 1);
    ck_assert_int_eq(count(text, "\n>"), 5);
    free(text);
    text = vision_text("Corners");
    ck_assert_int_eq(count(text, "\n>"), 1);
    free(text);
}
END_TEST

START_TEST(an_unknown_name_has_no_text)
{
    ck_assert_ptr_null(vision_text("Yolov"));
    ck_assert_ptr_null(vision_text("Yolov88"));
    ck_assert_ptr_null(vision_text(""));
}
END_TEST

START_TEST(a_model_calls_it)
{
    static const char model[] =
        "<ir_version: 8, opset_import: [\"\" : 18, \"ocellus.vision\" : 1]>\n"
        "g (float[1,4] centred) => (float[1,4] boxes)\n"
        "{ boxes = ocellus.vision.Corners (centred) }\n";
    char *functions = vision_text("Corners"), text[4096];
    const int size = snprintf(text, sizeof text, "%s%s", model, functions);
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, (size_t)size, NULL, &e);
    oc_session *s = oc_session_new(m, NULL, &e);
    const int64_t dims[] = {1, 4};
    const float centred[] = {10, 20, 4, 8};
    oc_bind(s, "centred", OC_F32, 2, dims, centred, &e);
    oc_run(s, &e);
    const float *boxes = oc_fetch(s, "boxes", NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    static const float expected[] = {8, 16, 12, 24};
    ck_assert_mem_eq(boxes, expected, sizeof expected);
    oc_session_free(s);
    oc_model_free(m);
    free(functions);
}
END_TEST

SUITE("vision_texts", a_text_brings_what_it_calls, an_unknown_name_has_no_text, a_model_calls_it)
