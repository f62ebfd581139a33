/* SPDX-License-Identifier: Apache-2.0
 * test_check.c - what a valid model is, one defect per case; and large models in little time. */
#include "models.h"

#define HEADER "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"

/* A main graph with x in and y out around these nodes. */
#define NODES(text) HEADER "g (float[N] x) => (float[N] y) {" text "}"
#define FUNCTION(header, text)                                                                     \
    "<domain: \"my\", opset_import: [\"\": 17, \"my\": 1]>\n" header " {" text "}\n"

static const struct bad {
    const char *text;
    oc_status code;
    const char *part;
} bad[] = {
    /* clang-format off */
    /* versions */
    {"<ir_version: 14, opset_import: [\"\": 17]> g (float x) => (x) {}", OC_UNSUPPORTED, "IR version 14"},
    {"<opset_import: [\"\": 17]> g (float x) => (x) {}", OC_UNSUPPORTED, "IR version 0"},
    {"<ir_version: 8, opset_import: [\"\": 0]> g (float x) => (x) {}", OC_MODEL, "model: opset 0 of domain ''"},
    {"<ir_version: 8, opset_import: [\"\": 29]> g (float x) => (x) {}", OC_UNSUPPORTED, "opset 29 is newer than 28"},
    {"<ir_version: 8, opset_import: [\"\": 17, \"ai.onnx\": 16]> g (float x) => (x) {}", OC_MODEL, "model: domain '' is imported as opset 17 and as opset 16, expected one version"},
    {"<ir_version: 8, opset_import: [\"my\": 17]> g (float x) => (y) { y = Neg (x) }", OC_MODEL, "node of 'y' (Neg): domain '' is not among"},
    {NODES("[n] y = other.Op (x)"), OC_MODEL, "graph: node 'n' (other.Op): domain 'other' is not among the opset imports"},
    {HEADER "g () => () {}", OC_MODEL, "graph: there are no nodes"},
    /* single assignment */
    {NODES("y = Neg (x) y = Abs (x)"), OC_MODEL, "graph: value 'y' is defined twice"},
    {NODES("y, y = Split (x)"), OC_MODEL, "'y' is defined twice"},
    {NODES("x = Neg (x) y = Abs (x)"), OC_MODEL, "'x' is defined twice"},
    {HEADER "g (float x, float x) => (x) {}", OC_MODEL, "'x' is defined twice, the second time as an input"},
    {HEADER "g (float x) => (y) <float w = {1}, float w = {2}> { y = Add (x, w) }", OC_MODEL, "initializer 'w' is defined twice"},
    {HEADER "g (float x) => (w) <float w = {1}> { w = Neg (x) }", OC_MODEL, "'w' is defined twice"},
    {NODES("y = If (x) <then_branch = a () => (t) { t = Neg (x) t = Neg (x) }, else_branch = b () => (x) {}>"), OC_MODEL, "graph 'a': value 't' is defined twice"},
    {HEADER "g (float x) => (y) <float w = {1}, float[2] v, int64[2] v> { v = Neg (x) y = Add (v, w) }", OC_MODEL, "graph: value 'v' is declared as float[2] and as int64[2]"},
    {HEADER "g (float x) => (y) <float[2] v, float[3] v> { v = Neg (x) y = Neg (v) }", OC_MODEL, "graph: value 'v' is declared as float[2] and as float[3]"},
    {HEADER "g (float x) => (y) <float[2] v, float[2,1] v> { v = Neg (x) y = Neg (v) }", OC_MODEL, "'v' is declared as float[2] and as float[2,1]"},
    {HEADER "g (float x) => (y) <float[] v, float[N,3] v, float[M,P] v, float[2,4] v> { v = Neg (x) y = Neg (v) }", OC_MODEL, "'v' is declared as float[M,3] and as float[2,4]"},
    {HEADER "g (float x) => (y) <float[2] v, seq(float[2]) v> { v = Neg (x) y = Neg (v) }", OC_MODEL, "'v' is declared as float[2] and as seq(float[2])"},
    {HEADER "g (float x) => (y) <seq(float[2]) v, seq(float[3]) v> { v = Neg (x) y = Neg (v) }", OC_MODEL, "'v' is declared as seq(float[2]) and as seq(float[3])"},
    {NODES("y = If (x) <then_branch = a () => (t) <float s, double s> { s = Neg (x) t = Neg (s) }, else_branch = b () => (x) {}>"), OC_MODEL, "graph: value 's' is declared as float[] and as double[]"},
    /* uses */
    {NODES("[n] y = Neg (z)"), OC_MODEL, "graph: node 'n' (Neg): input 'z' is not defined"},
    {NODES("z = Neg (x)"), OC_MODEL, "graph: output 'y' is not defined"},
    {NODES("y = If (x) <then_branch = a () => (t) { t = Neg (q) }, else_branch = b () => (x) {}>"), OC_MODEL, "graph 'a': node of 't' (Neg): input 'q' is not defined"},
    {NODES("y = If (x) <then_branch = a () => (t) { t = Neg (x) }, else_branch = b () => (t) {}>"), OC_MODEL, "graph 'b': output 't' is not defined"},
    {NODES("y = If (x) <then_branch = a () => (t) { t = Neg (x) }, else_branch = b () => (x) {}> z = Neg (t)"), OC_MODEL, "(Neg): input 't' is not defined"},
    /* circles */
    {NODES("y = Neg (z) z = Abs (y)"), OC_MODEL, "depends on its own output"},
    {NODES("[self] y = Add (x, y)"), OC_MODEL, "graph: node 'self' (Add) depends on its own output"},
    {NODES("[self] y = If (x) <then_branch = a () => (t) { t = Neg (y) }, else_branch = b () => (x) {}>"), OC_MODEL, "node 'self' (If) depends on its own output"},
    {NODES("y = Neg (x) z = Loop (, , w) <body = b (int64 i, bool c, float v) => (c, u) { u = Neg (p) p = Neg (u) }> w = Neg (x)"), OC_MODEL, "graph 'b': node"},
    /* nodes */
    {NODES("y = Neg <a = 1, b = 2, a = 3> (x)"), OC_MODEL, "node of 'y' (Neg): attribute 'a' is given twice"},
    {NODES("y = Neg <alpha: float = @a> (x)"), OC_MODEL, "attribute 'alpha' refers to '@a', which only a function body may"},
    {NODES("y = Neg <a01=1,a02=1,a03=1,a04=1,a05=1,a06=1,a07=1,a08=1,a09=1,a10=1,a11=1,a12=1,a13=1,a14=1,a15=1,a16=1,a17=1,a09=1> (x)"), OC_MODEL, "attribute 'a09' is given twice"},
    /* functions */
    {NODES("y = my.f (x)") FUNCTION("f (x) => (y)", "y = Neg (x)") FUNCTION("f (x) => (y)", "y = Neg (x)"), OC_MODEL, "function 'my::f' is defined twice"},
    {NODES("y = my.f (x)") FUNCTION("f (x) => (y)", "y = Neg (z)"), OC_MODEL, "function 'f': node of 'y' (Neg): input 'z' is not defined"},
    {NODES("y = my.f (x)") FUNCTION("f (x) => (y)", "z = Neg (x)"), OC_MODEL, "function 'f': output 'y' is not defined"},
    {NODES("y = my.f (x)") FUNCTION("f <a> (x) => (y)", "y = Neg <alpha: float = @b> (x)"), OC_MODEL, "'@b', which is not an attribute of the function"},
    {NODES("y = my.f (x)") FUNCTION("f <a, a: int = 2> (x) => (y)", "y = Neg (x)"), OC_MODEL, "function 'f': attribute 'a' is declared twice"},
    {NODES("y = my.f (x)") FUNCTION("f <a: int = @b> (x) => (y)", "y = Neg (x)"), OC_MODEL, "function 'f': the default of attribute 'a' refers to '@b'"},
    {NODES("y = my.f (x)") FUNCTION("f <a: graph = t () => (z) { z = Neg (x) }> (x) => (y)", "y = Neg (x)"), OC_UNSUPPORTED, "the default of attribute 'a' is a graph"},
    {NODES("y = my.f (x)") "<domain: \"my\", opset_import: [\"\": 17, \"\": 16]> f (x) => (y) { y = Neg (x) }", OC_MODEL, "function 'f': domain '' is imported as opset 17 and as opset 16"},
    {NODES("y = my.f (x)") "<domain: \"my\"> f (x) => (y) { y = Neg (x) }", OC_MODEL, "function 'f': node of 'y' (Neg): domain '' is not"},
    {NODES("y = my.f (x)") FUNCTION("f (x) => (y)", "y = my.f (x)"), OC_MODEL, "functions call each other in a circle: f -> f"},
    {NODES("y = my.z (x)") FUNCTION("z (x) => (y)", "y = my.a (x)") FUNCTION("a (x) => (y)", "y = my.b (x)") FUNCTION("b (x) => (y)", "y = my.a (x)"), OC_MODEL, "circle: a -> b -> a"},
    {NODES("y = my.a (x)") FUNCTION("a (x) => (y)", "y = If (x) <then_branch = t () => (z) { z = my.b (x) }, else_branch = e () => (x) {}>") FUNCTION("b (x) => (y)", "y = my.a (x)"), OC_MODEL, "circle: a -> b -> a"},
    {NODES("y = my.a (x)") FUNCTION("a (x) => (y)", "y = Neg <gs: graphs = [t () => (z) { z = my.a (x) }]> (x)"), OC_MODEL, "circle: a -> a"},
    /* clang-format on */
};

START_TEST(defects_are_named)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        model_expect_error(bad[i].text, bad[i].code, bad[i].part);
}
END_TEST

START_TEST(what_real_files_hold_is_accepted)
{
    static const char *const good[] = {
        /* clang-format off */
        HEADER "g (float x) => (x) {}",
        /* initializers as inputs or alone, shared names in graphs side by side, missing optionals */
        HEADER "g (float x, float w = {1}) => (float y) <float v = {2}> { t = Add (w, v) y = Clip (t, , x) }",
        NODES("y = If (x) <then_branch = g1 () => (t) { t = Neg (x) }, else_branch = g1 () => (t) { t = Abs (x) }>"),
        NODES("y, , z = BatchNormalization (x, , )"),
        /* declarations that repeat or add to each other */
        HEADER "g (float x) => (y) <float[2,M] v, float[2,M] v, float[N,3] v, float[2,3] v, seq(float[]) s, seq(float[2]) s> { v = Neg (x) y = Neg (v) }",
        /* names of functions and values, of values and nodes do not clash */
        NODES("[y] y = my.x (x)") FUNCTION("x (x) => (y)", "y = Neg (x)"),
        /* overloads, and functions of domains that the model does not import */
        NODES("y = my.f:b (x)") "<domain: \"my\", overload: \"a\", opset_import: [\"\": 17]> f (x) => (y) { y = Neg (x) }"
                                "<domain: \"my\", overload: \"b\", opset_import: [\"\": 17]> f (x) => (y) { y = Abs (x) }",
        "<ir_version: 8, opset_import: [\"\": 17]> g (float x) => (y) { y = un.f (x) }"
        "<domain: \"un\", opset_import: [\"\": 17]> f (x) => (y) { y = Neg (x) }",
        /* a captured output of a node further down, and the same call twice without a circle */
        NODES("y = my.a (x)") FUNCTION("a (x) => (y)", "t = my.b (x) y = my.b (t)") FUNCTION("b (x) => (y)", "y = Neg (x)"),
        /* names of inner values that equal outer ones */
        NODES("t = Neg (x) y = If (x) <then_branch = a () => (t) { t = Neg (x) }, else_branch = b () => (x) {}>"),
        NODES("y = Loop (, , x) <body = b (int64 i, bool c, float x) => (c, x) {}>"),
        /* unknown domains that no node uses; oldest and newest IR */
        "<ir_version: 1> g (float x) => (y) { y = Neg (x) }",
        "<ir_version: 3, opset_import: [\"\": 1, \"com.example\": 99]> g (float x) => (y) { y = Neg (x) }",
        "<ir_version: 13, opset_import: [\"\": 27]> g (float x) => (y) { y = Neg (x) }",
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        oc_model_free(model_checked(good[i]));
}
END_TEST

START_TEST(nodes_are_sorted_by_what_they_read)
{
    oc_model *m = model_checked(NODES(
        "y = If (c) <then_branch = a () => (t) { t = Neg (s) s = Abs (b) }, else_branch = e () => "
        "(x) {}> c = Neg (b) b = Abs (x) free = Sign (x)"));
    const oc_graph *g = &m->graph;
    const char *const order[] = {"b", "c", "y", "free"};
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(g->node[i].out[0], order[i]);
    const oc_graph *inner = oc_node_attr(&g->node[2], "then_branch")->u.g[0];
    ck_assert_str_eq(inner->node[0].out[0], "s");
    ck_assert_str_eq(inner->node[1].out[0], "t");
    oc_model_free(m);
}
END_TEST

START_TEST(nodes_in_order_stay_so)
{
    oc_model *m = model_checked(NODES("a = Neg (x) b = Abs (x) c = Neg (b) y = Add (a, c)"));
    const char *const order[] = {"a", "b", "c", "y"};
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(m->graph.node[i].out[0], order[i]);
    oc_model_free(m);
}
END_TEST

/* Declarations, initializers that are defaults, and what is known of quantization go with the name;
 * the graph beside and those around keep theirs. */
START_TEST(inner_values_get_names_of_their_own)
{
    oc_model *m = model_checked(
        NODES("t_inner_1 = Neg (x) t = Abs (x) "
              "y = If (x) <then_branch = a () => (float t) <float t, float s = {2}> {"
              " u = Neg (t) t = Mul (u, s) }, "
              "else_branch = {quantization: [\"t\": [\"SCALE\": \"t\", \"ZERO\": \"z\"]]} "
              "b (t) => (t, x) <float t = {1}> {}>"));
    const oc_node *n = &m->graph.node[2];
    const oc_graph *a = oc_node_attr(n, "then_branch")->u.g[0];
    const oc_graph *b = oc_node_attr(n, "else_branch")->u.g[0];
    ck_assert_str_eq(m->graph.node[1].out[0], "t");
    ck_assert_str_eq(a->node[0].in[0], "t");
    ck_assert_str_eq(a->node[1].out[0], "t_inner_2");
    ck_assert_str_eq(a->output[0].name, "t_inner_2");
    ck_assert_str_eq(a->value[0].name, "t_inner_2");
    ck_assert_str_eq(a->initializer[0].name, "s");
    ck_assert_str_eq(b->input[0].name, "t_inner_3");
    ck_assert_str_eq(b->initializer[0].name, "t_inner_3");
    ck_assert_str_eq(b->output[0].name, "t_inner_3");
    ck_assert_str_eq(b->output[1].name, "x");
    ck_assert_str_eq(b->quantization[0].tensor, "t_inner_3");
    ck_assert_str_eq(b->quantization[0].parameters.item[0].value, "t_inner_3");
    ck_assert_str_eq(b->quantization[0].parameters.item[1].value, "z");
    ck_assert_int_eq(m->n_remark, 2);
    ck_assert_str_eq(m->remark[0],
                     "graph 'a': a node's output has the name 't' of a value around the graph, "
                     "which the standard does not allow; it is called 't_inner_2' here");
    oc_error e = {.code = OC_OK};
    ck_assert_int_eq(oc_model_check(m, &e), OC_OK);
    ck_assert_int_eq(m->n_remark, 2);
    oc_model_free(m);
}
END_TEST

START_TEST(declarations_of_outer_values_follow_them)
{
    oc_model *m = model_checked(
        NODES("t = Neg (x) y = If (x) <then_branch = a () => (z) { t = Neg (x) z = If (x) <"
              "then_branch = c () => (u) <float t, float x> { u = Neg (t) }, "
              "else_branch = d () => (x) {}> }, else_branch = b () => (x) <float t> {}>"));
    const oc_node *n = &m->graph.node[1];
    const oc_graph *a = oc_node_attr(n, "then_branch")->u.g[0];
    const oc_graph *b = oc_node_attr(n, "else_branch")->u.g[0];
    const oc_graph *c = oc_node_attr(&a->node[1], "then_branch")->u.g[0];
    ck_assert_str_eq(c->node[0].in[0], "t_inner_1");
    ck_assert_str_eq(c->value[0].name, "t_inner_1");
    ck_assert_str_eq(c->value[1].name, "x");
    ck_assert_str_eq(b->value[0].name, "t");
    oc_model_free(m);
}
END_TEST

/* ---- built by hand: what no text says ---- */

/* A graph within a graph, depth times: each an If with one branch. */
static oc_graph *nest(oc_model *m, int depth)
{
    const oc_name none = oc_model_name(m, "");
    oc_graph *inner = NULL;
    for (int i = 0; i <= depth; i++) {
        oc_graph *g = oc_arena_alloc(&m->arena, sizeof *g);
        oc_node *n = oc_arena_alloc(&m->arena, sizeof *n);
        oc_attr *a = oc_arena_alloc(&m->arena, sizeof *a);
        oc_graph **list = oc_arena_alloc(&m->arena, sizeof(oc_graph *));
        *list = inner;
        *a = (oc_attr){.name = oc_model_name(m, "then_branch"),
                       .kind = OC_ATTR_GRAPH,
                       .n = inner ? 1 : 0,
                       .u.g = list};
        *n = (oc_node){.name = none,
                       .op_type = oc_model_name(m, "If"),
                       .domain = none,
                       .overload = none,
                       .attr = a,
                       .n_attr = 1};
        *g = (oc_graph){.name = none, .doc = "", .node = n, .n_node = 1};
        inner = g;
    }
    return inner;
}

static oc_status check_nest(int depth, oc_error *e)
{
    oc_model *m = model_read(HEADER "g (float x) => (x) {}");
    m->graph = *nest(m, depth);
    const oc_status status = oc_model_check(m, e);
    oc_model_free(m);
    return status;
}

START_TEST(nesting_is_bounded)
{
    oc_error e = {.code = OC_OK};
    ck_assert_int_eq(check_nest(OC_MAX_NESTING, &e), OC_OK);
    ck_assert_int_eq(check_nest(OC_MAX_NESTING + 1, &e), OC_LIMIT);
    e.code = OC_OK;
    ck_assert_int_eq(check_nest(100000, &e), OC_LIMIT);
    ck_assert_msg(strstr(e.text, "nested deeper than 64") != NULL, "%s", e.text);
}
END_TEST

START_TEST(values_without_elements_are_refused)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = model_read(HEADER "g (float x) => (y) <float[2] w = {1, 2}> { y = Add (x, w) }");
    m->graph.initializer[0].value.data = NULL;
    ck_assert_int_eq(oc_model_check(m, &e), OC_MODEL);
    ck_assert_str_eq(e.text, "graph: tensor 'w' has no elements, expected [2]");
    e.code = OC_OK;
    m->graph.initializer[0].value.dims.n[0] = -2;
    ck_assert_int_eq(oc_model_check(m, &e), OC_MODEL);
    oc_model_free(m);
}
END_TEST

START_TEST(equal_imports_count_once)
{
    oc_model *m =
        model_checked("<ir_version: 8, opset_import: [\"\": 17, \"my\": 1, \"ai.onnx\": 17, "
                      "\"my\": 1]> g (float x) => (y) { y = my.f (x) }"
                      "<domain: \"my\", opset_import: [\"\": 16, \"\": 16]> "
                      "f (x) => (y) { y = Neg (x) }");
    ck_assert_int_eq(m->opsets.n, 2);
    ck_assert_int_eq(m->opsets.item[0].version, 17);
    ck_assert_str_eq(m->opsets.item[1].domain, "my");
    ck_assert_int_eq(m->function[0].opsets.n, 1);
    oc_model_free(m);
}
END_TEST

START_TEST(opset_imports_are_bounded)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, "<ir_version: 8, opset_import: [\"\": 17");
    for (int i = 0; i < OC_MAX_IMPORTS; i++)
        text_add(&t, ", \"d%d\": 1", i);
    text_add(&t, "]> g (float x) => (x) {}");
    model_expect_error(t.bytes, OC_LIMIT, "model: 257 opset imports, expected at most 256");
    free(t.bytes);
}
END_TEST

/* ---- large: quadratic time would take minutes ---- */

enum { LARGE = 100000 };

static void check_large(text_buffer *t)
{
    oc_model_free(model_checked(t->bytes));
    free(t->bytes);
}

START_TEST(long_chains_in_any_order)
{
    text_buffer forward = {.bytes = NULL}, backward = {.bytes = NULL};
    text_add(&forward, HEADER "g (float v0) => (v%d) {\n", LARGE);
    text_add(&backward, HEADER "g (float v0) => (v%d) {\n", LARGE);
    for (int i = 0; i < LARGE; i++) {
        text_add(&forward, "v%d = Neg (v%d)\n", i + 1, i);
        text_add(&backward, "v%d = Neg (v%d)\n", LARGE - i, LARGE - i - 1);
    }
    text_add(&forward, "}");
    text_add(&backward, "}");
    check_large(&forward);
    check_large(&backward);
}
END_TEST

START_TEST(a_long_circle)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (v0) { v0 = Neg (v%d)\n", LARGE);
    for (int i = 0; i < LARGE; i++)
        text_add(&t, "v%d = Neg (v%d)\n", i + 1, i);
    text_add(&t, "}");
    model_expect_error(t.bytes, OC_MODEL, "depends on its own output");
    free(t.bytes);
}
END_TEST

START_TEST(wide_nodes)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (y) { v0");
    for (int i = 1; i < LARGE; i++)
        text_add(&t, ", v%d", i);
    text_add(&t, " = Split (x) y = Concat <a0 = 0");
    for (int i = 1; i < LARGE; i++)
        text_add(&t, ", a%d = 0", i);
    text_add(&t, "> (v0");
    for (int i = 1; i < LARGE; i++)
        text_add(&t, ", v%d", i);
    text_add(&t, ") }");
    check_large(&t);
}
END_TEST

START_TEST(many_graphs_that_capture_one_value)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (x) {\n");
    for (int i = 0; i < LARGE / 10; i++)
        text_add(&t, "v%d = If (x) <then_branch = a () => (t) { t = Neg (x) }>\n", i);
    text_add(&t, "}");
    check_large(&t);
}
END_TEST

/* f0 calls f1 calls f2 ..., the last calls the one given; or all are overloads of one name. */
static void add_functions(text_buffer *t, int n, int last_calls, bool overloads)
{
    for (int i = 0; i < n; i++) {
        const int callee = i < n - 1 ? i + 1 : last_calls;
        text_add(t, "<domain: \"my\", overload: \"o%d\", opset_import: [\"\": 17, \"my\": 1]>",
                 overloads ? i : 0);
        text_add(t, "f%d (x) => (y) { ", overloads ? 0 : i);
        if (callee < 0)
            text_add(t, "y = Neg (x) }\n");
        else
            text_add(t, "y = my.f%d:o%d (x) }\n", overloads ? 0 : callee, overloads ? callee : 0);
    }
}

START_TEST(many_functions)
{
    for (int overloads = 0; overloads < 2; overloads++) {
        text_buffer t = {.bytes = NULL};
        text_add(&t, HEADER "g (float x) => (x) {}\n");
        add_functions(&t, LARGE / 2, -1, overloads);
        check_large(&t);
    }
}
END_TEST

START_TEST(a_long_circle_of_functions)
{
    text_buffer t = {.bytes = NULL};
    text_add(&t, HEADER "g (float x) => (x) {}\n");
    add_functions(&t, LARGE / 2, 1, false);
    model_expect_error(t.bytes, OC_MODEL, "circle: f1 -> f2 -> f3 -> f4");
    model_expect_error(t.bytes, OC_MODEL, "f12 -> ... -> f1");
    free(t.bytes);
}
END_TEST

SUITE("check", defects_are_named, what_real_files_hold_is_accepted,
      nodes_are_sorted_by_what_they_read, nodes_in_order_stay_so,
      inner_values_get_names_of_their_own, declarations_of_outer_values_follow_them,
      nesting_is_bounded, values_without_elements_are_refused, equal_imports_count_once,
      opset_imports_are_bounded, long_chains_in_any_order, a_long_circle, wide_nodes,
      many_graphs_that_capture_one_value, many_functions, a_long_circle_of_functions)
