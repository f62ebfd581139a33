/* SPDX-License-Identifier: Apache-2.0
 * test_unify_opsets.c - expanded models import one version per domain that fits all their nodes. */
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

/* The function's nodes stand in a model of the version; the file then says it all with that. */
static void expect_nodes(const char *text, int version, const char *const part[])
{
    oc_error e = {.code = OC_OK};
    char *printed = expand(text, OC_BODY_NATIVE, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    expect_version(text, OC_BODY_NATIVE, version);
    for (; *part; part++)
        ck_assert_msg(strstr(printed, *part) != NULL, "expected %s in\n%s", *part, printed);
    free(printed);
}

#define EXPECT(model_version, nodes, ...)                                                          \
    expect_nodes(MODEL(model_version, "y = my.f (x)") nodes, model_version,                        \
                 (const char *const[]){__VA_ARGS__, NULL})

START_TEST(attributes_become_inputs)
{
    EXPECT(13, BODY(11, "t = Unsqueeze <axes = [0, 2]> (p) r = Squeeze <axes = [2]> (t)"),
           "\"f/t/axes\" = Constant <value: tensor = int64[2] {0, 2}> ()",
           "\"f/t\" = Unsqueeze (x, \"f/t/axes\")",
           "\"y/axes\" = Constant <value: tensor = int64[1] {2}> ()",
           "y = Squeeze (\"f/t\", \"y/axes\")");
    EXPECT(18, BODY(17, "t = ReduceMax <axes = [1], keepdims = 0> (p) r = ReduceMean (t)"),
           "= ReduceMax <keepdims: int = 0> (x, \"f/t/axes\")", "y = ReduceMean (\"f/t\")");
    EXPECT(13, BODY(11, "r, t = Split <axis = 0, split = [1, 3]> (p)"),
           "y, \"f/t\" = Split <axis: int = 0> (x, \"y/split\")");
    EXPECT(13,
           BODY(9, "t = Slice <starts = [1], ends = [3]> (p) "
                   "r = Slice <axes = [0], starts = [1], ends = [2]> (t)"),
           "= Slice (x, \"f/t/starts\", \"f/t/ends\")",
           "y = Slice (\"f/t\", \"y/starts\", \"y/ends\", \"y/axes\")");
    EXPECT(11, BODY(9, "r, t = TopK <axis = 0, k = 2> (p)"),
           "\"y/k\" = Constant <value: tensor = int64[1] {2}> ()",
           "y, \"f/t\" = TopK <axis: int = 0> (x, \"y/k\")");
    /* A name that is there already. */
    expect_nodes(MODEL(13, "\"y/axes\" = Abs (x) y = my.f (\"y/axes\")")
                     BODY(11, "r = Squeeze <axes = [0]> (p)"),
                 13, (const char *const[]){"y = Squeeze (\"y/axes\", \"y/axes_2\")", NULL});
}
END_TEST

START_TEST(defaults_are_said)
{
    EXPECT(18, BODY(13, "r, t = Split (p)"), "y, \"f/t\" = Split <num_outputs: int = 2> (x)");
    EXPECT(20, BODY(16, "r = GridSample <mode = \"bicubic\"> (p, p)"),
           "y = GridSample <mode: string = \"cubic\"> (x, x)");
    EXPECT(
        16, BODY(10, "r = RoiAlign (p, p, p)"),
        "y = RoiAlign <coordinate_transformation_mode: string = \"output_half_pixel\"> (x, x, x)");
    EXPECT(16, BODY(10, "r = RoiAlign <mode = \"max\"> (p, p, p)"),
           "mode: string = \"max\", coordinate_transformation_mode: string = ");
    EXPECT(15, BODY(9, "r = BatchNormalization <epsilon = 0.5> (p, p, p, p, p)"),
           "y = BatchNormalization <epsilon: float = 0.5> (x, x, x, x, x)");
    EXPECT(13, BODY(6, "r = Add <broadcast = 1> (p, p)"), "y = Add (x, x)");
}
END_TEST

START_TEST(axes_taken_as_one_are_flattened)
{
    EXPECT(13, BODY(11, "r = Softmax <axis = 0> (p)"), "\"y/shape\" = Shape (x)",
           "\"y/rows\" = Flatten <axis: int = 0> (x)", "y = Reshape (\"y/of_rows\", \"y/shape\")");
    EXPECT(14, BODY(11, "r = Hardmax (p)"), "\"y/rows\" = Flatten (x)",
           "\"y/of_rows\" = Hardmax <axis: int = -1> (\"y/rows\")",
           "y = Reshape <allowzero: int = 1> (\"y/of_rows\", \"y/shape\")");
}
END_TEST

/* Nodes of the model are raised too when a function is newer, also in graphs within nodes. */
START_TEST(nodes_of_the_model_are_raised)
{
    expect_nodes(MODEL(13, "t = my.f (x) y, z = Split (t)")
                     BODY(18, "r, q = Split <num_outputs = 2> (p)"),
                 18, (const char *const[]){"Split <num_outputs: int = 2> (t)", NULL});
    expect_nodes(MODEL(13, "c = Constant <value = bool {1}> () y = If <then_branch = a () => (u) {"
                           "u = my.f (x)}, else_branch = b () => (v) {v = Identity (x)}> (c)")
                     BODY(11, "r = Squeeze <axes = [0]> (p)"),
                 13, (const char *const[]){"Squeeze (x, \"u/axes\")", NULL});
}
END_TEST

/* Softmax has a body from 13 on, which is looked for under the version that it settles for. */
START_TEST(what_becomes_a_call_is_expanded)
{
    oc_error e = {.code = OC_OK};
    char *printed =
        expand(MODEL(13, "y = my.f (x)") BODY(11, "r = Softmax (p)"), OC_BODY_EXPAND, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_ptr_nonnull(strstr(printed, "= Exp ("));
    ck_assert_ptr_null(strstr(printed, "= Softmax"));
    free(printed);
}
END_TEST

START_TEST(types_tell_what_a_version_takes)
{
    EXPECT(19, BODY(13, "r = QuantizeLinear (p, p)"), "y = QuantizeLinear (x, x)");
    EXPECT(13, BODY(9, "r = Erf (p)"), "y = Erf (x)");
    EXPECT(13, BODY(18, "r = Add (p, p)"), "y = Add (x, x)");
    EXPECT(13, BODY(19, "i = Cast <to = 6> (p) r = Equal (i, i)"), "y = Equal (");
    EXPECT(11, BODY(10, "t = Clip <min = 0.5> (p) h = Cast <to = 10> (t) r = Clip (h)"),
           "\"f/t/min\" = Constant <value: tensor = float {0.5}> ()",
           "\"f/t/max\" = Constant <value: tensor = float {3.4028235e+38}> ()",
           "\"f/t\" = Clip (x, \"f/t/min\", \"f/t/max\")",
           "\"y/min\" = Constant <value: tensor = float16 {-inf}> ()");
    EXPECT(11, BODY(10, "r = Pad <pads = [1, 1], value = 2.0> (p)"),
           "y = Pad (x, \"y/pads\", \"y/value\")");
}
END_TEST

START_TEST(the_oldest_version_is_taken)
{
    /* 14 brought allowzero; 18 is what the other function was written for. */
    expect_version(MODEL(13, "t = my.f (x) y = Abs (t)")
                       BODY(18, "r = Reshape <allowzero = 1> (p, p)"),
                   OC_BODY_NATIVE, 14);
}
END_TEST

START_TEST(imports_that_nothing_needs_go)
{
    EXPECT(13, BODY(13, "r = Abs (p)"), "opset_import: [\"\" : 13]\n");
    EXPECT(13,
           "<domain: \"my\", opset_import: [\"\": 13, \"your\": 3]> f (p) => (r) "
           "{ r = your.Abs (p) }",
           "opset_import: [\"\" : 13, \"your\" : 3]\n");
}
END_TEST

START_TEST(what_changes_its_meaning_is_refused)
{
    /* Scale and bias were one per group, not one per channel. */
    expect_refusal(MODEL(21, "y = my.f (x)")
                       BODY(18, "r = GroupNormalization <num_groups = 2> (p, p, p)"),
                   "node of 'y' (GroupNormalization-18)");
    /* An attribute of floats, where the input has the type of x: it must be known. */
    expect_refusal("<ir_version: 8, opset_import: [\"\": 11, \"my\": 1]> g (x) => (y) "
                   "{ y = my.f (x) }" BODY(10, "r = Clip <min = 0.0> (p)"),
                   "node of 'y' (Clip-6)");
    /* The axis of B would need the rank of A. */
    expect_refusal(MODEL(7, "y = my.f (x)") BODY(6, "r = Add <axis = 0, broadcast = 1> (p, p)"),
                   "node of 'y' (Add-6)");
    /* int32 with a scale of float went until 19 and goes from 23 on. */
    expect_refusal(MODEL(15, "y = my.f (x)")
                       BODY(9, "r, m, v, s, t = BatchNormalization (p, p, p, p, p)"),
                   "BatchNormalization-9");
    expect_refusal(MODEL(19, "y = my.f (x)")
                       BODY(13, "i = Cast <to = 6> (p) r = QuantizeLinear (i, p)"),
                   "node of 'y' (QuantizeLinear-13)");
    /* Integers are no longer taken. */
    expect_refusal(MODEL(13, "y = my.f (x)") BODY(9, "i = Cast <to = 6> (p) r = Erf (i)"),
                   "node of 'y' (Erf-9)");
    /* What has the name t has a type in each of the branches. */
    expect_refusal(MODEL(11, "c = Constant <value = bool {1}> () y = If <"
                             "then_branch = a () => (u) {t = Abs (x) u = my.f (t)}, "
                             "else_branch = b () => (v) {t = Cast <to = 11> (x) v = my.f (t)}> (c)")
                       BODY(10, "r = Clip <min = 0.0> (p)"),
                   "node of 'u' (Clip-6)");
    /* The attribute is of another kind than ever was. */
    expect_refusal(MODEL(11, "y = my.f (x)") BODY(10, "r = Clip <min = \"0\"> (p)"),
                   "node of 'y' (Clip-6)");
    expect_refusal(MODEL(13, "y = my.f (x)") BODY(11, "r = Squeeze <axes = \"all\"> (p)"),
                   "node of 'y' (Squeeze-11)");
}
END_TEST

SUITE("unify_opsets", a_body_follows_its_model, a_model_follows_its_body, attributes_become_inputs,
      defaults_are_said, axes_taken_as_one_are_flattened, nodes_of_the_model_are_raised,
      what_becomes_a_call_is_expanded, types_tell_what_a_version_takes, the_oldest_version_is_taken,
      imports_that_nothing_needs_go, what_changes_its_meaning_is_refused)
