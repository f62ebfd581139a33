/* SPDX-License-Identifier: Apache-2.0
 * test_outputs.c - outputs live until the next run, and come back as inputs of it. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

#define HEADER       "<ir_version: 8, opset_import: [\"\" : 17]>\n"
#define ASSERT_OK(e) ck_assert_msg((e).code == OC_OK, "%s", (e).text)

static oc_session *start(const char *text, oc_model **m, oc_error *e)
{
    *m = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session *s = oc_session_new(*m, &(oc_session_options){.threads = 1}, e);
    ASSERT_OK(*e);
    return s;
}

static void bind(oc_session *s, const char *input, const float x[4], oc_error *e)
{
    oc_bind(s, input, OC_F32, 1, (int64_t[]){4}, x, e);
    ASSERT_OK(*e);
}

/* The first number of an output, or of the innermost first item of a list. */
static float first(const oc_value *v)
{
    while (oc_value_kind(v) != OC_TENSOR)
        v = oc_value_item(v, 0);
    return *(const float *)oc_value_data(v);
}

/* What the host has bound is its own again once the input is bound anew: outputs hold nothing of
 * it, whatever passes elements on. */
START_TEST(outputs_outlive_what_inputs_borrow)
{
    static const char *const graphs[] = {
        "g (float[4] x) => (float[4] x) { }",
        "g (float[4] x) => (float[4] y) { y = Identity (x) }",
        "g (float[4] x) => (float[2,2] y) <int64[2] d = {2, 2}> { y = Reshape (x, d) }",
        "g (float[4] x) => (float[4] y) <bool b = {1}> { y = If (b)"
        " <then_branch = t () => (z) { z = Identity (x) },"
        "  else_branch = f () => (z) { z = Neg (x) }> }",
        "g (float[4] x) => (float[4] y) <int64 n = {2}> { y = Loop (n, , x)"
        " <body = b (int64 i, bool c, float[4] v) => (bool go, float[4] w)"
        " { go = Identity (c) w = Identity (v) }> }",
        "g (float[4] x) => (seq(float[4]) y) { y = SequenceConstruct (x) }",
        "g (float[4] x) => (seq(float) y) { y = SplitToSequence (x) }",
        "g (float[4] x) => (optional(float[4]) y) { y = Optional (x) }",
        "g (float[4] x) => (seq(float[4]) y) { n = Neg (x) s = SequenceConstruct (n)"
        " p = Constant <value_int = 0> () y = SequenceInsert (s, x, p) }",
        "g (float[4] x) => (optional(seq(float[4])) y)"
        " { s = SequenceConstruct (x) y = Optional (s) }",
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        char text[600];
        float x[4] = {1, 2, 3, 4};
        oc_error e = {OC_OK, ""};
        oc_model *m;
        snprintf(text, sizeof text, HEADER "%s", graphs[i]);
        oc_session *s = start(text, &m, &e);
        bind(s, "x", x, &e);
        for (int run = 0; run < 2; run++) { /* what is bound stays bound */
            x[0] = (float)(run + 1);
            oc_run(s, &e);
            const oc_value *y = oc_fetch_value_at(s, 0, &e);
            ASSERT_OK(e);
            x[0] = 99;
            ck_assert_msg(first(y) == (float)(run + 1), "graph %zu, run %d: %g", i, run,
                          (double)first(y));
        }
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

/* The loop of a recurrent network: its state is an output, and an input of the next run. */
START_TEST(a_state_is_given_back)
{
    float frame[4] = {1}, next[4] = {10}, zero[4] = {0};
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(HEADER "g (float[4] x, float[4] h) => (float[4] n, float[4] y)"
                                 " { n = Identity (x)  y = Add (x, h) }",
                          &m, &e);
    bind(s, "x", frame, &e);
    bind(s, "h", zero, &e);
    oc_run(s, &e);
    oc_bind_value(s, "h", oc_fetch_value(s, "n", &e), &e);
    bind(s, "x", next, &e);
    frame[0] = 99; /* the host's again */
    oc_run(s, &e);
    ASSERT_OK(e);
    ck_assert(first(oc_fetch_value(s, "y", &e)) == 11);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* By value or by its elements, whole or in part; other nodes want its memory meanwhile. */
START_TEST(items_of_outputs_are_given_back)
{
    static const float w[4] = {3, 3, 3, 3};
    for (int way = 0; way < 3; way++) {
        float x[4] = {1, 2, 3, 4};
        oc_error e = {OC_OK, ""};
        oc_model *m;
        oc_session *s =
            start(HEADER "g (float[4] w, float[N] x) =>"
                         " (float[4] z, float[4] a, float[4] b, optional(seq(float[N])) o)\n"
                         "{ z = Mul (w, w) a = Add (w, w) b = Sub (z, a)\n"
                         "  y = Neg (x) s = SequenceConstruct (y, y) o = Optional (s) }",
                  &m, &e);
        bind(s, "w", w, &e);
        bind(s, "x", x, &e);
        oc_run(s, &e);
        const oc_value *item = oc_value_item(oc_value_item(oc_fetch_value(s, "o", &e), 0), 1);
        const float *data = oc_value_data(item);
        if (way == 0)
            oc_bind_value(s, "x", item, &e);
        else
            oc_bind(s, "x", OC_F32, 1, (int64_t[]){way == 1 ? 4 : 3}, way == 1 ? data : data + 1,
                    &e);
        oc_run(s, &e);
        ASSERT_OK(e);
        ck_assert_msg(first(oc_fetch_value(s, "o", &e)) == (way < 2 ? 1 : 2), "way %d", way);
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

/* Each of many outputs is found again by its elements. */
START_TEST(many_outputs_are_given_back)
{
    enum { N = 1000, ROOM = 100 * N };
    static char text[ROOM];
    char name[16];
    size_t n = (size_t)sprintf(text, HEADER "g (float[4] x0");
    for (int i = 1; i < N; i++)
        n += (size_t)sprintf(text + n, ", float[4] x%d", i);
    n += (size_t)sprintf(text + n, ") => (float[4] y0");
    for (int i = 1; i < N; i++)
        n += (size_t)sprintf(text + n, ", float[4] y%d", i);
    n += (size_t)sprintf(text + n, ") {\n");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "y%d = Neg (x%d)\n", i, i);
    sprintf(text + n, "}");
    static float x[N][4];
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(text, &m, &e);
    for (int i = 0; i < N; i++) {
        x[i][0] = (float)i;
        sprintf(name, "x%d", i);
        bind(s, name, x[i], &e);
    }
    for (int run = 0; run < 3; run++) {
        oc_run(s, &e);
        for (int i = 0; i < N; i++) {
            const float *y = oc_value_data(oc_fetch_value_at(s, i, &e));
            ck_assert_msg(y[0] == (float)(run % 2 ? i : -i), "run %d, output %d: %g", run, i,
                          (double)y[0]);
            sprintf(name, "x%d", i);
            bind(s, name, y, &e);
        }
    }
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* An output that is bound has as many bytes as it has. */
START_TEST(no_more_than_an_output_has)
{
    static const float x[4] = {1, 2, 3, 4};
    oc_error e = {OC_OK, ""};
    oc_model *m;
    oc_session *s = start(HEADER "g (float[N] x) => (float[N] y) { y = Neg (x) }", &m, &e);
    bind(s, "x", x, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", NULL, &e);
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){100000}, y, &e);
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    ck_assert_msg(strstr(e.text, "400000 bytes are bound"), "%s", e.text);
    e.code = OC_OK;
    bind(s, "x", y, &e);
    oc_run(s, &e);
    ASSERT_OK(e);
    ck_assert(first(oc_fetch_value(s, "y", &e)) == 1);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

static void overwrite(void *ctx, const oc_node_event *event)
{
    for (int i = 0; i < event->n_out && !event->begin; i++) {
        float *y = oc_value_mutable_data((oc_value *)(uintptr_t)event->out[i]);
        *(int *)ctx += y != NULL;
        if (y)
            y[0] = 100;
    }
}

/* Who looks at nodes overwrites what they compute, never an input, also if it is an output. */
START_TEST(an_output_that_is_bound_stays_as_it_is)
{
    static const float x[4] = {1, 2, 3, 4};
    int n_overwritten = 0;
    oc_error e = {OC_OK, ""};
    static const char text[] =
        HEADER "g (float[4] x) => (float[4] y) { t = Identity (x) y = Add (t, t) }";
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    const oc_session_options o = {
        .threads = 1, .observer = {.on_node = overwrite, .on_node_ctx = &n_overwritten}};
    oc_session *s = oc_session_new(m, &o, &e);
    bind(s, "x", x, &e);
    for (int run = 0; run < 3; run++) {
        oc_run(s, &e);
        ASSERT_OK(e);
        ck_assert_int_eq(n_overwritten, run + 1); /* y alone */
        ck_assert(first(oc_fetch_value(s, "y", &e)) == 100);
        oc_bind_value(s, "x", oc_fetch_value(s, "y", &e), &e);
    }
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* One copy of the same elements, in however many outputs, or items of one, they are. */
START_TEST(equal_elements_are_copied_once)
{
    enum { N = 100000 };
    static const char *const graphs[] = {
        "g (float[N] x) => (seq(float[N]) s, float[N] x, seq(float[N]) s, float[N] y) {\n"
        " n = Constant <value_int = 100> () b = Constant <value = bool {1}> () e = SequenceEmpty "
        "()\n"
        " y = Identity (x) s = Loop (n, b, e) <body = l (int64 i, bool c, seq(float[N]) a) =>"
        " (bool d, seq(float[N]) z) { d = Identity (c) z = SequenceInsert (a, x) }> }",
        "g (float[N] x) => (float[N] x, float[N] x, float[N] x) { }",
    };
    static float x[N];
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        char text[600];
        oc_error e = {OC_OK, ""};
        snprintf(text, sizeof text, HEADER "%s", graphs[i]);
        oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
        const oc_session_options o = {.threads = 1, .limits.memory_cap = 3 * sizeof x};
        oc_session *s = oc_session_new(m, &o, &e);
        x[0] = 1;
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){N}, x, &e);
        for (int run = 0; run < 2; run++) {
            oc_run(s, &e);
            ASSERT_OK(e);
            x[0] = 99;
            for (int k = 0; k < 3; k++)
                ck_assert(first(oc_fetch_value_at(s, k, &e)) == (run ? 99 : 1));
        }
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

SUITE("outputs", equal_elements_are_copied_once, no_more_than_an_output_has,
      an_output_that_is_bound_stays_as_it_is, outputs_outlive_what_inputs_borrow,
      a_state_is_given_back, items_of_outputs_are_given_back, many_outputs_are_given_back)
