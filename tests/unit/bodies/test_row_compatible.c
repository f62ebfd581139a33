/* SPDX-License-Identifier: Apache-2.0
 * test_row_compatible.c - two signatures of one operator: does a node mean the same under both? */
#include "models.h"

#include "bodies/unify_opsets.h"

static const struct {
    const char *node; /* made from x (float), k (int8), s (a sequence of float), u (not known) */
    const char *a, *b;
    bool same;
} pairs[] = {
    /* clang-format off */
    {"Op (x)", "(T x) => (T y) | T: float", "(T x) => (T y) | T: float", true},
    /* types */
    {"Op (x)", "(T x) => (int64 y) | T: float int8", "(T x) => (int64 y) | T: float", true},
    {"Op (k)", "(T x) => (int64 y) | T: float int8", "(T x) => (int64 y) | T: float", false},
    {"Op (u)", "(T x) => (int64 y) | T: float int8", "(T x) => (int64 y) | T: float", false},
    {"Op (u)", "(T x) => (T y) | T: float", "(T x) => (T y) | T: float int8", true},
    {"Op (s)", "(T x) => (int64 y) | T: seq(float)", "(T x) => (int64 y) | T: seq(float)", true},
    {"Op (s)", "(T x) => (int64 y) | T: seq(float)", "(T x) => (int64 y) | T: float", false},
    {"Op (u)", "(T x) => (int64 y) | T: seq(float)", "(T x) => (int64 y) | T: seq(int8)", false},
    {"Op (u)", "(T x) => (int64 y) | T: opt(float)", "(T x) => (int64 y) | T: opt(int8)", false},
    {"Op (u)", "(T x) => (int64 y) | T: opt(seq(float))", "(T x) => (int64 y) | T: opt(seq(int8))", false},
    /* b wants one type for two of its ports */
    {"Op (x, x)", "(T x, U z) => (T y) | T: float; U: float", "(T x, T z) => (T y) | T: float", true},
    {"Op (x, k)", "(T x, U z) => (T y) | T: float int8; U: float int8", "(T x, T z) => (T y) | T: float int8", false},
    {"Op (u, u)", "(T x, U z) => (T y) | T: float; U: float", "(T x, T z) => (T y) | T: float", true},
    {"Op (u, u)", "(T x, U z) => (T y) | T: float int8; U: float", "(T x, T z) => (T y) | T: float int8", false},
    {"Op (x, k)", "(T x...) => (T y) | T: float int8", "(T x~...) => (U y) | T: float int8; U: float int8", true},
    /* ports */
    {"Op (x)", "(T x, T z?) => (T y) | T: float", "(T x) => (T y) | T: float", true},
    {"Op (x, x)", "(T x, T z?) => (T y) | T: float", "(T x) => (T y) | T: float", false},
    {"Op (x, , x)", "(T x, T z?, T w?) => (T y) | T: float", "(T x, T z?, T w?) => (T y) | T: float", true},
    {"Op (x, , x)", "(T x, T z?, T w?) => (T y) | T: float", "(T x, T z, T w?) => (T y) | T: float", false},
    {"Op (x)", "(T x, T z?) => (T y) | T: float", "(T x, T z) => (T y) | T: float", false},
    {"Op (x)", "(T x) => (T y) | T: float", "(T x, T z) => (T y) | T: float", false},
    {"Op (x)", "(T x) => (T y) | T: float", "(T x, T z...) => (T y) | T: float", true},
    {"Op (x, x, x)", "(T x, T z) => (T y) | T: float", "(T x, T z) => (T y) | T: float", false},
    /* attributes */
    {"Op <a = 1> (x)", "<int a = 0> (T x) => (T y) | T: float", "<int a = 0> (T x) => (T y) | T: float", true},
    {"Op (x)", "<int a = 0> (T x) => (T y) | T: float", "<int a = 1> (T x) => (T y) | T: float", false},
    {"Op (x)", "<ints a = [1, 2]> (T x) => (T y) | T: float", "<ints a = [1, 2]> (T x) => (T y) | T: float", true},
    {"Op (x)", "<ints a = [1, 2]> (T x) => (T y) | T: float", "<ints a = [1]> (T x) => (T y) | T: float", false},
    {"Op (x)", "<float a = 0.5> (T x) => (T y) | T: float", "<float a = 0.25> (T x) => (T y) | T: float", false},
    {"Op (x)", "<string a = \"no\"> (T x) => (T y) | T: float", "<string a = \"no\"> (T x) => (T y) | T: float", true},
    {"Op (x)", "<string a = \"no\"> (T x) => (T y) | T: float", "<string a = \"not\"> (T x) => (T y) | T: float", false},
    {"Op (x)", "<string a = \"no\"> (T x) => (T y) | T: float", "<string a = \"on\"> (T x) => (T y) | T: float", false},
    {"Op (x)", "<int a = 0> (T x) => (T y) | T: float", "<float a = 0.0> (T x) => (T y) | T: float", false},
    {"Op <a = 1> (x)", "<int a?> (T x) => (T y) | T: float", "<int a> (T x) => (T y) | T: float", false},
    {"Op <a = 1> (x)", "<int a> (T x) => (T y) | T: float", "<int a?> (T x) => (T y) | T: float", true},
    {"Op (x)", "<int a?> (T x) => (T y) | T: float", "<int a = 3> (T x) => (T y) | T: float", false},
    {"Op (x)", "(T x) => (T y) | T: float", "<int a?> (T x) => (T y) | T: float", false},
    {"Op (x)", "(T x) => (T y) | T: float", "<int a+> (T x) => (T y) | T: float", true},
    {"Op (x)", "<int a+> (T x) => (T y) | T: float", "(T x) => (T y) | T: float", true},
    {"Op <a = 1> (x)", "<int a+> (T x) => (T y) | T: float", "(T x) => (T y) | T: float", false},
    {"Op (x)", "<int a?> (T x) => (T y) | T: float", "(T x) => (T y) | T: float", false},
    /* clang-format on */
};

static oc_status run_one(oc_call *c)
{
    (void)c;
    return OC_OK;
}

static oc_status run_other(oc_call *c)
{
    (void)c;
    return OC_OK;
}

/* Both rows are tried with the node in a model of its own. */
static bool means_the_same(const char *node, const char *signature_a, const char *signature_b,
                           oc_op_fn *run_b)
{
    char text[400], of_a[200], of_b[200];
    oc_error e = {.code = OC_OK};
    snprintf(of_a, sizeof of_a, "my::Op %s", signature_a);
    snprintf(of_b, sizeof of_b, "my::Op %s", signature_b);
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\": 19, \"my\": 1]> g (float[1] x, int8[1] k, "
             "seq(float[1]) s, float[1] p) => (y) { u = my.Unknown (p) y = my.%s }",
             node);
    const oc_op a = {1, of_a, NULL, run_one, NULL}, b = {2, of_b, NULL, run_b, NULL};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(m, "%s: %s", node, e.text);
    oc_types types = oc_types_new(&m->arena, NULL);
    for (int i = 0; i < m->graph.n_input; i++)
        oc_type_put(&types.of, m->graph.input[i].name, oc_type_declared(&m->graph.input[i].type));
    const oc_sig *sig;
    ck_assert_msg(oc_sig_cached(&types.sigs, of_a, &sig, &e) == OC_OK, "%s: %s", of_a, e.text);
    ck_assert_msg(oc_sig_cached(&types.sigs, of_b, &sig, &e) == OC_OK, "%s: %s", of_b, e.text);
    const bool same = oc_row_compatible(&a, &b, &m->graph.node[1], &types);
    ck_assert(oc_row_compatible(&a, &a, &m->graph.node[1], &types));
    ck_assert(!oc_row_compatible(&a, NULL, &m->graph.node[1], &types));
    ck_assert(!oc_row_compatible(NULL, &b, &m->graph.node[1], &types));
    oc_model_free(m);
    return same;
}

START_TEST(by_signature)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_msg(means_the_same(pairs[i].node, pairs[i].a, pairs[i].b, run_one) ==
                          pairs[i].same,
                      "%s: %s and %s, expected %s", pairs[i].node, pairs[i].a, pairs[i].b,
                      pairs[i].same ? "the same" : "not the same");
}
END_TEST

START_TEST(by_computation)
{
    const char *signature = "(T x) => (T y) | T: float";
    ck_assert(means_the_same("Op (x)", signature, signature, run_one));
    ck_assert(!means_the_same("Op (x)", signature, signature, run_other));
}
END_TEST

SUITE("row_compatible", by_signature, by_computation)
