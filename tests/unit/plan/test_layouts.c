/* SPDX-License-Identifier: Apache-2.0
 * test_layouts.c - where does a plan convert values from one layout to the other? */
#include "suite.h"

#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

/* The conversions of one run, as "NCHW(a) ", and the number of all nodes. */
typedef struct sight {
    char text[500];
    int n;
} sight;

static void on_node(void *ctx, const oc_node_event *event)
{
    sight *s = ctx;
    const size_t at = strlen(s->text);
    if (event->begin)
        return;
    s->n++;
    if (strcmp(event->domain, "ocellus") == 0)
        snprintf(s->text + at, sizeof s->text - at, "%s ", event->out_name[0]);
}

/* x: float[1,32,8,8], or as declared; W: 3 x 3 taps of 32 by 32 channels. */
static sight see(const char *declared, const char *nodes, const char *outputs, bool no_nchw16c)
{
    static float x[32 * 8 * 8], w[32 * 32 * 9];
    char text[3000];
    oc_error e = {.code = OC_OK};
    sight s = {.n = 0};
    snprintf(text, sizeof text,
             "<ir_version: 8, opset_import: [\"\" : 17]>\n"
             "g (float[%s] x, float[32,32,3,3] W, bool b) => (%s) {\n%s}\n",
             declared, outputs, nodes);
    const oc_session_options o = {.threads = 1,
                                  .no_nchw16c = no_nchw16c,
                                  .observer.on_node = on_node,
                                  .observer.on_node_ctx = &s,
                                  .observer.view = OC_VIEW_STORED};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *session = oc_session_new(m, &o, &e);
    oc_bind(session, "x", OC_F32, 4, (int64_t[]){1, 32, 8, 8}, x, &e);
    oc_bind(session, "W", OC_F32, 4, (int64_t[]){32, 32, 3, 3}, w, &e);
    oc_bind(session, "b", OC_BOOL, 0, NULL, &(bool){true}, &e);
    oc_run(session, &e);
    ck_assert_msg(e.code == OC_OK, "%s\n%s", e.text, text);
    oc_session_free(session);
    oc_model_free(m);
    return s;
}

#define CONV(y, x) #y " = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (" #x ", W)\n"

#define FEW(y, x)                                                                                  \
    "n" #y " = Constant <value_ints = [0]> ()\n"                                                   \
    "t" #y " = Constant <value_ints = [3]> ()\n"                                                   \
    "W" #y " = Slice (W, n" #y ", t" #y ")\n" #y " = Conv (" #x ", W" #y ")\n"

static const struct {
    const char *nodes, *outputs, *seen;
} rows[] = {
    {CONV(y, x), "float[] y", "y:NCHW "},
    {CONV(a, x) CONV(y, a), "float[] y", "y:NCHW "},
    /* what is element by element, and pools, follow */
    {CONV(a, x) "c = Relu (a)\ny = MaxPool <kernel_shape = [2, 2]> (c)\n", "float[] y", "y:NCHW "},
    /* one conversion for all who need it */
    {CONV(a, x) "y = Transpose (a)\nz = Softmax <axis = 1> (a)\n" CONV(v, a),
     "float[] y, float[] z, float[] v", "a:NCHW v:NCHW "},
    /* the smaller value is converted */
    {CONV(a, x) "c = GlobalAveragePool (a)\ny = Softmax <axis = 1> (c)\n", "float[] y", "c:NCHW "},
    /* without a kept axis a reduction ends the layout */
    {CONV(a, x) "y = ReduceMean <axes = [2, 3], keepdims = 0> (a)\n", "float[] y", ""},
    /* a sum is in the layout that both operands are there in; a convolution reads either */
    {CONV(a, x) "c = Softmax <axis = 1> (a)\ny = Add (a, c)\nz = Transpose (y)\n", "float[] z",
     "a:NCHW "},
    {CONV(a, x) "c = Softmax <axis = 1> (a)\nd = Add (a, c)\n" CONV(y, d), "float[] y",
     "a:NCHW y:NCHW "},
    {CONV(a, x) CONV(c, x) "d = Softmax <axis = 1> (a)\ne = Sum (a, c, d)\n"
                           "y = MaxPool <kernel_shape = [2, 2]> (e)\n",
     "float[] y", "a:NCHW d:NCHW16c y:NCHW "},
    /* dims that are computed from dims */
    {"s = Shape (x)\nr = Reshape (x, s)\n" CONV(a, r) CONV(y, a), "float[] y", "y:NCHW "},
    /* graphs within read NCHW */
    {CONV(a, x) "y = If <then_branch = t () => (float[] u) { u = Identity (a) }, "
                "else_branch = e () => (float[] w) { w = Identity (x) }> (b)\n",
     "float[] y", ":NCHW "},
    /* few output channels are made in NCHW of either, and what runs with that follows */
    {CONV(a, x) FEW(c, a) "y = Tanh (c)\n", "float[] y", ""},
    {CONV(a, x) FEW(c, a) "y = Relu (c)\nz = Transpose (a)\n"
                          "v = Sigmoid (y)\n",
     "float[] z, float[] v", "a:NCHW "},
    /* nothing to do */
    {"a = Relu (x)\ny = MaxPool <kernel_shape = [2, 2]> (a)\n", "float[] y", ""},
};

START_TEST(conversions_are_where_they_cost_least)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sight s = see("1,32,8,8", rows[i].nodes, rows[i].outputs, false);
        ck_assert_msg(strcmp(s.text, rows[i].seen) == 0, "row %d: %s", (int)i, s.text);
        const sight off = see("1,32,8,8", rows[i].nodes, rows[i].outputs, true);
        ck_assert_str_eq(off.text, "");
        ck_assert_int_le(off.n, s.n);
    }
}
END_TEST

/* A batch, a height and a width may have any size; without channels nothing is known. */
START_TEST(some_dims_need_not_be_known)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sight s = see("N,32,H,W", rows[i].nodes, rows[i].outputs, false);
        ck_assert_msg(strcmp(s.text, rows[i].seen) == 0, "row %d: %s", (int)i, s.text);
        const sight off = see("", rows[i].nodes, rows[i].outputs, false);
        ck_assert_str_eq(off.text, "");
    }
}
END_TEST

SUITE("layouts", conversions_are_where_they_cost_least, some_dims_need_not_be_known)
