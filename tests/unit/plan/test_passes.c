/* SPDX-License-Identifier: Apache-2.0
 * test_passes.c - a session tells which passes have made its plan, and the steps that each has
 * left. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

static const oc_session_options plain = {.threads = 1, .no_nchw16c = true};
static const char model[] = "<ir_version: 8, opset_import: [\"\" : 18]>\n"
                            "g (float[2,3] x) => (float[2,3] y) <float one = {1}> {\n"
                            "  two = Add (one, one)\n"
                            "  a = Mul (x, two)\n"
                            "  y = Relu (a)\n"
                            "}\n";

typedef struct seen {
    char text[4000]; /* a line for each pass: its name, and the steps */
    int n;
    oc_session *session;
} seen;

static void note(void *ctx, const oc_plan_pass *pass)
{
    seen *s = ctx;
    size_t at = strlen(s->text);
    oc_error e = {OC_OK, ""};
    at += (size_t)snprintf(s->text + at, sizeof s->text - at, "%s:", pass->name);
    for (int i = 0; i < pass->n_step; i++)
        at +=
            (size_t)snprintf(s->text + at, sizeof s->text - at, " %s%s%s", pass->step[i].runs,
                             pass->step[i].folded ? "=" : "", pass->step[i].fused_into ? "/" : "");
    snprintf(s->text + at, sizeof s->text - at, "\n");
    s->n += *pass->then != 0;
    oc_run(s->session, &e); /* the session is at work */
    ck_assert_int_eq(e.code, OC_ARGUMENT);
}

static oc_session *session_of(oc_model **m, const char *text, const oc_session_options *options)
{
    oc_error e = {OC_OK, ""};
    *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = oc_session_new(*m, options, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return s;
}

START_TEST(each_pass_is_told)
{
    oc_model *m;
    oc_error e = {OC_OK, ""};
    seen s = {.session = session_of(&m, model, &plain)};
    oc_session_passes(s.session, note, &s, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(s.text, ": Add Mul Relu\n"
                             "types: Add Mul Relu\n"
                             "quantise: Add Mul Relu\n"
                             "groups: Add Mul/ Mul+Relu\n"
                             "walk: Add= Mul/ Mul+Relu\n"
                             "constants: Add= Mul/ Mul+Relu\n"
                             "alignment: Add= Mul/ Mul+Relu\n"
                             "stages: Add= Mul/ Mul+Relu\n"
                             "lifetimes: Add= Mul/ Mul+Relu\n");
    ck_assert_int_eq(s.n, 9);
    oc_session_free(s.session);
    oc_model_free(m);
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    oc_model *m;
    oc_error e = {OC_OK, ""};
    seen s = {.session = session_of(&m, model, &plain)};
    oc_session_passes(NULL, note, &s, &e);
    ck_assert_str_eq(e.text, "oc_session_passes: there is no session");
    oc_session_passes(s.session, note, &s, &e); /* without effect after an error */
    ck_assert_int_eq(s.n, 0);
    e = (oc_error){OC_OK, ""};
    oc_session_passes(s.session, NULL, &s, &e);
    ck_assert_str_eq(e.text, "oc_session_passes: there is nobody to tell");
    oc_session_free(s.session);
    oc_model_free(m);
}
END_TEST

/* Names of operators that the plan of the session has, or that the last pass has left. */
static void expect_steps_of_session(const seen *s)
{
    char text[400] = "lifetimes:";
    oc_plan_step step;
    for (int i = 0; oc_session_step_at(s->session, i, &step); i++) {
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, " %s%s%s", step.runs, step.folded ? "=" : "",
                 step.fused_into ? "/" : "");
    }
    strcat(text, "\n");
    ck_assert_str_eq(strstr(s->text, "lifetimes:"), text);
}

static void ignore(void *ctx, const oc_node_event *event)
{
    (void)ctx;
    (void)event;
}

/* Texts and bodies of the options are the host's, and gone after the session is made. */
START_TEST(options_are_those_of_the_session)
{
    static const char calls[] = "<ir_version: 8, opset_import: [\"\" : 18]>\n"
                                "g (float[2,3] x) => (float[2,3] y) {\n"
                                "  a = Relu (x)\n"
                                "  b = Softplus (a)\n"
                                "  y = Selu (b)\n"
                                "}\n";
    char only[] = "Selu", op_options[] = "RoiAlign.max=bilinear",
         body[] = "<domain: \"\", opset_import: [\"\" : 18]>\n"
                  "Softplus (X) => (Y) { Z = Abs (X) Y = Neg (Z) }";
    oc_function_text own[] = {{.text = body}, {.text = NULL}};
    const oc_session_options wanted[] = {
        {.threads = 1, .bodies = {.policy = OC_BODY_EXPAND, .only = only}},
        {.threads = 1, .bodies = {.own = own}},
        {.threads = 1, .op_options = op_options},
        {.threads = 1, .observer = {.on_node = ignore}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        oc_model *m;
        oc_error e = {OC_OK, ""};
        seen s = {.session = session_of(&m, calls, &wanted[i])};
        if (i + 2 == sizeof wanted / sizeof *wanted)
            memset(op_options, '?', strlen(op_options));
        oc_session_passes(s.session, note, &s, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        expect_steps_of_session(&s);
        oc_session_free(s.session);
        oc_model_free(m);
    }
}
END_TEST

SUITE("passes", each_pass_is_told, wrong_calls_are_refused, options_are_those_of_the_session)
