/* SPDX-License-Identifier: Apache-2.0
 * test_fusion.c - which nodes run as one, what that saves, and who is told. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

static const float image[2 * 4 * 4] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const float theta[6] = {0.5f, -0.25f, 0.125f, 0.25f, 0.5f, -0.125f};
static const bool yes = true;
static const int64_t image_dims[] = {1, 2, 4, 4}, theta_dims[] = {1, 2, 3}, size_dims[] = {4};

/* What on_node saw: one character per node that has run, 'f' if it was fused into another. */
typedef struct sight {
    char nodes[400];
    int n, values; /* values: nodes whose inputs and outputs were shown */
    bool fuses;    /* what passes between fused nodes is shown without elements */
    char into[64];
} sight;

static void on_node(void *ctx, const oc_node_event *event)
{
    sight *s = ctx;
    if (event->begin)
        return;
    ck_assert_int_lt(s->n, 399);
    s->nodes[s->n++] = event->fused_into ? 'f' : '.';
    if (event->fused_into)
        snprintf(s->into, sizeof s->into, "%s into %s", event->op_type, event->fused_into);
    if (event->in && event->out)
        s->values++;
    for (int i = 0; event->out && i < event->n_out; i++) {
        const bool kept = !(s->fuses && event->fused_into);
        ck_assert_int_eq(oc_value_data(event->out[i]) != NULL, kept);
        ck_assert_int_gt(oc_value_count(event->out[i]), 0);
    }
}

typedef struct program {
    oc_error error;
    oc_model *model;
    oc_session *session;
} program;

/* A program of the nodes, whose inputs are x, theta, size and a bool b; x is bound. */
static program begin(const char *nodes, const char *outputs, const oc_session_options *options)
{
    char text[2000];
    program p = {.error = {.code = OC_OK}};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 22, \"f\" : 1]>\n"
             "g (float[] x, float[] theta, int64[] size, bool b) => (%s) {\n%s}\n"
             "<domain: \"f\", opset_import: [\"\" : 22]>\n"
             "Warp (x, theta, size) => (y) {\n"
             "  grid = AffineGrid (theta, size)\n  y = GridSample (x, grid)\n}\n",
             outputs, nodes);
    p.model = oc_model_load_memory(text, strlen(text), NULL, &p.error);
    p.session = oc_session_new(p.model, options, &p.error);
    oc_bind(p.session, "x", OC_F32, 4, image_dims, image, &p.error);
    oc_bind(p.session, "theta", OC_F32, 3, theta_dims, theta, &p.error);
    oc_bind(p.session, "b", OC_BOOL, 0, NULL, &yes, &p.error);
    return p;
}

static void run(program *p, int64_t h, int64_t w)
{
    const int64_t size[4] = {1, 2, h, w};
    oc_bind(p->session, "size", OC_I64, 1, size_dims, size, &p->error);
    oc_run(p->session, &p->error);
    ck_assert_msg(p->error.code == OC_OK, "%s", p->error.text);
}

static void end(program *p)
{
    oc_session_free(p->session);
    oc_model_free(p->model);
}

/* Two runs of different shapes give the bits that nodes by themselves give. */
static void must_be_same(program *p, const char *nodes, const char *outputs,
                         const oc_session_options *options)
{
    oc_session_options plain = *options;
    plain.no_fusion = true;
    plain.observer.on_node = NULL;
    program q = begin(nodes, outputs, &plain);
    for (int64_t h = 3; h < 5; h++) {
        size_t n[2];
        run(p, h, 5);
        run(&q, h, 5);
        const void *y = oc_fetch(p->session, "y", &n[0], &p->error);
        const void *z = oc_fetch(q.session, "y", &n[1], &q.error);
        ck_assert_uint_eq(n[0], n[1]);
        ck_assert_uint_gt(n[0], 0);
        ck_assert_mem_eq(y, z, n[0] * sizeof(float));
    }
    end(&q);
}

#define CHAIN "grid = AffineGrid (theta, size)\ny = GridSample (x, grid)\n"
#define INNER "inner = AffineGrid (theta, size)\nv = GridSample (x, inner)\n"

/* ---- which nodes ---- */

static oc_status grid_shape(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 4, (const int64_t[]){1, 3, 5, 2});
}

static oc_status grid_run(oc_call *c)
{
    memset(oc_call_out(c, 0), 0, 30 * sizeof(float));
    return OC_OK;
}

static const oc_op own_grid[] = {
    {1, "AffineGrid (T theta, int64 size) => (T grid) | T: float", grid_shape, grid_run}, {0}};

START_TEST(where_nobody_else_looks)
{
    static const struct {
        const char *nodes, *outputs, *seen; /* one character per node of one run */
        oc_session_options options;
    } rows[] = {
        {CHAIN, "float[] y", "f.", {.threads = 1}},
        {"y = f.Warp (x, theta, size)\n", "float[] y", "f.", {.threads = 1}},
        {"y = If <then_branch = t () => (float[] v) { " INNER
         " }, else_branch = e () => (float[] u) { u = Identity (x) }> (b)\n",
         "float[] y",
         "f..",
         {.threads = 1}},
        {"one = Constant <value_int = 2> ()\n"
         "y = Loop <body = l (int64 i, bool go) => (bool go, float[] v) { " INNER "}> (one,)\n",
         "float[] y",
         ".f.f..",
         {.threads = 1}},
        {"grid = AffineGrid (theta, size)\ntwo = AffineGrid <align_corners = 1> (theta, size)\n"
         "a = GridSample (x, two)\ny = GridSample (a, grid)\n",
         "float[] y",
         "ff..",
         {.threads = 1}},
        /* a second reader, a graph within, a graph output, a node that nobody needs */
        {CHAIN "s = Shape (grid)\n", "float[] y, int64[] s", "...", {.threads = 1}},
        {CHAIN "z = GridSample (y, grid)\n", "float[] y, float[] z", "...", {.threads = 1}},
        {CHAIN "z = If <then_branch = t () => (float[] u) { u = Identity (grid) }, "
               "else_branch = e () => (float[] w) { w = Identity (x) }> (b)\n",
         "float[] y, float[] z",
         "....",
         {.threads = 1}},
        {CHAIN, "float[] y, float[] grid", "..", {.threads = 1}},
        {"grid = AffineGrid (theta, size)\ny = GridSample (x, grid)\nz = Add (grid, grid)\n",
         "float[] y",
         "...",
         {.threads = 1}},
        /* one reader, but of another kind, or through another input */
        {"grid = AffineGrid (theta, size)\ny = Identity (grid)\n",
         "float[] y",
         "..",
         {.threads = 1}},
        {"v = AffineGrid (theta, size)\nat = Constant <value = float[1,1,1,2] {0.1, 0.2}> ()\n"
         "y = GridSample (v, at)\n",
         "float[] y",
         "...",
         {.threads = 1}},
        /* switched off; an operator of the host's own; nodes that run as bodies */
        {CHAIN, "float[] y", "..", {.threads = 1, .no_fusion = true}},
        {CHAIN, "float[] y", "..", {.threads = 1, .ops = own_grid}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sight s = {.n = 0};
        oc_session_options o = rows[i].options;
        o.observer.on_node = on_node;
        o.observer.on_node_ctx = &s;
        o.observer.view = OC_VIEW_NONE;
        program p = begin(rows[i].nodes, rows[i].outputs, &o);
        run(&p, 3, 5);
        ck_assert_msg(strcmp(s.nodes, rows[i].seen) == 0, "row %d: %s", (int)i, s.nodes);
        ck_assert_int_eq(s.values, 0);
        s.n = 0;
        const int n_fused = oc_session_describe(p.session).n_fused;
        ck_assert_int_eq(n_fused > 0, strchr(s.nodes, 'f') != NULL);
        if (n_fused)
            ck_assert_str_eq(s.into, "AffineGrid into GridSample");
        must_be_same(&p, rows[i].nodes, rows[i].outputs, &rows[i].options);
        end(&p);
    }
}
END_TEST

START_TEST(bodies_are_not_fused)
{
    sight s = {.n = 0};
    const oc_session_options o = {.threads = 1,
                                  .bodies.policy = OC_BODY_EXPAND,
                                  .observer.on_node = on_node,
                                  .observer.on_node_ctx = &s,
                                  .observer.view = OC_VIEW_NONE};
    program p = begin(CHAIN, "float[] y", &o);
    run(&p, 3, 5);
    ck_assert_ptr_null(strstr(s.into, "Sample")); /* the primitives of bodies may be */
    ck_assert_int_gt(s.n, 2);
    end(&p);
}
END_TEST

/* ---- who looks at values sees them all ---- */

START_TEST(observers_see_the_grid)
{
    sight s = {.n = 0};
    const oc_session_options o = {
        .threads = 1, .observer.on_node = on_node, .observer.on_node_ctx = &s};
    program p = begin(CHAIN, "float[] y", &o);
    run(&p, 3, 5);
    ck_assert_str_eq(s.nodes, "..");
    ck_assert_int_eq(s.values, 2);
    end(&p);
}
END_TEST

/* ---- what it saves ---- */

START_TEST(grid_is_not_in_memory)
{
    size_t peak[2];
    const int64_t h = 40, w = 56;
    const size_t grid = (size_t)(h * w) * 2 * sizeof(float);
    for (int i = 0; i < 2; i++) {
        program p = begin(CHAIN, "float[] y", &(oc_session_options){.threads = 1, .no_fusion = i});
        run(&p, h, w);
        peak[i] = oc_session_describe(p.session).peak_bytes;
        ck_assert_int_eq(oc_session_describe(p.session).steps, 2);
        end(&p);
    }
    ck_assert_uint_eq(peak[1] - peak[0], grid);
}
END_TEST

START_TEST(observers_may_let_nodes_fuse)
{
    sight s = {.fuses = true};
    const oc_session_options o = {.threads = 1,
                                  .observer.on_node = on_node,
                                  .observer.on_node_ctx = &s,
                                  .observer.view = OC_VIEW_STORED};
    program p = begin(CHAIN, "float[] y", &o);
    run(&p, 3, 5);
    run(&p, 4, 5);
    ck_assert_str_eq(s.nodes, "f.f.");
    ck_assert_int_eq(s.values, 4);
    must_be_same(&p, CHAIN, "float[] y", &o);
    end(&p);
}
END_TEST

SUITE("fusion", where_nobody_else_looks, bodies_are_not_fused, observers_see_the_grid,
      observers_may_let_nodes_fuse, grid_is_not_in_memory)
