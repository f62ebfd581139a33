/* SPDX-License-Identifier: Apache-2.0
 * test_host_nodes.c - what an operator of the host learns of its node, once for each, and the
 * strings that it makes. */
#include "suite.h"

#include <ocellus_model.h>
#include <ocellus_op.h>
#include <stdio.h>
#include <string.h>

/* ---- an operator that tells of its nodes ---- */

/* What prepare has seen, a line for each node. */
static char seen[1000];

static void note(const char *text)
{
    ck_assert_uint_lt(strlen(seen) + strlen(text), sizeof seen);
    memcpy(seen + strlen(seen), text, strlen(text) + 1);
}

static void note_port(const oc_port *port)
{
    char text[100];
    snprintf(text, sizeof text, " %s:%s/%d", *port->name ? port->name : "-",
             oc_type_name(port->type), port->rank);
    note(text);
}

static oc_status tell_prepare(oc_call *c)
{
    const oc_node_info node = oc_call_node(c);
    char text[100];
    snprintf(text, sizeof text, "%s::%s-%d '%s'", node.domain, node.op_type, node.since, node.name);
    note(text);
    for (int i = 0; i < node.n_in; i++)
        note_port(&node.in[i]);
    note(" =>");
    for (int i = 0; i < node.n_out; i++)
        note_port(&node.out[i]);
    for (int i = 0; i < node.n_attr; i++) {
        const oc_attribute a = oc_node_attribute(&node, i);
        snprintf(text, sizeof text, " %s=%s", a.name, a.strings ? a.strings[0].data : "?");
        note(text);
    }
    const oc_value *w = node.n_in > 1 ? oc_call_in(c, 1) : NULL;
    const float *weight = w ? oc_value_data(w) : NULL;
    snprintf(text, sizeof text, " w=%g\n", weight ? (double)*weight : 0.0);
    note(text);
    return oc_call_keep(c, 1) ? OC_OK : OC_NOMEM;
}

/* y: the node's name and each element of x. */
static oc_status tell_run(oc_call *c)
{
    const oc_node_info node = oc_call_node(c);
    const oc_value *x = oc_call_in(c, 0);
    const float *element = oc_value_data(x);
    ck_assert_ptr_nonnull(oc_call_prepared(c));
    if (oc_call_set_out(c, 0, OC_STRING, oc_value_rank(x), oc_value_dims(x)) != OC_OK)
        return OC_SHAPE;
    for (int64_t i = 0; i < oc_value_count(x); i++) {
        char text[100];
        const int n = snprintf(text, sizeof text, "%s %g", node.name, (double)element[i]);
        if (oc_call_set_string(c, 0, i, text, (size_t)n) != OC_OK)
            return OC_NOMEM;
    }
    return OC_OK;
}

static const oc_op told[] = {{1, "me::Tell <strings names?> (float x, float w?) => (string y)",
                              NULL, tell_run, tell_prepare},
                             {0}};

#define HEADER "<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1]>\n"

/* The first output of a model whose input x is {2, 3}; with ops in place of told's where not NULL.
 */
static oc_session *run(const char *text, const oc_op *ops, oc_error *e)
{
    const oc_session_options o = {.threads = 1, .ops = ops ? ops : told};
    seen[0] = 0;
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, e);
    oc_session *session = oc_session_new(model, &o, e);
    oc_bind(session, "x", OC_F32, 1, (int64_t[]){2}, (float[]){2, 3}, e);
    oc_run(session, e);
    oc_model_free(model);
    return session;
}

static void expect(const char *text, const char *lines, const char *first, const char *second)
{
    oc_error e = {0};
    oc_session *session = run(text, NULL, &e);
    const oc_string *y = oc_fetch(session, "y", NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_str_eq(seen, lines);
    ck_assert_str_eq(y[0].data, first);
    ck_assert_str_eq(y[1].data, second);
    oc_session_free(session);
}

START_TEST(each_node_is_prepared_and_known)
{
    expect(HEADER "g (float[2] x) => (string[2] y, string[N] z, string u)\n"
                  "<float[1] w = {5}> {\n"
                  "  [one] y = me.Tell (x, w)\n"
                  "  [two] z = me.Tell (x)\n"
                  "  [three] u = me.Tell <names: strings = [\"a\"]> (x, x)\n"
                  "}",
           "me::Tell-1 'one' x:float/1 w:float/1 => y:string/1 w=5\n"
           "me::Tell-1 'two' x:float/1 => z:string/1 w=0\n"
           "me::Tell-1 'three' x:float/1 x:float/1 => u:string/0 names=a w=0\n",
           "one 2", "one 3");
}
END_TEST

START_TEST(nodes_alike_are_prepared_each)
{
    expect(HEADER "g (float[2] x) => (string[2] y, string[2] z)\n"
                  "{ [a] y = me.Tell (x) [b] z = me.Tell (x) }",
           "me::Tell-1 'a' x:float/1 => y:string/1 w=0\n"
           "me::Tell-1 'b' x:float/1 => z:string/1 w=0\n",
           "a 2", "a 3");
}
END_TEST

START_TEST(nodes_of_functions_are_known_where_they_are_inlined)
{
    expect("<ir_version: 8, opset_import: [\"\" : 13, \"me\" : 1, \"f\" : 1]>\n"
           "g (float[2] x) => (string[2] y) { y = f.F <n: strings = [\"b\"]> (x) }\n"
           "<domain: \"f\", opset_import: [\"\" : 13, \"me\" : 1]>\n"
           "F <n> (a) => (b) { [inner] b = me.Tell <names: strings = @n> (a) }",
           "me::Tell-1 'F/inner' x:float/1 => y:string/1 names=b w=0\n", "F/inner 2", "F/inner 3");
}
END_TEST

/* ---- strings ---- */

static int64_t element;

static oc_status wrong_run(oc_call *c)
{
    oc_call_set_out(c, 0, element < 9 ? OC_STRING : OC_F32, 1, (int64_t[]){2});
    oc_call_set_string(c, 0, element % 10, element == 1 ? NULL : "a", 1);
    return OC_OK;
}

START_TEST(a_string_needs_bytes_and_a_place)
{
    static const oc_op wrong[] = {{1, "me::Tell (float x) => (all y)", NULL, wrong_run}, {0}};
    static const struct {
        int64_t element;
        const char *expected;
    } cases[] = {{2, "the operator set string 2 of output 0"},
                 {-1, "the operator set string -1 of output 0"},
                 {1, "the operator set string 1 of output 0 without bytes"},
                 {10, "the operator set string 0 of output 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oc_error e = {0};
        char expected[100];
        element = cases[i].element;
        oc_session_free(run(HEADER "g (float[2] x) => (y) { [n] y = me.Tell (x) }", wrong, &e));
        snprintf(expected, sizeof expected, "node 'n' (me.Tell-1): %s", cases[i].expected);
        ck_assert_int_eq(e.code, OC_ARGUMENT);
        ck_assert_str_eq(e.text, expected);
    }
}
END_TEST

START_TEST(without_a_call_there_is_nothing)
{
    const oc_node_info node = oc_call_node(NULL);
    ck_assert_str_eq(node.name, "");
    ck_assert_str_eq(node.op_type, "");
    ck_assert_int_eq(node.n_in + node.n_out + node.n_attr, 0);
    ck_assert_int_eq(oc_call_set_string(NULL, 0, 0, "", 0), OC_ARGUMENT);
}
END_TEST

SUITE("host_nodes", each_node_is_prepared_and_known, nodes_alike_are_prepared_each,
      nodes_of_functions_are_known_where_they_are_inlined, a_string_needs_bytes_and_a_place,
      without_a_call_there_is_nothing)
