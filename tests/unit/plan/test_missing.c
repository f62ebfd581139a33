/* SPDX-License-Identifier: Apache-2.0
 * test_missing.c - a model that asks for operators that there are not: one error lists them. */
#include "suite.h"

#include <ocellus.h>
#include <stdio.h>
#include <string.h>

static void expect_refusal(const char *text, const char *const parts[])
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_ptr_null(oc_session_new(m, NULL, &e));
    ck_assert_int_eq(e.code, OC_UNSUPPORTED);
    for (int i = 0; parts[i]; i++)
        ck_assert_msg(strstr(e.text, parts[i]) != NULL, "'%s' lacks '%s'", e.text, parts[i]);
    oc_model_free(m);
}

START_TEST(lists_each_operator_once)
{
    expect_refusal("<ir_version: 8, opset_import: [\"\" : 13, \"z\" : 1]>\n"
                   "g (float[N] x) => (float[N] y)\n"
                   "{ a = NoSuchOp (x)  b = z.Other (a)  y = NoSuchOp (b) }",
                   (const char *const[]){"2 operators are not", "NoSuchOp-13, z::Other-1", NULL});
}
END_TEST

START_TEST(tells_the_oldest_version_known)
{
    expect_refusal(
        "<ir_version: 8, opset_import: [\"\" : 15]>\n"
        "g (float x) => (float y) { y = GridSample (x, x) }",
        (const char *const[]){"1 operator is not", "GridSample-15 (oldest known is 16)", NULL});
}
END_TEST

/* Names of any length: each is cut, and all are counted. */
START_TEST(cuts_long_names)
{
    char name[301], text[20000];
    memset(name, 'N', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (int n = 1; n <= 30; n++) {
        size_t at = (size_t)sprintf(text, "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                                          "g (float x) => (y0) {\n");
        for (int i = 0; i < n; i++)
            at += (size_t)sprintf(text + at, "y%d = %s%d (x)\n", i, name, i);
        strcpy(text + at, "}");
        char count[40];
        snprintf(count, sizeof count, n > 1 ? "%d operators are not" : "%d operator is not", n);
        expect_refusal(text, (const char *const[]){count, n > 7 ? ", ..." : "NNN-13", NULL});
    }
}
END_TEST

SUITE("missing", lists_each_operator_once, tells_the_oldest_version_known, cuts_long_names)
