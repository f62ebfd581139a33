/* SPDX-License-Identifier: Apache-2.0
 * test_extract.c - what oc_model_extract keeps of a model, and what it refuses. */
#include "starved.h"

static const char text[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1, \"com.me\" : 2, \"none\" : 3],\n"
    " metadata_props: [\"k\": \"v\"]>\n"
    "g (bool c, float[N,4] x, float[4] bias) => (float[N,4] y, z)\n"
    "<float[4] w = {1, 2, 3, 4}, float[1] unused = {0}, int64[2] halves = {1, 3}, float[4] bias = "
    "{0, 0, 0, 0}, float[N,4] b>\n"
    "{\n"
    "  a = Relu (x)\n"
    "  b = my.Twice (a)\n"
    "  left, right = Split <axis = 1> (b, halves)\n"
    "  y = Add (b, bias)\n"
    "  d = Mul (w, w)\n"
    "  z = If <then_branch = t () => (p) { p = Add (left, d) }, else_branch = e () => (right) {}> "
    "(c)\n"
    "}\n"
    "<domain: \"my\", opset_import: [\"\" : 17, \"my\" : 1, \"com.me\" : 2]>\n"
    "Twice (p) => (q) { q = my.Plus (p, p) }\n"
    "<domain: \"my\", opset_import: [\"\" : 17]>\n"
    "Plus (p, r) => (q) { q = Add (p, r) }\n"
    "<domain: \"my\", opset_import: [\"\" : 17]>\n"
    "Never (p) => (q) { q = Neg (p) }\n";

enum { MOST = 4 };

static oc_model *whole(oc_error *e)
{
    oc_model *m = oc_model_load_memory(text, sizeof text - 1, NULL, e);
    ck_assert_msg(m, "%s", e->text);
    return m;
}

/* Names with blanks between; at most MOST. Returns how many. */
static int split(char *names, const char *list[MOST])
{
    int n = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
        list[n++] = name;
    return n;
}

static oc_model *cut(const oc_model *m, const char *from, const char *to, oc_error *e)
{
    char begin[100], end[100];
    const char *first[MOST], *last[MOST];
    oc_cut at[MOST] = {{.name = NULL}};
    snprintf(begin, sizeof begin, "%s", from);
    snprintf(end, sizeof end, "%s", to);
    const int n = split(begin, first), n_to = split(end, last);
    for (int i = 0; i < n; i++)
        at[i].name = first[i];
    return oc_model_extract(m, at, n, last, n_to, e);
}

/* The part is, as text without blanks at line ends, what is wanted. */
static void expect(const char *from, const char *to, const char *want)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = whole(&e), *part = cut(m, from, to, &e);
    ck_assert_msg(part, "from %s to %s: %s", from, to, e.text);
    oc_model_free(m); /* the part lives on */
    char *got = model_text(part);
    ck_assert_str_eq(got, want);
    free(got);
    oc_model_free(part);
}

#define HEAD(imports)                                                                              \
    "<\n  ir_version: 8,\n  opset_import: [" imports "],\n  metadata_props: [\"k\": \"v\"]\n>\n"

START_TEST(keeps_what_the_nodes_use)
{
    expect("", "a", HEAD("\"\" : 17") "g (float[N,4] x) => (float[N,4] a) {\n  a = Relu (x)\n}\n");
    expect("b", "y",
           HEAD("\"\" : 17") "g (float[N,4] b, float[4] bias) => (float[N,4] y) <\n"
                             "  float[4] bias = {0, 0, 0, 0}\n"
                             "> {\n  y = Add (b, bias)\n}\n");
    expect("a", "b",
           HEAD("\"\" : 17, \"my\" : 1, \"com.me\" : 2") //
           "g (float[N,4] a) => (float[N,4] b) {\n  b = my.Twice (a)\n}\n"
           "<\n  domain: \"my\",\n  opset_import: [\"\" : 17, \"my\" : 1, \"com.me\" : 2]\n>\n"
           "Twice (p) => (q) {\n  q = my.Plus (p, p)\n}\n"
           "<\n  domain: \"my\",\n  opset_import: [\"\" : 17]\n>\n"
           "Plus (p, r) => (q) {\n  q = Add (p, r)\n}\n");
}
END_TEST

/* A type or a shape that no declaration tells is the one that a plan finds. */
START_TEST(declares_what_a_plan_finds)
{
    expect("", "d",
           HEAD("\"\" : 17") "g () => (float[4] d) <\n  float[4] w = {1, 2, 3, 4}\n> {\n"
                             "  d = Mul (w, w)\n}\n");
    expect("w", "d", HEAD("\"\" : 17") "g (float[4] w) => (float[4] d) {\n  d = Mul (w, w)\n}\n");
}
END_TEST

/* What graphs within a node capture is used, also where it is an output of theirs. */
START_TEST(captures_are_used)
{
    expect("left right d", "z",
           HEAD("\"\" : 17") "g (float[N,1] left, float[N,3] right, float[4] d, bool c) => "
                             "(float[N,?] z) {\n"
                             "  z = If (c) <then_branch: graph = t () => (p) {\n"
                             "    p = Add (left, d)\n"
                             "  }, else_branch: graph = e () => (right) {\n"
                             "  }>\n"
                             "}\n");
}
END_TEST

/* A node that gives a value which the part begins with, and another, which is needed. */
START_TEST(an_output_is_renamed)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = whole(&e), *part = cut(m, "left", "left right", &e);
    ck_assert_msg(part, "%s", e.text);
    char *got = model_text(part);
    ck_assert_ptr_nonnull(strstr(got, "left_unread_1, right = Split"));
    ck_assert_ptr_nonnull(strstr(got, "=> (float[N,1] left, float[N,3] right)"));
    free(got);
    oc_model_free(part);
    oc_model_free(m);
}
END_TEST

START_TEST(a_value_becomes_an_initializer)
{
    static const int64_t dim[] = {1, 4};
    oc_error e = {OC_OK, ""};
    oc_model *m = whole(&e);
    oc_value *v = oc_tensor_new(OC_F32, 2, dim, NULL, &e);
    ((float *)oc_value_mutable_data(v))[2] = 7;
    oc_value *words = oc_tensor_new(OC_STRING, 1, dim, NULL, &e);
    const char *to = "y";
    oc_model *part = oc_model_extract(m, &(oc_cut){"b", v}, 1, &to, 1, &e);
    ck_assert_msg(part, "%s", e.text);
    oc_value_free(v); /* it was copied */
    char *got = model_text(part);
    ck_assert_ptr_nonnull(strstr(got, "g (float[4] bias) => (float[N,4] y)"));
    ck_assert_ptr_nonnull(strstr(got, "float[1,4] b = {0, 0, 7, 0}"));
    free(got);
    oc_model_free(part);
    ck_assert_ptr_null(oc_model_extract(m, &(oc_cut){"b", words}, 1, &to, 1, &e));
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    ck_assert_str_eq(e.text, "the elements given for value 'b' are no numbers");
    oc_value_free(words);
    oc_model_free(m);
}
END_TEST

static void refuse(const char *from, const char *to, const char *want)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = whole(&e);
    ck_assert_ptr_null(cut(m, from, to, &e));
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    ck_assert_str_eq(e.text, want);
    oc_model_free(m);
}

START_TEST(what_is_refused)
{
    refuse("", "nothing", "the main graph has no value 'nothing'");
    refuse("p", "y", "the main graph has no value 'p'");
    refuse("a a", "y", "value 'a' is named twice");
    refuse("", "y y", "value 'y' is named twice");
    refuse("y", "y", "there is no node between where the part begins and where it ends");
    refuse("", "w", "there is no node between where the part begins and where it ends");
}
END_TEST

static oc_model *cut_left(void *ctx, oc_error *e)
{
    return cut(ctx, "left", "z", e);
}

START_TEST(without_memory)
{
    failing hungry = {.left = -1};
    oc_error e = {OC_OK, ""};
    const oc_model_options options = {.alloc = {failing_resize, &hungry}};
    oc_model *m = oc_model_load_memory(text, sizeof text - 1, &options, &e);
    ck_assert_int_gt(starved(&hungry, cut_left, m), 20);
    oc_model_free(m);
    ck_assert_int_eq(hungry.blocks, 0);
}
END_TEST

SUITE("extract", keeps_what_the_nodes_use, declares_what_a_plan_finds, captures_are_used,
      an_output_is_renamed, a_value_becomes_an_initializer, what_is_refused, without_memory)
