/* SPDX-License-Identifier: Apache-2.0
 * test_work.c - operations and bytes that events of nodes tell of. */
#include "suite.h"
#include "session/observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 4 };

/* Rows of a run of the nodes, with inputs of ones. */
static observer observed(const char *inputs, const char *weights, const char *nodes)
{
    char text[1000];
    oc_error e = {0};
    observer o = {.profile = true, .work = true};
    oc_session_options options = {.threads = 1, .no_folding = true};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 22]>\ng (%s) => (y) <%s> { %s }", inputs,
             weights, nodes);
    observe_attach(&o, &options);
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, text);
    oc_value *bound[NODES] = {0};
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port p = oc_model_input(m, i);
        bound[i] = oc_tensor_new(p.type, p.rank, p.dim, NULL, &e);
        oc_bind_value_at(s, i, bound[i], &e);
    }
    oc_run(s, &e);
    ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, text);
    oc_session_free(s);
    oc_model_free(m);
    for (int i = 0; i < NODES; i++)
        oc_value_free(bound[i]);
    return o;
}

static void check(const char *inputs, const char *weights, const char *nodes, double flop,
                  double bytes)
{
    observer o = observed(inputs, weights, nodes);
    const node_work *w = &o.entry[o.n - 1].work;
    ck_assert_msg(w->flop == flop && w->bytes == bytes, "%s: %g operations, %g bytes", nodes,
                  w->flop, w->bytes);
    ck_assert(w->is_double == (strstr(inputs, "double") != NULL));
    ck_assert(o.entry[0].count == 1 && o.entry[0].least == o.entry[0].nanoseconds);
    observe_free(&o);
}

START_TEST(products)
{
    /* 5 x 5 positions, 8 maps of 2 channels under 9 taps */
    check("float[3,4,7,7] x, float[8,2,3,3] w", "", "y = Conv <group = 2> (x, w)",
          2.0 * 3 * 8 * 25 * 2 * 9, 4.0 * (3 * 4 * 49 + 8 * 18 + 3 * 8 * 25));
    /* each of 2 x 4 x 25 pixels meets 6 maps under 9 taps */
    check("float[2,4,5,5] x, float[4,6,3,3] w", "", "y = ConvTranspose (x, w)",
          2.0 * 2 * 4 * 25 * 6 * 9, 4.0 * (2 * 4 * 25 + 4 * 54 + 2 * 6 * 49));
    check("float[3,5,7] a, float[7,2] b", "", "y = MatMul (a, b)", 2.0 * 3 * 5 * 7 * 2,
          4.0 * (105 + 14 + 30));
    check("double[7,5] a, double[2,7] b", "", "y = Gemm <transA = 1, transB = 1> (a, b)",
          2.0 * 5 * 7 * 2, 8.0 * (35 + 14 + 10));
    check("float[5,7] a, float[7,2] b", "", "y = Einsum <equation = \"ij,jk->ik\"> (a, b)",
          2.0 * 5 * 7 * 2, 4.0 * (35 + 14 + 10));
    check("float[6,2,3] x, float[1,16,3] w, float[1,16,4] r", "",
          "y = LSTM <hidden_size = 4> (x, w, r)", 2.0 * 6 * 2 * (48 + 64),
          4.0 * (36 + 48 + 64 + 48));
}
END_TEST

START_TEST(elements)
{
    check("float[4,6] x", "", "y = Exp (x)", 24, 4.0 * 48);
    check("float[4,6] x", "", "y = ReduceSum (x)", 24, 4.0 * 25);
    check("float[4,6] x", "", "y = Transpose (x)", 0, 4.0 * 48);
}
END_TEST

/* Nothing moves where a result is its input, and of a large table only what is picked. */
START_TEST(bytes_that_move)
{
    check("float[4,6] x", "int64[1] to = {-1}", "z = Exp (x)\n y = Reshape (z, to)", 0, 8);
    check("float[400,6] x", "int64[2] at = {7, 9}", "y = Gather (x, at)", 0, 4.0 * 24 + 16);
    check("float[400,6] x", "", "y = Shape (x)", 0, 16);
}
END_TEST

/* The grid is never in memory, and its work is GridSample's. */
START_TEST(fused_nodes)
{
    observer o = observed("float[1,2,8,8] x, float[1,2,3] theta", "int64[4] size = {1, 2, 8, 8}",
                          "grid = AffineGrid (theta, size)\n y = GridSample (x, grid)");
    ck_assert_int_eq(o.n, 2);
    ck_assert_str_eq(o.entry[0].into, "GridSample");
    ck_assert(o.entry[0].work.flop == 0 && o.entry[0].work.bytes == 0);
    ck_assert(o.entry[1].work.flop == 128 + 8 * 128);
    ck_assert(o.entry[1].work.bytes == 4.0 * (6 + 128 + 128) + 8 * 4);
    observe_free(&o);
}
END_TEST

START_TEST(graphs_within)
{
    observer o = observed("float[5] x, bool c", "",
                          "y = If (c) <then_branch = a () => (u) { u = Exp (x) }, "
                          "else_branch = b () => (v) { v = Neg (x) }>");
    ck_assert_int_eq(o.n, 2);
    for (int i = 0; i < o.n; i++)
        ck_assert(o.entry[i].work.holds_others == (strcmp(o.entry[i].op, "If") == 0));
    observe_free(&o);
}
END_TEST

SUITE("work", products, elements, bytes_that_move, fused_nodes, graphs_within)
