/* SPDX-License-Identifier: Apache-2.0
 * test_epilogues.c - which nodes run on the tiles of the node before them. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

/* One character per node of one run: 'f' if it was fused into another. */
typedef struct sight {
    char nodes[100];
    int n;
    char runs[200]; /* what the last node ran */
} sight;

static void on_node(void *ctx, const oc_node_event *event)
{
    sight *s = ctx;
    if (strcmp(event->domain, "ocellus") == 0) /* a conversion, of no node */
        return;
    if (!event->begin && s->n < 99)
        s->nodes[s->n++] = event->fused_into ? 'f' : '.';
    snprintf(s->runs, sizeof s->runs, "%s", event->runs);
}

static void see(const char *nodes, const char *outputs, bool no_fusion, sight *s)
{
    static float x[2 * 4 * 3 * 3];
    static const int64_t dims[] = {2, 4, 3, 3};
    char text[3000];
    oc_error e = {.code = OC_OK};
    *s = (sight){.n = 0};
    snprintf(text, sizeof text,
             "<ir_version: 8, opset_import: [\"\" : 17]>\n"
             "g (float[2,4,3,3] x, float[4,4,1,1] w, bool b) => (%s)\n"
             "<float one = {1}, float[4] c = {1, 2, 3, 4}, float[3] c3 = {1, 2, 3}, int64[2] two = "
             "{8, 9}, "
             "float[3,3] square = {1, 2, 3, 4, 5, 6, 7, 8, 9}> {\n%s}\n",
             outputs, nodes);
    oc_session_options o = {.threads = 1,
                            .no_fusion = no_fusion,
                            .observer.on_node = on_node,
                            .observer.on_node_ctx = s,
                            .observer.view = OC_VIEW_NONE};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *session = oc_session_new(m, &o, &e);
    oc_bind(session, "x", OC_F32, 4, dims, x, &e);
    oc_bind(session, "w", OC_F32, 4, (int64_t[]){4, 4, 1, 1}, x, &e);
    oc_bind(session, "b", OC_BOOL, 0, NULL, &(bool){true}, &e);
    oc_run(session, &e);
    ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, text);
    oc_session_free(session);
    oc_model_free(m);
}

START_TEST(epilogues_are_found)
{
    static const struct {
        const char *nodes, *outputs, *seen;
    } rows[] = {
        {"a = Conv (x, w)\ny = Relu (a)\n", "float[] y", "f."},
        {"a = Conv (x, w)\nd = BatchNormalization (a, c, c, c, c)\ne = Add (d, x)\ny = Relu (e)\n",
         "float[] y", "fff."},
        /* a value that two nodes of the epilogue read */
        {"a = Conv (x, w)\ns = Sigmoid (a)\ny = Mul (a, s)\n", "float[] y", "ff."},
        /* nodes between that have nothing to do with it */
        {"a = Conv (x, w)\nm = MaxPool <kernel_shape = [1, 1]> (x)\ny = Add (m, a)\n", "float[] y",
         "f.."},
        /* one conv has the sum in its epilogue, the other does not */
        {"a = Conv (x, w)\nd = Conv (x, w)\ny = Add (a, d)\n", "float[] y", "f.."},
        {"m = MatMul (x, square)\nd = Add (m, c3)\ny = Relu (d)\n", "float[] y", "ff."},
        {"g = Reshape (x, two)\nm = Gemm <transA = 1> (g, g)\ny = Relu (m)\n", "float[] y", ".f."},
        /* without a producer */
        {"a = Mul (x, one)\nd = Exp (a)\ny = Neg (d)\n", "float[] y", "ff."},
        /* an output between; a reader of another kind; a graph that reads */
        {"a = Conv (x, w)\ny = Relu (a)\n", "float[] y, float[] a", ".."},
        {"a = Conv (x, w)\ny = Relu (a)\ns = Shape (a)\n", "float[] y, int64[] s", "..."},
        {"a = Conv (x, w)\ny = Relu (a)\n"
         "z = If <then_branch = t () => (float[] u) { u = Identity (a) }, "
         "else_branch = e () => (float[] v) { v = Identity (x) }> (b)\n",
         "float[] y, float[] z", "...."},
        {"a = Conv (x, w)\ny = Softmax (a)\n", "float[] y", ".."},
        {"a = Conv (x, w)\ny = PRelu (x, a)\n", "float[] y", ".."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sight s;
        see(rows[i].nodes, rows[i].outputs, false, &s);
        ck_assert_msg(strcmp(s.nodes, rows[i].seen) == 0, "row %d: %s", (int)i, s.nodes);
        see(rows[i].nodes, rows[i].outputs, true, &s);
        ck_assert_ptr_null(strchr(s.nodes, 'f'));
    }
}
END_TEST

START_TEST(what_runs_is_told)
{
    sight s;
    const char *nodes = "a = Conv (x, w)\nd = Add (a, x)\ny = Relu (d)\n";
    see(nodes, "float[] y", false, &s);
    ck_assert_str_eq(s.runs, "Conv+Add+Relu");
    see(nodes, "float[] y", true, &s);
    ck_assert_str_eq(s.runs, "Relu");
}
END_TEST

SUITE("epilogues", epilogues_are_found, what_runs_is_told)
