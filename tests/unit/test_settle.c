/* SPDX-License-Identifier: Apache-2.0
 * test_settle.c - expanded models import one version per domain that fits all their nodes. */
#include "models.h"

/* The expanded model as text; NULL with *e set when it cannot be one. */
static char *expand(const char *text, oc_body_policy policy, oc_error *e)
{
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_model *out = oc_model_expand(m, policy, NULL, e);
    char *printed = out ? model_text(out) : NULL;
    oc_model_free(out);
    oc_model_free(m);
    return printed;
}

static void expect_version(const char *text, oc_body_policy policy, int version)
{
    oc_error e = {.code = OC_OK};
    char wanted[80];
    char *printed = expand(text, policy, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    snprintf(wanted, sizeof wanted, "opset_import: [\"\" : %d", version);
    ck_assert_msg(strstr(printed, wanted) != NULL, "expected %d in\n%.600s", version, printed);
    ck_assert_ptr_null(strstr(printed, "opset:"));
    free(printed);
}

static void expect_refusal(const char *text, const char *part)
{
    oc_error e = {.code = OC_OK};
    ck_assert_ptr_null(expand(text, OC_BODY_NATIVE, &e));
    ck_assert_int_eq(e.code, OC_UNSUPPORTED);
    ck_assert_msg(strstr(e.text, part) != NULL, "%s", e.text);
}

/* Versions differ in the types they list, and in attributes that change nothing. */
START_TEST(a_body_follows_its_model)
{
    static const int versions[] = {20, 21, 22, 23, 24, 25};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<ir_version: 10, opset_import: [\"\": %d]> g (float[2,2,3] t, int64[4] s) => "
                 "(float[] y) { y = AffineGrid (t, s) }",
                 versions[i]);
        expect_version(text, OC_BODY_EXPAND, versions[i]);
        expect_version(text, OC_BODY_STANDARD, versions[i]);
    }
}
END_TEST

#define MODEL(version, nodes)                                                                      \
    "<ir_version: 8, opset_import: [\"\": " #version ", \"my\": 1]> g (float[4] x) => (y) {" nodes \
    "}"
#define BODY(version, nodes)                                                                       \
    "<domain: \"my\", opset_import: [\"\": " #version "]> f (p) => (r) {" nodes "}"

START_TEST(a_model_follows_its_body)
{
    expect_version(MODEL(13, "t = my.f (x) y = Abs (t)")
                       BODY(18, "r, q = Split <num_outputs = 2> (p)"),
                   OC_BODY_NATIVE, 18);
    expect_version(MODEL(17, "t = my.f (x) y = Abs (t)") BODY(13, "r = Neg (p)"), OC_BODY_NATIVE,
                   17);
}
END_TEST

START_TEST(what_changes_its_meaning_is_refused)
{
    /* Split-13 without lengths takes equal parts; Split-18 must be told so. */
    expect_refusal(MODEL(13, "t = my.f (x) y, z = Split (t)")
                       BODY(18, "r, q = Split <num_outputs = 2> (p)"),
                   "node 'y' (Split-13)");
    /* Axes were an attribute. */
    expect_refusal(MODEL(11, "t = my.f (x) y = Squeeze <axes = [0]> (t)")
                       BODY(13, "a = Constant <value_ints = [0]> () r = Unsqueeze (p, a)"),
                   "node 'y' (Squeeze-11)");
    /* The default of coordinate_transformation_mode is not what version 10 did. */
    expect_refusal("<ir_version: 8, opset_import: [\"\": 10, \"my\": 1]> g (float[1,1,4,4] x, "
                   "float[1,4] r, int64[1] b) => (y) { t = my.f (x) y = RoiAlign (t, r, b) }" BODY(
                       16, "r = Where (p, p, p)"),
                   "node 'y' (RoiAlign-10)");
}
END_TEST

SUITE("settle", a_body_follows_its_model, a_model_follows_its_body,
      what_changes_its_meaning_is_refused)
