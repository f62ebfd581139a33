/* SPDX-License-Identifier: Apache-2.0
 * test_conditions.c - which lines of a conditional body a call keeps. */
#include "suite.h"

#include "graph/build.h"
#include "bodies/conditions.h"
#include "bodies/library.h"
#include "models.h"

#include <string.h>

#define HEAD                                                                                       \
    "<domain: \"\", opset_import: [\"\" : 20]>\n"                                                  \
    "F <mode: string = \"none\", n: int = 3, x: float = 0.5, free, list: ints = [1, 2]>(A, B) => " \
    "(Y, Z)\n{\n"

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Takes out empty lines, which stand where lines are not kept. */
static void close_up(const char *text, char *to)
{
    for (char last = '\n'; *text; last = *text++)
        if (*text != '\n' || last != '\n')
            *to++ = *text;
    *to = 0;
}

/* The lines that a call keeps, or the error. */
static void check(const char *attrs_and_inputs, const char *outputs, const char *body,
                  const char *expected)
{
    char text[600], model[300];
    const char *selected = "";
    oc_error e = {.code = OC_OK};
    oc_body_library library = {.model = NULL};
    snprintf(text, sizeof text, HEAD "%s}\n", body);
    snprintf(
        model, sizeof model,
        "<ir_version: 10, opset_import: [\"\": 20]> g (float a, seq(int64) b, c) => (float y) {"
        " %s = F %s }",
        outputs, attrs_and_inputs);
    oc_model *m = model_read(model), *draft = NULL;
    ck_assert_int_eq(oc_model_new(NULL, &draft, &e), OC_OK);
    const char *header;
    const oc_function *all;
    ck_assert_int_eq(oc_body_header(text, &draft->arena, &header, &e), OC_OK);
    ck_assert_msg(oc_body_parse(&library, header, NULL, &all, &e) == OC_OK, "%s", e.text);
    oc_types types = oc_types_new(&draft->arena, NULL); /* that of c is not known */
    for (int i = 0; i < m->graph.n_input; i++)
        oc_type_put(&types.of, m->graph.input[i].name, oc_type_declared(&m->graph.input[i].type));
    const oc_body_call call = {.node = &m->graph.node[0], .types = &types, .opset = 20};
    const oc_status status = oc_body_select(all, text, &call, &draft->arena, &selected, &e);
    if (status == OC_OK) {
        ck_assert_int_eq(strncmp(selected, HEAD, strlen(HEAD)), 0);
        char want[600], got[600];
        snprintf(want, sizeof want, "%s}\n", expected);
        close_up(selected + strlen(HEAD), got);
        ck_assert_str_eq(got, want);
        ck_assert_int_eq(count_lines(selected), count_lines(text));
    } else {
        ck_assert_str_eq(e.text, expected);
    }
    oc_model_free(m);
    oc_model_free(draft);
    oc_model_free(library.model);
}

START_TEST(ports_and_attributes)
{
    static const char body[] =
        "#if B\nb\n#else\nno b\n#end\n  #if Z\nz\n  #end\n#if free\nfree\n#end\n";
    check("(a, b)", "y", body, "b\n");
    check("(a)", "y", body, "no b\n");
    check("(a, \"\")", "y, z", body, "no b\nz\n");
    check("<free = 1> (a, b)", "\"\", z", body, "b\nz\nfree\n");
}
END_TEST

START_TEST(values_and_defaults)
{
    static const char body[] =
        "#if mode == tanh\ntanh\n#end\n#if mode == none\nnone\n#end\n#if n == 3\n3\n#end\n"
        "#if n == -1\n-1\n#end\n#if x == 0.5\nhalf\n#end\n#if free == 2\ntwo\n#end\n";
    check("(a)", "y", body, "none\n3\nhalf\n");
    check("<mode = \"tanh\", n = -1, x = 0.25, free = 2> (a)", "y", body, "tanh\n-1\ntwo\n");
    check("<mode = \"ta\", n = 4> (a)", "y", body, "half\n");
}
END_TEST

START_TEST(conditions_combine_and_nest)
{
    static const char body[] =
        "#if B and not Z\n1\n#if not n == 3\n2\n#else\n3\n#end\n4\n#else\n5\n"
        "#if not B\n6\n#end\n#end\n7\n#if Z\n#if A\n8\n#end\n#end\n";
    check("(a, b)", "y", body, "1\n3\n4\n7\n");
    check("<n = 1> (a, b)", "y", body, "1\n2\n4\n7\n");
    check("(a, b)", "y, z", body, "5\n7\n8\n");
    check("(a)", "y", body, "5\n6\n7\n");
}
END_TEST

START_TEST(values_are_filled_in)
{
    static const char body[] = "y<$n> [$list]$x, \"$mode\"\n#if free\n$free.\n#end\n";
    check("(a)", "y", body, "y<3> [1, 2]0.5, \"none\"\n");
    check("<n = -7, list = [4], x = 1e-5, mode = \"it\", free = 9> (a)", "y", body,
          "y<-7> [4]9.99999975e-06, \"it\"\n9.\n");
    check("(a)", "y", "$free\n",
          "body of F, line 4: $free has no value, expected an input, or an attribute that is given "
          "or has a default: numbers or a word");
}
END_TEST

START_TEST(types_of_inputs)
{
    static const char body[] = "#if A is float and not B is sequence\n1\n#end\n#if A is int64\n2\n"
                               "#end\n#if B is int64\n3\n#end\n#if B is sequence\n4 $B\n#end\n$A\n";
    static const char not_known[] = "node of 'y' (F): the type of input 'c' is not known, which "
                                    "its body depends on: expected a "
                                    "declared one";
    check("(a)", "y", body, "1\n1\n");
    check("(a, b)", "y", body, "4 7\n1\n");
    check("(b, a)", "y", "#if A is sequence and B is float\n$A $B\n#end\n", "7 1\n");
    check("(c)", "y", "#if A is bool\n#end\n", not_known);
    check("(c)", "y", "$A\n", not_known);
    check("(a)", "y", "$B\n",
          "body of F, line 4: a missing input has no type, expected an #if around it");
    check("(a)", "y", "#if A is real\n#end\n",
          "body of F, line 4: 'is' is in the wrong place, expected an input and a type");
    check("(a)", "y", "#if n is int64\n#end\n",
          "body of F, line 4: 'is' is in the wrong place, expected an input and a type");
}
END_TEST

START_TEST(types_that_differ)
{
    static const char body[] = "#if A is unlike B\n1\n#else\n2\n#end\n";
    check("(a, b)", "y", body, "1\n");
    check("(a, a)", "y", body, "2\n");
    check("(a)", "y", body, "2\n");
    check("(a, c)", "y", body, "2\n"); /* not known to differ */
    check("(a)", "y", "#if not A is unlike B\n3\n#end\n", "3\n");
    check("(a)", "y", "#if A is unlike Q\n#end\n",
          "body of F, line 4: 'unlike' is in the wrong place, expected an input on both sides");
    check("(a)", "y", "#if n is unlike A\n#end\n",
          "body of F, line 4: 'unlike' is in the wrong place, expected an input on both sides");
}
END_TEST

START_TEST(versions)
{
    check("(a)", "y",
          "#if opset < 20\n1\n#end\n#if not opset < 20\n2\n#end\n#if opset < 21\n3\n#end\n",
          "2\n3\n");
    check("(a)", "y", "#if B and opset < 21\n1\n#else\n2\n#end\n", "2\n");
    check("(a)", "y", "#if opset\n#end\n",
          "body of F, line 4: 'opset' has no version, expected 'opset <' and a version");
    check("(a)", "y", "#if opset < A\n#end\n",
          "body of F, line 4: 'opset' has no version, expected 'opset <' and a version");
}
END_TEST

START_TEST(calls_that_are_refused)
{
    static const char body[] =
        "#if not mode == none\n#refuse mode is '$mode', not n = $n\n#end\nx\n";
    check("(a)", "y", body, "x\n");
    check("<mode = \"it\"> (a)", "y", body, "node of 'y' (F): mode is 'it', not n = 3");
    check("<mode = \"none\"> (a)", "y", "#if B\n#refuse\n#end\nx\n", "x\n");
    check("<n = 4> (a)", "y", "#if not n == 3\n#unsupported n is $n\n#end\nx\n",
          "node of 'y' (F): n is 4");
}
END_TEST

START_TEST(wrong_conditions)
{
    check("(a)", "y", "#if Q\n#end\n",
          "body of F, line 4: 'Q' is unknown, expected an input, an output or an attribute of the "
          "function");
    check("(a)", "y", "x\n#if A\n",
          "body of F, line 6: the text ends within an #if, expected #end");
    check("(a)", "y", "#else\n", "body of F, line 4: #else has no #if, expected an #if before it");
    check("(a)", "y", "#if A\n#else\n#else\n#end\n",
          "body of F, line 6: #else has no #if, expected an #if before it");
    check("(a)", "y", "#end\n", "body of F, line 4: #end has no #if, expected an #if before it");
    check("(a)", "y", "#if \n#end\n",
          "body of F, line 4: a condition has no name, expected that of a port or an attribute");
    check("(a)", "y", "#if n = 3\n#end\n", "body of F, line 4: a single '=', expected '=='");
    check("(a)", "y", "#if A B\n#end\n",
          "body of F, line 4: a condition goes on, expected 'and', or its end");
}
END_TEST

SUITE("conditions", ports_and_attributes, values_and_defaults, conditions_combine_and_nest,
      values_are_filled_in, types_of_inputs, types_that_differ, versions, calls_that_are_refused,
      wrong_conditions)
