/* SPDX-License-Identifier: Apache-2.0
 * test_inline_hostile.c - inlining of models made to cost much, and with too little memory. */
#include "failing.h"
#include "models.h"

#include "bodies/inline.h"

#define HEADER "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"
#define FUNCTION(header, text)                                                                     \
    "<domain: \"my\", opset_import: [\"\": 18, \"my\": 1]>\n" header " {" text "}\n"

static void inline_large(text_buffer *t, oc_status code, const char *part)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = model_checked(t->bytes), *out = NULL;
    oc_model_inline(m, NULL, NULL, &out, &e);
    ck_assert_msg(e.code == code && strstr(e.text, part), "%s", e.text);
    oc_model_free(out);
    oc_model_free(m);
    free(t->bytes);
}

START_TEST(exponential_expansion_is_stopped)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (y) { y = my.f99 (x) }\n");
    for (int i = 0; i < 100; i++) {
        text_add(&t, "<domain: \"my\", opset_import: [\"\": 17, \"my\": 1]> f%d (x) => (y) { ", i);
        if (i)
            text_add(&t, "t = my.f%d (x) y = my.f%d (t) }\n", i - 1, i - 1);
        else
            text_add(&t, "y = Neg (x) }\n");
    }
    inline_large(&t, OC_LIMIT, "function calls expand to more than");
}
END_TEST

/* Bodies that leave nothing behind are work all the same. */
START_TEST(exponential_expansion_to_nothing_is_stopped)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (x) { = my.f99 () }\n");
    for (int i = 0; i < 100; i++) {
        text_add(&t, "<domain: \"my\", opset_import: [\"my\": 1]> f%d () => () { ", i);
        if (i)
            text_add(&t, "= my.f%d () = my.f%d () ", i - 1, i - 1);
        text_add(&t, "}\n");
    }
    inline_large(&t, OC_LIMIT, "function calls expand to more than");
}
END_TEST

static void add_chain(text_buffer *t, int n)
{
    text_add(t, HEADER "g (float x) => (y) { y = my.f%d (x) }\n", n - 1);
    for (int i = 0; i < n; i++) {
        text_add(t, "<domain: \"my\", opset_import: [\"\": 17, \"my\": 1]> f%d (x) => (y) { ", i);
        if (i)
            text_add(t, "[a_rather_long_name] y = my.f%d (x) }\n", i - 1);
        else
            text_add(t, "t = Neg (x) y = Neg (t) }\n");
    }
}

START_TEST(deep_calls_are_bounded)
{
    text_buffer t = {.bytes = NULL}, u = {.bytes = NULL};
    add_chain(&t, OC_MAX_CALLS);
    inline_large(&t, OC_OK, "");
    add_chain(&u, OC_MAX_CALLS + 1);
    inline_large(&u, OC_LIMIT, "is called through more than 200 others");
}
END_TEST

/* f0 holds one If; each other function puts a call of the one before it into an If's branch. */
START_TEST(deep_graphs_through_calls_are_bounded)
{
    for (int n = OC_MAX_NESTING; n <= OC_MAX_NESTING + 1; n++) {
        text_buffer t = {.bytes = NULL};
        text_add(&t, HEADER "g (float x) => (y) { y = my.f%d (x) }\n", n - 1);
        for (int i = 0; i < n; i++) {
            text_add(&t, "<domain: \"my\", opset_import: [\"\": 17, \"my\": 1]> f%d (x) => (y) ",
                     i);
            text_add(&t, "{ y = If (x) <then_branch = b () => (z) { z = ");
            if (i)
                text_add(&t, "my.f%d (x) }> }\n", i - 1);
            else
                text_add(&t, "Neg (x) }> }\n");
        }
        inline_large(&t, n > OC_MAX_NESTING ? OC_LIMIT : OC_OK,
                     n > OC_MAX_NESTING ? "nested deeper than 64" : "");
    }
}
END_TEST

/* Calls of one name, whose inner names all clash, cost no more than others. */
START_TEST(many_calls_of_one_name)
{
    text_buffer t = {.bytes = NULL};
    enum { N = 50000 };
    text_add(&t, HEADER "g (float v0) => (v%d) {\n", N);
    for (int i = 0; i < N; i++)
        text_add(&t, "[c] v%d = my.f (v%d)\n", i + 1, i);
    text_add(&t, "}\n" FUNCTION("f (p) => (r)", "t = Neg (p) r = Neg (t)"));
    inline_large(&t, OC_OK, "");
}
END_TEST

START_TEST(long_names_are_not_multiplied)
{
    text_buffer t = {.bytes = NULL};
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    text_add(&t, HEADER "g (float x) => (y, z) { [%s] y = my.f (x) [c] z = my.f (x) }\n", name);
    text_add(&t, "<domain: \"my\", opset_import: [\"\": 18]> f (p) => (r) { ");
    text_add(&t, "%s = Neg (p) ", name);
    text_add(&t, "r = Exp (%s) }", name);
    oc_error e = {.code = OC_OK};
    oc_model *m = model_checked(t.bytes), *out = NULL;
    ck_assert_int_eq(oc_model_inline(m, NULL, NULL, &out, &e), OC_OK);
    ck_assert_int_eq(oc_model_check(out, &e), OC_OK);
    ck_assert_str_eq(out->graph.node[0].out[0], "call/long");
    ck_assert_str_eq(out->graph.node[2].out[0], "c/long");
    oc_model_free(out);
    oc_model_free(m);
    free(t.bytes);
}
END_TEST

/* Values made while versions are settled, of calls that are all named alike, cost no more than
 * others. */
START_TEST(many_values_of_one_name)
{
    text_buffer t = {.bytes = NULL};
    enum { N = 20000 };
    oc_error e = {.code = OC_OK};
    text_add(&t, HEADER "g (float[4] x) => (x) {\n");
    for (int i = 0; i < N; i++)
        text_add(&t, "= my.f (x)\n");
    text_add(&t, "}\n<domain: \"my\", opset_import: [\"\": 9]> f (p) => (r) {");
    text_add(&t, "r, q = Split <split = [1, 3]> (p) \"\", s = Split <split = [2, 2]> (p) }\n");
    oc_model *m = oc_model_load_memory(t.bytes, strlen(t.bytes), NULL, &e);
    oc_model *out = oc_model_expand(m, OC_BODY_EXPAND, NULL, &e);
    ck_assert_msg(out, "%s", e.text);
    ck_assert_int_eq(oc_model_describe(out).n_nodes, 4 * N);
    oc_model_free(out);
    oc_model_free(m);
    free(t.bytes);
}
END_TEST

/* Nor do bodies that are another text for each call. */
START_TEST(many_texts)
{
    text_buffer t = {.bytes = NULL};
    enum { N = 10000 };
    oc_error e = {.code = OC_OK};
    text_add(&t, HEADER "g (float[4] x) => (x) {\n");
    for (int i = 0; i < N; i++)
        text_add(&t, "y%d = Softmax <axis = %d> (x)\n", i, i);
    text_add(&t, "}\n");
    oc_model *m = oc_model_load_memory(t.bytes, strlen(t.bytes), NULL, &e);
    oc_model *out = oc_model_expand(m, OC_BODY_EXPAND, NULL, &e);
    ck_assert_msg(out, "%s", e.text);
    oc_model_free(out);
    oc_model_free(m);
    free(t.bytes);
}
END_TEST

/* ---- memory ---- */

/* Whichever allocation fails, that is an error and nothing is lost. */
START_TEST(every_allocation_may_fail)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (y, z) {\n");
    for (int i = 0; i < 300; i++)
        text_add(&t, "v%d = my.f <a = 1> (x)\n", i);
    text_add(&t, "y, z = my.f (v1) }\n");
    text_add(&t, FUNCTION("f <a> (p) => (r, p)",
                          "t = Neg <u: int = @a> (p) r = If (p) <then_branch = b () => (k) { k = "
                          "my.h (t) }>") FUNCTION("h (p) => (r)", "t = Neg (p) r = Add (p, t)"));
    oc_error e = {.code = OC_NOMEM};
    int n = 0;
    for (; e.code == OC_NOMEM; n++) {
        failing memory = {.left = -1, .forever = true};
        const oc_model_options options = {.alloc = {failing_resize, &memory}};
        oc_model *m = NULL, *out = NULL;
        e.code = OC_OK;
        ck_assert_int_eq(oc_model_new(&options, &m, &e), OC_OK);
        ck_assert_int_eq(oc_load_text(m, t.bytes, strlen(t.bytes), &e), OC_OK);
        memory.left = n;
        oc_model_check(m, &e);
        if (e.code == OC_OK)
            oc_model_inline(m, NULL, NULL, &out, &e);
        ck_assert_msg(e.code == OC_OK || e.code == OC_NOMEM, "%s", e.text);
        oc_model_free(out);
        oc_model_free(m);
        ck_assert_int_eq(memory.bytes, 0);
    }
    ck_assert_int_eq(e.code, OC_OK);
    ck_assert_int_gt(n, 10);
    free(t.bytes);
}
END_TEST

SUITE("inline_hostile", exponential_expansion_is_stopped,
      exponential_expansion_to_nothing_is_stopped, deep_calls_are_bounded,
      deep_graphs_through_calls_are_bounded, many_calls_of_one_name, long_names_are_not_multiplied,
      many_values_of_one_name, many_texts, every_allocation_may_fail)
