/* SPDX-License-Identifier: Apache-2.0
 * test_examine.c - oc_model_examine tells all that is wrong with a model, and fails cleanly. */
#include "failing.h"
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

static const char wrong[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                            "g (bool c, float[2] x) => (double[2] y, float[3] z, u, v)\n"
                            "{\n"
                            "  y = Neg (x)\n"
                            "  z = Abs (x)\n"
                            "  u = Softmax <axes = 1> (x)\n"
                            "  w = NoSuchOp (u)\n"
                            "  v = If <then_branch = t () => (a) { a = Neg <way = 1> (w) },\n"
                            "          else_branch = f () => (float[2] x) { }> (c)\n"
                            "}\n";

/* One line for each thing that is told: "TYPE text". */
static void note(void *ctx, oc_status code, const char *text)
{
    char *all = ctx;
    const size_t at = strlen(all);
    snprintf(all + at, 2000 - at, "%s %s\n", oc_status_name(code), text);
}

START_TEST(tells_everything)
{
    char all[2000] = "";
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(wrong, strlen(wrong), NULL, &e);
    oc_model_examine(m, note, all, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(all,
                     "MODEL node of 'u' (Softmax-13): attribute 'axes' is unknown to this version\n"
                     "MODEL node of 'a' (Neg-13): attribute 'way' is unknown to this version\n"
                     "TYPE node of 'y' (Neg-13): output 'y' is float, declared double[2]\n"
                     "OK node of 'z' (Abs-13): output 'z' is float[2], declared float[3]\n");
    oc_model_free(m);
}
END_TEST

START_TEST(tells_nothing_of_a_model_that_is_right)
{
    static const char right[] = "<ir_version: 8, opset_import: [\"\" : 20]>\n"
                                "g (float[2] x) => (float[2] y) { y = Gelu (x) }";
    char all[2000] = "";
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(right, strlen(right), NULL, &e);
    oc_model_examine(m, note, all, &e);
    ck_assert_msg(e.code == OC_OK && !*all, "%s%s", e.text, all);
    oc_model_examine(m, NULL, NULL, &e);
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    oc_model_free(m);
}
END_TEST

START_TEST(without_memory_it_is_an_error)
{
    bool failed = true;
    for (int k = 0; failed; k++) {
        failing f = {.left = k, .forever = true};
        char all[2000] = "";
        oc_error e = {OC_OK, ""};
        oc_model *m = oc_model_load_memory(wrong, strlen(wrong),
                                           &(oc_model_options){.alloc = {failing_resize, &f}}, &e);
        oc_model_examine(m, note, all, &e);
        failed = e.code != OC_OK;
        ck_assert_msg(!failed || e.code == OC_NOMEM, "k %d: %s", k, e.text);
        oc_model_free(m);
        ck_assert_msg(f.blocks == 0, "k %d: %ld blocks leak", k, f.blocks);
        ck_assert_int_lt(k, 5000);
    }
}
END_TEST

SUITE("examine", tells_everything, tells_nothing_of_a_model_that_is_right,
      without_memory_it_is_an_error)
