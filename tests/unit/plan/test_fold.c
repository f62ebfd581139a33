/* SPDX-License-Identifier: Apache-2.0
 * test_fold.c - what depends on weights alone is computed once, within limits. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <stdio.h>
#include <string.h>

typedef struct program {
    oc_error error;
    oc_model *model;
    oc_session *session;
} program;

static const float ones[4] = {1, 1, 1, 1};
static const int64_t two_dims[] = {2, 2};

/* A program of the nodes, whose input x is [2,2] and bound; w is a weight of 2 x 2. */
static program begin(const char *nodes, const oc_session_options *options)
{
    char text[2000];
    program p = {.error = {.code = OC_OK}};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 22]>\n"
             "g (float[2,2] x) => (float[] y) <float[2,2] w = {1, 2, 3, 4}> {\n%s}\n",
             nodes);
    p.model = oc_model_load_memory(text, strlen(text), NULL, &p.error);
    p.session = oc_session_new(p.model, options, &p.error);
    oc_bind(p.session, "x", OC_F32, 2, two_dims, ones, &p.error);
    return p;
}

static void end(program *p)
{
    oc_session_free(p->session);
    oc_model_free(p->model);
}

static void run(program *p)
{
    oc_run(p->session, &p->error);
    ck_assert_msg(p->error.code == OC_OK, "%s", p->error.text);
}

/* The nodes that are folded, and those of a run. A run gives the bits of a run without folding. */
START_TEST(what_depends_on_weights_alone)
{
    static const struct {
        const char *nodes;
        int n_folded;
    } rows[] = {
        {"t = Transpose (w)\ny = Add (x, t)\n", 1},
        {"t = Transpose (w)\nc = Concat <axis = 0> (t, w)\nu = ReduceSum <keepdims = 0> (c)\n"
         "y = Add (x, u)\n",
         3},
        {"h = Cast <to = 10> (w)\nf = Cast <to = 1> (h)\nr = Reshape (f, s)\ny = Add (x, r)\n"
         "s2 = Constant <value = int64[1] {4}> ()\n",
         -1}, /* s is not defined */
        {"s = Constant <value = int64[2] {1, 4}> ()\nr = Reshape (w, s)\nq = Reshape (x, s)\n"
         "y = Add (q, r)\n",
         2},
        {"a, b = Split <axis = 0, num_outputs = 2> (w)\nm = MatMul (a, w)\ny = Add (x, m)\n", 2},
        {"n = Neg (w)\nm = Mul (n, x)\ny = Exp (m)\n", 1}, /* not with the nodes after it */
        {"m = Constant <value = float[1,2,3] {1, 0, 0, 0, 1, 0}> ()\n"
         "n = Constant <value_ints = [1, 1, 3, 3]> ()\ng = AffineGrid (m, n)\n"
         "s = Constant <value_ints = [1, 1, 2, 2]> ()\nx4 = Reshape (x, s)\n"
         "y = GridSample (x4, g)\n",
         3},                        /* the grid is fused into GridSample */
        {"y = Transpose (w)\n", 1}, /* a graph output */
        {"y = Transpose (x)\n", 0}, /* depends on an input */
        {"r = RandomNormal <shape = [2, 2]> ()\ny = Add (x, r)\n", 0}, /* is random */
        {"t = Transpose (w)\nc = Constant <value = bool {1}> ()\ny = If <then_branch = a () => "
         "(float[] u) { u = Add (x, t) }, else_branch = b () => (float[] v) { v = Sub (x, t) }> "
         "(c)\n",
         2}, /* captured by graphs within */
        {"c = Constant <value = bool {1}> ()\ny = If <then_branch = a () => "
         "(float[] u) { k = Neg (w) m = MatMul (k, w) u = Add (x, m) }, else_branch = b () => "
         "(float[] v) { n = Exp (w) v = Sub (x, n) }> (c)\n",
         4}, /* in graphs within, whether they run or not */
        {"t = Neg (w)\nn = Constant <value = int64 {3}> ()\nc = Constant <value = bool {1}> ()\n"
         "y = Loop <body = l (int64 i, bool go, float[] a) => (bool more, float[] b) { "
         "s = Transpose (t) more = Identity (go) b = Add (a, s) }> (n, c, x)\n",
         4}, /* of what a loop captures */
        {"c = Constant <value = bool {1}> ()\ny = If <then_branch = a () => "
         "(float[] u) { u = Neg (x) }, else_branch = b () => (float[] v) { "
         "k = Constant <value = float[3] {1, 2, 3}> () m = MatMul (w, k) v = Sub (x, m) }> (c)\n",
         2}, /* a fault in a graph that does not run */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program p = begin(rows[i].nodes, &(oc_session_options){.threads = 1});
        program q = begin(rows[i].nodes, &(oc_session_options){.threads = 1, .no_folding = true});
        if (rows[i].n_folded < 0) {
            ck_assert_int_eq(p.error.code, OC_MODEL);
            ck_assert_str_eq(p.error.text, q.error.text);
        } else {
            run(&q);
            size_t n, want;
            const void *y = NULL, *z = oc_fetch(q.session, "y", &want, &q.error);
            for (int round = 0; round < 3; round++) {
                run(&p);
                y = oc_fetch(p.session, "y", &n, &p.error);
                ck_assert_uint_eq(n, want);
                ck_assert_mem_eq(y, z, n * sizeof(float));
            }
            const oc_session_stats stats = oc_session_describe(p.session);
            ck_assert_msg(stats.n_folded == rows[i].n_folded, "row %d: %d", (int)i, stats.n_folded);
            ck_assert_int_eq(oc_session_describe(q.session).n_folded, 0);
            ck_assert_int_eq(stats.steps, oc_session_describe(q.session).steps);
        }
        end(&p);
        end(&q);
    }
}
END_TEST

/* What a plan takes for `n` floats that depend on a weight of `of` floats. */
static int n_folded(int64_t n, int64_t of, size_t cap)
{
    char text[600];
    oc_error e = {.code = OC_OK};
    snprintf(text, sizeof text,
             "<ir_version: 10, opset_import: [\"\" : 22]>\n"
             "g (float x) => (float[] y) <float[%lld] w = {%%s}> {\n"
             "n = Constant <value = int64[1] {%lld}> ()\n"
             "b = ConstantOfShape <value = float[1] {1}> (n)\ny = Add (x, b)\n}\n",
             (long long)of, (long long)n);
    static char model[1 << 21];
    size_t at = (size_t)(strstr(text, "%s") - text);
    memcpy(model, text, at);
    for (int64_t i = 0; i < of; i++) {
        model[at++] = '1';
        model[at++] = i + 1 < of ? ',' : ' ';
    }
    strcpy(model + at, strstr(text, "%s") + 2);
    oc_model *m = oc_model_load_memory(model, strlen(model), NULL, &e);
    oc_session *s =
        oc_session_new(m, &(oc_session_options){.threads = 1, .limits.memory_cap = cap}, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    const int folded = oc_session_describe(s).n_folded;
    oc_session_free(s);
    oc_model_free(m);
    return folded;
}

/* Results together may be as large as the weights, or 1 MiB. The constant n is always held. */
START_TEST(as_much_as_the_weights)
{
    ck_assert_int_eq(n_folded((1 << 18) - 2, 1, 0), 2);
    ck_assert_int_eq(n_folded((1 << 18) + 3, 1, 0), 1);
    ck_assert_int_eq(n_folded(400000, 400000, 0), 2);
    ck_assert_int_eq(n_folded(400010, 400000, 0), 1);
    ck_assert_int_eq(n_folded(1 << 28, 1, 0), 1);
    ck_assert_int_eq(n_folded(400000, 400000, 1 << 22), 2); /* the cap leaves room */
    ck_assert_int_eq(n_folded(400000, 400000, 3 << 20), 1); /* results take half of it at most */
}
END_TEST

START_TEST(results_share_the_room)
{
    program p = begin("n = Constant <value = int64[1] {150000}> ()\n"
                      "b = ConstantOfShape <value = float[1] {1}> (n)\n"
                      "c = ConstantOfShape <value = float[1] {2}> (n)\n"
                      "d = Add (b, c)\nr = ReduceMax (d)\ny = Add (x, r)\n",
                      &(oc_session_options){.threads = 1});
    ck_assert_int_eq(oc_session_describe(p.session).n_folded, 2); /* n and b */
    end(&p);
}
END_TEST

/* The plan keeps the results, so a run needs no memory for them. */
START_TEST(runs_need_less_memory)
{
    size_t peak[2];
    for (int i = 0; i < 2; i++) {
        program p = begin("n = Constant <value = int64[2] {100, 100}> ()\n"
                          "b = ConstantOfShape <value = float[1] {1}> (n)\nt = Transpose (b)\n"
                          "r = ReduceSum <keepdims = 0> (t)\ny = Add (x, r)\n",
                          &(oc_session_options){.threads = 1, .no_folding = i});
        run(&p);
        peak[i] = oc_session_describe(p.session).peak_bytes;
        end(&p);
    }
    ck_assert_uint_ge(peak[1], 80000);
    ck_assert_uint_lt(peak[0], 1000);
}
END_TEST

/* What the host defines may have a state: it runs each time, also under a name of ONNX's. */
static int n_runs;

static oc_status count_shape(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 0, NULL);
}

static oc_status count_run(oc_call *c)
{
    *(float *)oc_call_out(c, 0) = (float)++n_runs;
    return OC_OK;
}

START_TEST(operators_of_the_host_run_each_time)
{
    static const oc_op own[] = {{1, "Abs (T X) => (T Y) | T: float", count_shape, count_run}, {0}};
    program p =
        begin("a = Abs (w)\ny = Add (x, a)\n", &(oc_session_options){.threads = 1, .ops = own});
    const int before = n_runs;
    run(&p);
    run(&p);
    ck_assert_int_eq(n_runs, before + 2);
    ck_assert_int_eq(oc_session_describe(p.session).n_folded, 0);
    end(&p);
}
END_TEST

/* A large result that cannot be computed is an error of the run, as it is without folding; the
 * deadline ends what takes too long while the plan is made. */
START_TEST(errors_wait_for_the_run)
{
    static const char *const nodes =
        "n = Constant <value = int64[1] {2000}> ()\n"
        "i = ConstantOfShape <value = int64[1] {5}> (n)\n"
        "b = Gather <axis = 0> (w, i)\nr = ReduceSum (b)\ny = Add (x, r)\n";
    program p = begin(nodes, &(oc_session_options){.threads = 1});
    ck_assert_msg(p.error.code == OC_OK, "%s", p.error.text);
    ck_assert_int_eq(oc_session_describe(p.session).n_folded, 2);
    oc_run(p.session, &p.error);
    ck_assert_int_eq(p.error.code, OC_VALUE);
    ck_assert_ptr_nonnull(strstr(p.error.text, "Gather"));
    end(&p);
}
END_TEST

/* A weight of 3 MB that nodes compute is packed by MatMul's prepare function, then forgotten; not
 * if somebody else reads it, if the host looks at all values, or if half of the memory cap is not
 * twice as much. */
START_TEST(weights_are_packed_and_forgotten)
{
    static const struct {
        const char *nodes;
        bool dumps;
        int n_folded;
        size_t cap;
    } rows[] = {{"y = MatMul (x, w2)\n", false, 3, 0},
                {"m = MatMul (x, w2)\nr = ReduceMax (w2)\ny = Add (m, r)\n", false, 2, 0},
                {"y = MatMul (x, w2)\n", true, 2, 0},
                {"y = MatMul (x, w2)\n", false, 3, 16 << 20}, /* a cap makes no run slower */
                {"y = MatMul (x, w2)\n", false, 2, 12 << 20}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char nodes[500];
        snprintf(nodes, sizeof nodes,
                 "n = Constant <value = int64[2] {2, 400000}> ()\n"
                 "k = Constant <value = float {3}> ()\n"
                 "w2 = Expand (k, n)\n%s",
                 rows[i].nodes);
        const oc_session_options options = {
            .threads = 1, .no_fusion = rows[i].dumps, .limits.memory_cap = rows[i].cap};
        program p = begin(nodes, &options);
        run(&p);
        size_t n = 0;
        const float *y = oc_fetch(p.session, "y", &n, &p.error);
        ck_assert_uint_eq(n, 800000);
        ck_assert(y[0] == (i == 1 ? 9 : 6) && y[n - 1] == y[0]);
        ck_assert_int_eq(oc_session_describe(p.session).n_folded, rows[i].n_folded);
        end(&p);
    }
}
END_TEST

/* ---- packed where they are */

typedef struct counting {
    size_t live, peak;
} counting;

static void *count_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    counting *c = ctx;
    c->live += new_size - old_size;
    c->peak = c->live > c->peak ? c->live : c->peak;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

/* Runs a product by the transpose of a weight of 1600 x 1000 floats that nodes compute; returns the
 * most memory of the session. */
static size_t multiply_computed(const char *computed, bool no_folding, float *y)
{
    char text[1000];
    counting c = {0, 0};
    float x[1000];
    size_t n = 0;
    oc_error e = {.code = OC_OK};
    snprintf(
        text, sizeof text,
        "<ir_version: 10, opset_import: [\"\" : 22]>\n"
        "g (float[1,1000] x) => (float[] y) <float a = {0}, float b = {1000}, float c = {1600},"
        " float s = {1}, int64[2] to = {-1, 1}> {\n"
        "row = Range (a, b, s)\ncolumn = Range (a, c, s)\nup = Reshape (column, to)\n%s"
        "y = Gemm <transB = 1> (x, w)\n}\n",
        computed);
    for (int i = 0; i < 1000; i++)
        x[i] = (float)(i % 7) - 3;
    oc_model *m = oc_model_load_memory(text, strlen(text),
                                       &(oc_model_options){.alloc = {count_resize, &c}}, &e);
    oc_session *s =
        oc_session_new(m, &(oc_session_options){.threads = 1, .no_folding = no_folding}, &e);
    const size_t peak = c.peak;
    oc_bind(s, "x", OC_F32, 2, (int64_t[]){1, 1000}, x, &e);
    for (int i = 0; i < 2; i++)
        oc_run(s, &e);
    const void *got = oc_fetch(s, "y", &n, &e);
    ck_assert_msg(e.code == OC_OK && n == 1600, "%s", e.text);
    memcpy(y, got, n * sizeof *y);
    oc_session_free(s);
    oc_model_free(m);
    ck_assert_uint_eq(c.live, 0);
    return peak;
}

/* Nobody else reads it, so what is packed takes its memory. */
START_TEST(a_computed_weight_is_packed_where_it_is)
{
    static float y[1600], want[1600];
    const size_t size = 1600 * 1000 * sizeof(float);
    const char *alone = "w = Sub (row, up)\n", *shared = "v = Sub (row, up)\nw = Identity (v)\n";
    multiply_computed(alone, true, want);
    ck_assert_uint_lt(multiply_computed(alone, false, y), size * 5 / 4);
    ck_assert_mem_eq(y, want, sizeof y);
    multiply_computed(shared, false, y); /* v has the same elements */
    ck_assert_mem_eq(y, want, sizeof y);
}
END_TEST

/* Whether a Dropout is a copy is asked while the plan is made. The question leaves no memory and no
 * error behind: the second ratio belongs to a branch that does not run. */
START_TEST(a_question_leaves_nothing_behind)
{
    static const char text[] =
        "<ir_version: 10, opset_import: [\"\" : 22]>\n"
        "g (float[2,2] x, bool b) => (float[2,2] y) "
        "<float r = {0.5}, float q = {1.5}, bool no = {0}, bool yes = {1}> {\n"
        "d = Dropout (x, r, no)\n"
        "y = If <then_branch = h () => (float[2,2] t) { t = Dropout (d, q, yes) }, "
        "else_branch = e () => (float[2,2] f) { f = Neg (d) }> (b)\n}\n";
    counting c = {0, 0};
    oc_error e = {.code = OC_OK};
    size_t n = 0;
    const bool taken = false;
    oc_model *m = oc_model_load_memory(text, strlen(text),
                                       &(oc_model_options){.alloc = {count_resize, &c}}, &e);
    oc_session *s = oc_session_new(m, NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_bind(s, "x", OC_F32, 2, two_dims, ones, &e);
    oc_bind(s, "b", OC_BOOL, 0, NULL, &taken, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", &n, &e);
    ck_assert_msg(e.code == OC_OK && n == 4 && y[3] == -1, "%s", e.text);
    oc_session_free(s);
    oc_model_free(m);
    ck_assert_uint_eq(c.live, 0);
}
END_TEST

static void count_hidden(void *ctx, const oc_node_event *event)
{
    for (int i = 0; i < event->n_out && !event->begin; i++)
        *(int *)ctx += !event->out[i] || !oc_value_data(event->out[i]);
}

/* Who looks at all values sees weights too that nodes compute for others to pack. */
START_TEST(an_observer_sees_computed_weights)
{
    for (int no_folding = 0; no_folding < 2; no_folding++)
        for (int no_fusion = 0; no_fusion < 2; no_fusion++) {
            int hidden = 0;
            const oc_session_options o = {
                .no_folding = no_folding,
                .no_fusion = no_fusion,
                .observer = {.on_node = count_hidden, .on_node_ctx = &hidden}};
            program p = begin("v = Identity (w)\ny = MatMul (x, v)\n", &o);
            run(&p);
            ck_assert_int_eq(hidden, 0);
            end(&p);
        }
}
END_TEST

SUITE("fold", what_depends_on_weights_alone, weights_are_packed_and_forgotten,
      as_much_as_the_weights, results_share_the_room, runs_need_less_memory,
      operators_of_the_host_run_each_time, errors_wait_for_the_run,
      a_computed_weight_is_packed_where_it_is, a_question_leaves_nothing_behind,
      an_observer_sees_computed_weights)
