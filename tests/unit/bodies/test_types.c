/* SPDX-License-Identifier: Apache-2.0
 * test_types.c - types of inner values, as CastLike's body has to know them. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>

#include "graph/build.h"
#include "models.h"

#include <string.h>

#define STEP "<body = step (int64 i, bool go, c) => (bool more, t, u)"

/* The nodes make v from x and the others; what type has it? */
static const struct {
    const char *nodes;
    oc_type type;
} known[] = {
    /* clang-format off */
    /* declared; by a variable of the signature; the only one that is possible */
    {"v = Identity (k)", OC_I8},
    {"a = Abs (h) v = Add (a, a)", OC_F16},
    {"v = Shape (x)", OC_I64},
    {"v = Equal (x, x)", OC_BOOL},
    {"v = GridSample (h, x)", OC_F16},
    {"v = Gather (k, n)", OC_I8},
    /* by an attribute, given or not */
    {"v = Cast <to = 10> (x)", OC_F16},
    {"v = RandomUniform <shape = [2]> ()", OC_F32},
    {"v = RandomUniform <shape = [2], dtype = 11> ()", OC_F64},
    {"v = RandomUniformLike (h)", OC_F16},
    {"v = RandomUniformLike <dtype = 1> (h)", OC_F32},
    {"v = HannWindow (n)", OC_F32},
    {"v = HannWindow <output_datatype = 10> (n)", OC_F16},
    {"v = Constant <value_int = 1> ()", OC_I64},
    {"v = Constant <value_floats = [1.0]> ()", OC_F32},
    {"v = Constant <value = uint8 {1}> ()", OC_U8},
    {"v = Constant <value_string = \"s\"> ()", OC_STRING},
    {"v = ConstantOfShape (n)", OC_F32},
    {"v = ConstantOfShape <value = int32[1] {1}> (n)", OC_I32},
    {"v = QuantizeLinear (x, x)", OC_U8},
    {"v = QuantizeLinear (x, x, k)", OC_I8},
    /* sequences and their items */
    {"a = SequenceConstruct (k, k) v = SequenceAt (a, n)", OC_I8},
    {"a = SequenceEmpty <dtype = 7> () v = SequenceAt (a, n)", OC_I64},
    {"a = SequenceEmpty () v = SequenceAt (a, n)", OC_F32},
    {"a = SplitToSequence (h) c = SequenceInsert (a, h) v = ConcatFromSequence <axis = 0> (c)", OC_F16},
    {"a = SequenceMap <body = m (p) => (int64 q) { q = Shape (p) }> (s) v = SequenceAt (a, n)", OC_I64},
    /* graphs within: outputs declared, or as their nodes give them; inputs of loops */
    {"v = If (b) <then_branch = t () => (p) { p = Cast <to = 3> (x) }, else_branch = e () => (q) { q = Identity (k) }>", OC_I8},
    {"v = If (b) <then_branch = t () => (int8 p) { p = my.op (x) }, else_branch = e () => (q) { q = Identity (k) }>", OC_I8},
    {"a, v = Loop " STEP " { more = Identity (go) t = Identity (c) u = Shape (c) }> (n, b, h)", OC_I64},
    {"v, a = Loop " STEP " { more = Identity (go) t = Identity (c) u = Shape (c) }> (n, b, h)", OC_F16},
    {"v = Scan <num_scan_inputs = 1, body = step (p) => (q) { q = Neg (p) }> (h)", OC_F16},
    /* clang-format on */
};

/* What the last CastLike casts to; 0: the error says that it is not known. */
static int64_t find_cast(const char *nodes)
{
    char text[800];
    oc_error e = {.code = OC_OK};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\": 19, \"my\": 1]> g (float[1,1,1] x, float16 h, "
             "int8[1] k, int64 n, bool[1] b, seq(float) s) => (y) { %s y = CastLike (x, v) }",
             nodes);
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(m, "%s: %s", nodes, e.text);
    oc_model *out = oc_model_expand(m, OC_BODY_EXPAND, "CastLike", &e);
    if (!out)
        ck_assert_msg(strstr(e.text, "is not known"), "%s: %s", nodes, e.text);
    int64_t to = 0;
    for (int i = 0; out && i < out->graph.n_node; i++) {
        const oc_node *n = &out->graph.node[i];
        if (strcmp(n->out[0], "y") == 0) {
            ck_assert_str_eq(n->op_type, "Cast");
            to = *oc_node_attr(n, "to")->u.i;
        }
    }
    oc_model_free(out);
    oc_model_free(m);
    return to;
}

START_TEST(types_of_inner_values)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int64_t to = find_cast(known[i].nodes);
        ck_assert_msg(to == (int64_t)known[i].type, "%s: %d, expected %d", known[i].nodes, (int)to,
                      (int)known[i].type);
    }
}
END_TEST

START_TEST(types_that_are_not_known)
{
    ck_assert_int_eq(find_cast("v = my.op (x)"), 0);
    ck_assert_int_eq(find_cast("a = my.op (x) v = Neg (a)"), 0);
}
END_TEST

/* A body within a graph attribute of a body, where names are those of the new model. */
START_TEST(types_within_graph_attributes)
{
    static const char text[] =
        "<ir_version: 10, opset_import: [\"\": 24, \"ai.onnx.preview\": 1]>"
        " g (float16[1,1,2,2] q) => (float16[1,1,2,2] y) { y = ai.onnx.preview.FlexAttention "
        "<score_mod = f (p) => (r) { d = CastLike (two, p) r = Mul (p, d) }> (q, q, q) }";
    static const char two[] = "<float two = {2.0}>";
    char whole[600];
    const char *brace = strstr(text, " { y =");
    oc_error e = {.code = OC_OK};
    snprintf(whole, sizeof whole, "%.*s %s%s", (int)(brace - text), text, two, brace);
    oc_model *m = oc_model_load_memory(whole, strlen(whole), NULL, &e);
    ck_assert_msg(m, "%s", e.text);
    oc_model *out = oc_model_expand(m, OC_BODY_EXPAND, NULL, &e);
    ck_assert_msg(out, "%s", e.text);
    int n_casts = 0;
    for (int i = 0; i < out->graph.n_node; i++) {
        ck_assert_str_ne(out->graph.node[i].op_type, "CastLike");
        n_casts += strcmp(out->graph.node[i].op_type, "Cast") == 0 &&
                   strcmp(out->graph.node[i].in[0], "two") == 0 &&
                   *oc_node_attr(&out->graph.node[i], "to")->u.i == OC_F32;
    }
    ck_assert_int_eq(n_casts, 1); /* scores of float16 inputs are float */
    oc_model_free(out);
    oc_model_free(m);
}
END_TEST

/* Sequences are told apart from tensors: by a body that takes both. */
START_TEST(kinds_of_inner_values)
{
    static const oc_function_text bodies[] = {
        {.text = "<domain: \"my\", opset_import: [\"\": 19]> Count (X) => (n)\n{\n"
                 "#if X is sequence\n n = SequenceLength (X)\n#else\n n = Size (X)\n#end\n}"},
        {.text = NULL}};
    static const char text[] =
        "<ir_version: 10, opset_import: [\"\": 19, \"my\": 1]> g (float[2,3] x) => (int64[1] y) {"
        " s = SequenceConstruct (x, x, x, x, x)"
        " a = SequenceMap <body = m (p) => (float q) { q = Neg (p) }> (s)"
        " o = Constant <value = int64 {0}> () t = SequenceAt (a, o)"
        " n = my.Count (a) k = my.Count (t) y = Sub (k, n) }";
    oc_error e = {.code = OC_OK};
    const float x[6] = {0};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    const oc_session_options options = {.bodies.own = bodies, .threads = 1};
    oc_session *s = oc_session_new(m, &options, &e);
    oc_bind(s, "x", OC_F32, 2, (const int64_t[]){2, 3}, x, &e);
    oc_run(s, &e);
    const oc_value *y = oc_fetch_value_at(s, 0, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_int_eq(*(const int64_t *)oc_value_data(y), 6 - 5);
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

SUITE("types", kinds_of_inner_values, types_of_inner_values, types_that_are_not_known,
      types_within_graph_attributes)
