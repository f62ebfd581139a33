/* SPDX-License-Identifier: Apache-2.0
 * test_own_body.c - function bodies that the host gives. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

#define ONNX "<domain: \"\", opset_import: [\"\": 18]> "

/* y of op (x) with x = {-1, 2}, where the body stands for as says; the text does not outlive the
 * session's making. */
static oc_error run(const char *op, const char *text, const char *as, float y[2])
{
    char model[300], copy[500];
    oc_error e = {.code = OC_OK};
    const int64_t two = 2;
    const float x[] = {-1, 2};
    snprintf(model, sizeof model,
             "<ir_version: 10, opset_import: [\"\": 18, \"com.me\": 1]> "
             "g (float[2] x) => (float[2] y) { y = %s (x) }",
             op);
    snprintf(copy, sizeof copy, "%s", text);
    oc_model *m = oc_model_load_memory(model, strlen(model), NULL, &e);
    const oc_function_text bodies[] = {{copy, as, "mine.txt"}, {0}};
    oc_session *s =
        oc_session_new(m, &(oc_session_options){.threads = 1, .bodies.own = bodies}, &e);
    memset(copy, 'x', sizeof copy);
    oc_bind(s, "x", OC_F32, 1, &two, x, &e);
    oc_run(s, &e);
    const float *got = oc_fetch(s, "y", NULL, &e);
    for (int i = 0; i < 2; i++)
        y[i] = got ? got[i] : 0;
    oc_session_free(s);
    oc_model_free(m);
    return e;
}

static void gives(const char *op, const char *text, const char *as, float first, float second)
{
    float y[2];
    const oc_error e = run(op, text, as, y);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_float_eq(y[0], first);
    ck_assert_float_eq(y[1], second);
}

static void fails(const char *op, const char *text, const char *as, oc_status code,
                  const char *words)
{
    float y[2];
    const oc_error e = run(op, text, as, y);
    ck_assert_msg(e.code == code && strstr(e.text, words), "%s, expected %s", e.text, words);
}

START_TEST(a_body_stands_for_what_it_is_given_for)
{
    gives("Relu", ONNX "Relu (a) => (b) { b = Neg (a) }", NULL, 1, -2);
    gives("Relu", ONNX "Twist (a) => (b) { b = Neg (a) }", "Relu", 1, -2);
    gives("Relu", ONNX "Twist (a) => (b) { b = Neg (a) }", "ai.onnx::Relu", 1, -2);
    gives("com.me.Twist", ONNX "Relu (a) => (b) { b = Neg (a) }", "com.me::Twist", 1, -2);
    gives("com.me.Twist",
          "<domain: \"com.me\", opset_import: [\"\": 18]> Twist (a) => (b) { b = Neg (a) }", NULL,
          1, -2);
}
END_TEST

START_TEST(a_body_tells_what_dims_it_expects)
{
#define OF(pattern)                                                                                \
    ONNX "Relu (a) => (b) { c = Shape (a) b = Add <expect = \"" pattern "\"> (a, a) }"
    static const char wrong[] = "expected a pattern such as";
    gives("Relu", OF("[N] [N]"), NULL, -2, 4);
    gives("Relu", OF("[2]"), NULL, -2, 4);
    gives("Relu", OF("[...,2] ="), NULL, -2, 4);
    gives("Relu", OF("_ [3]|[?]"), NULL, -2, 4);
    gives("Relu", OF("[3] [3]; [...] [2]"), NULL, -2, 4);
    fails("Relu", OF("[N,2] [N]"), NULL, OC_SHAPE,
          "node of 'y' (Add-14): input 0 'A' is [2], expected [N,2]");
    fails("Relu", OF("[N] [N,N]|[1]"), NULL, OC_SHAPE,
          "input 1 'B' is [2], expected [N,N]|[1], N = 2");
    fails("Relu", OF("[...,N,M]"), NULL, OC_SHAPE, "input 0 'A' is [2], expected [...,N,M]");
    fails("Relu", OF("[3]; [4]"), NULL, OC_SHAPE, "input 0 'A' is [2], expected [3]");
    fails("Relu", OF("_ []|![K]"), NULL, OC_UNSUPPORTED,
          "input 1 'B' has a form that is not supported");
    fails("Relu", OF(""), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[n]"), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[N"), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[N] "), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[N];[N]"), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[N,...]"), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("[1234567890]"), NULL, OC_FORMAT, wrong);
    fails("Relu", OF("|[N]"), NULL, OC_FORMAT, wrong);
    fails("Relu", ONNX "Relu (a) => (b) { b = Add <expect = 1> (a, a) }", NULL, OC_FORMAT, wrong);
#undef OF
}
END_TEST

START_TEST(a_body_of_another_operator_changes_nothing)
{
    gives("Relu", ONNX "Twist (a) => (b) { b = Neg (a) }", NULL, 0, 2);
    gives("Relu", ONNX "Relu (a) => (b) { b = Neg (a) }", "com.me::Relu", 0, 2);
}
END_TEST

START_TEST(a_body_may_have_conditions_and_defaults)
{
    const char *text = ONNX "LeakyRelu <alpha: float = 0.5> (a) => (b)\n{\n"
                            "#if alpha\n b = Neg (a)\n#else\n"
                            " half = Constant <value_float: float = $alpha> ()\n"
                            " b = Mul (a, half)\n#end\n}\n";
    gives("LeakyRelu", text, NULL, -0.5F, 1);
    gives("LeakyRelu <alpha = 3.0>", text, NULL, 1, -2);
}
END_TEST

/* Formal inputs may be bound to one value of the caller's, or to none. */
START_TEST(names_in_graphs_of_a_body_may_equal_its_own)
{
    gives("com.me.Twist",
          ONNX "Twist (a, c) => (b) {\n yes = Constant <value = bool {1}> ()\n"
               " b = If (yes) <then_branch = t () => (r) { c = Neg (a) a = Add (a, a) q = Mul (a, "
               "c) r = Add (a, q) },"
               " else_branch = e () => (a) {}>\n}",
          "com.me::Twist", -4, -4);
    gives("Max (x, x) z = Neg",
          ONNX "Both (a, c) => (b) {\n b0 = Loop (n, , a) <body = l (int64 i, bool k, a) => (k, d) "
               "{ d = Add (a, c) }>\n"
               " n = Constant <value = int64 {2}> ()\n b = Identity (b0)\n}",
          "Max", -3, 6);
}
END_TEST

START_TEST(errors_name_file_and_line)
{
    fails("Relu", ONNX "Relu (a) => (b) {\n b = Neg a }", NULL, OC_FORMAT,
          "mine.txt: line 2, column 10");
    fails("Relu", ONNX "Relu (a) => (b) {\n b = Neg (a) }\nrest", NULL, OC_FORMAT,
          "mine.txt: line 3");
    /* Lines that a call does not keep are counted too; the error is found when a call is. */
    const char *late =
        ONNX "Relu (a) => (b)\n{\n#if not a\n b = Neg (a)\n#else\n b = = (a)\n#end\n}";
    fails("Relu", late, NULL, OC_FORMAT, "mine.txt: line 6");
    gives("Neg", late, NULL, 1, -2);
    fails("Relu", ONNX "Relu (a) => (b)\n{\n#if c\n#end\n b = Neg (a) }", NULL, OC_FORMAT,
          "mine.txt: body of Relu, line 3: 'c' is unknown");
}
END_TEST

START_TEST(a_body_does_not_call_itself)
{
    fails("Relu", ONNX "Twist (a) => (b) { b = Relu (a) }", "Relu", OC_MODEL, "Twist -> Twist");
}
END_TEST

START_TEST(a_graph_does_not_ask_for_itself)
{
    fails("Relu",
          "<domain: \"\", opset_import: [\"\": 18, \"attribute\": 1]> Twist "
          "<g: graph = k (u) => (v) { v = attribute.g (u) }> (a) => (b) { b = attribute.g (a) }",
          "Relu", OC_LIMIT, "graphs are nested deeper than 64");
}
END_TEST

/* Words of a model become part of the text, but nothing else does. */
START_TEST(a_value_is_a_word)
{
    const char *text = ONNX "Times <by> (a) => (b)\n{\n c = Constant <value_string = \"$by\"> ()\n"
                            " b = Neg (a)\n}";
    gives("com.me.Times <by = \"two\">", text, "com.me::Times", 1, -2);
    fails("com.me.Times <by = \"\\\"> () b = Abs (a) } #\">", text, "com.me::Times", OC_FORMAT,
          "line 3: $by is not a word");
}
END_TEST

SUITE("own body", a_body_stands_for_what_it_is_given_for, a_body_tells_what_dims_it_expects,
      a_body_of_another_operator_changes_nothing, a_body_may_have_conditions_and_defaults,
      names_in_graphs_of_a_body_may_equal_its_own, errors_name_file_and_line,
      a_body_does_not_call_itself, a_graph_does_not_ask_for_itself, a_value_is_a_word)
