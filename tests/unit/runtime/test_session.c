/* SPDX-License-Identifier: Apache-2.0
 * test_session.c - the public interface: models, sessions, limits, and misuse of each. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- operators of the host ---- */

static oc_status twice_shape(oc_call *c)
{
    const oc_value *x = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(x), oc_value_dims(x));
}

static oc_status twice_run(oc_call *c)
{
    const oc_value *x = oc_call_in(c, 0);
    const float *from = oc_value_data(x);
    float *to = oc_call_out(c, 0);
    for (int64_t i = 0; i < oc_value_count(x); i++)
        to[i] = from[i] * (float)oc_call_float(c, "by");
    return OC_OK;
}

static oc_status refuse_run(oc_call *c)
{
    return oc_call_fail(c, OC_VALUE, "never good enough");
}

static const oc_op host_ops[] = {
    {1, "test::Times <float by = 2.0> (T x) => (T y) | T: float", twice_shape, twice_run},
    {1, "test::Refuse (T x) => (T y) | T: float", twice_shape, refuse_run},
    {0},
};

static const char chain[] = "<ir_version: 8, opset_import: [\"\" : 13, \"test\" : 1]>\n"
                            "g (float[N] x) => (float[M] y)\n"
                            "{ a = test.Times (x)  b = test.Times <by = 3.0> (a)\n"
                            "  y = Concat <axis = 0> (x, a, b) }";

static oc_model *load(const char *text, oc_error *e)
{
    return oc_model_load_memory(text, strlen(text), NULL, e);
}

static oc_session *start(oc_model *m, const oc_session_options *given, oc_error *e)
{
    oc_session_options o = given ? *given : (oc_session_options){.threads = 1};
    o.ops = host_ops;
    return oc_session_new(m, &o, e);
}

#define ASSERT_OK(e) ck_assert_msg((e).code == OC_OK, "%s", (e).text)
#define ASSERT_FAILS(e, expected, part)                                                            \
    do {                                                                                           \
        ck_assert_msg((e).code == (expected), "%s: %s", oc_status_name((e).code), (e).text);       \
        ck_assert_msg(strstr((e).text, part) != NULL, "'%s' lacks '%s'", (e).text, part);          \
    } while (0)

START_TEST(runs_and_fetches)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load(chain, &e);
    oc_session *s = start(m, NULL, &e);
    ASSERT_OK(e);
    for (int64_t n = 1; n < 5; n++) { /* a second run with another shape */
        const float x[] = {1, 2, 3, 4};
        size_t count;
        oc_bind(s, "x", OC_F32, 1, &n, x, &e);
        oc_run(s, &e);
        const float *y = oc_fetch(s, "y", &count, &e);
        ASSERT_OK(e);
        ck_assert_uint_eq(count, 3 * (size_t)n);
        for (int64_t i = 0; i < n; i++) {
            ck_assert(y[i] == x[i] && y[n + i] == 2 * x[i] && y[2 * n + i] == 6 * x[i]);
        }
        ck_assert_int_eq(oc_session_describe(s).steps, 3);
        ck_assert_ptr_nonnull(strstr("scalar v128 avx2 avx512 neon", oc_session_describe(s).cpu));
    }
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

START_TEST(describes_models)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load(chain, &e);
    ASSERT_OK(e);
    ck_assert_int_eq(oc_model_n_inputs(m), 1);
    const oc_port x = oc_model_input(m, 0);
    ck_assert_str_eq(x.name, "x");
    ck_assert_int_eq(x.rank, 1);
    ck_assert_int_eq(x.dim[0], -1);
    ck_assert_str_eq(x.dim_name[0], "N");
    ck_assert_int_eq(oc_model_describe(m).n_nodes, 3);
    oc_model_operator op;
    ck_assert(oc_model_operator_at(m, 0, &op));
    ck_assert_str_eq(op.name, "Times");
    ck_assert_int_eq(op.count, 2);
    ck_assert_int_eq(op.support, OC_SUPPORT_NONE); /* without the host's table */
    ck_assert(oc_model_operator_at(m, 1, &op));
    ck_assert_int_eq(op.since, 13);
    ck_assert(!oc_model_operator_at(m, 2, &op));
    oc_model_free(m);
}
END_TEST

/* Sparse weights may have more elements than memory has bytes. */
START_TEST(counts_more_parameters_than_there_are_numbers)
{
#define W(name) "sparse_tensor(int8[4611686018427387904]) " name " = int8[1] {1} at int64[1] {1}"
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g () => () <" W("a") ", " W("b") ", float[3] d = {1, 2, 3}> {}";
#undef W
    oc_error e = {OC_OK, ""};
    oc_model *m = load(text, &e);
    ck_assert_msg(e.code == (SUITE_NARROW ? OC_MODEL : OC_OK), "%s", e.text);
    ck_assert(SUITE_NARROW || oc_model_describe(m).n_parameters == INT64_MAX);
    oc_model_free(m);
}
END_TEST

START_TEST(errors_name_the_node)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load("<ir_version: 8, opset_import: [\"test\" : 1]>\n"
                       "g (float[N] x) => (float[N] y) { y = test.Refuse (x) }",
                       &e);
    oc_session *s = start(m, NULL, &e);
    const float x[] = {1};
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){1}, x, &e);
    ASSERT_OK(e);
    oc_run(s, &e);
    ASSERT_FAILS(e, OC_VALUE, "node of 'y' (test.Refuse-1): never good enough");
    ck_assert_ptr_null(oc_fetch(s, "y", NULL, &e)); /* sticky */
    e.code = OC_OK;
    ck_assert_ptr_null(oc_fetch(s, "y", NULL, &e));
    ASSERT_FAILS(e, OC_ARGUMENT, "after a run");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

START_TEST(inputs_are_checked)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                       "g (float[N,2] x, float[1,2] w) => (float[M,2] y)\n"
                       "{ y = Concat <axis = 0> (x, w) }",
                       &e);
    oc_session *s = oc_session_new(m, NULL, &e);
    const float x[] = {1, 2, 3, 4};
    ASSERT_OK(e);
    const struct {
        const char *name;
        oc_type type;
        int rank;
        int64_t dim[3];
        oc_status code;
        const char *part;
    } bad[] = {
        {"q", OC_F32, 2, {2, 2}, OC_ARGUMENT, "no input 'q'"},
        {"x", OC_F64, 2, {2, 2}, OC_TYPE, "expected float"},
        {"x", OC_F32, 2, {2, 3}, OC_SHAPE, "expected float[N,2]"},
        {"x", OC_F32, 1, {2}, OC_SHAPE, "expected float[N,2]"},
        {"x", OC_F32, 2, {-2, 2}, OC_ARGUMENT, "dims >= 0"},
        {"x", OC_F32, 17, {2, 2}, OC_ARGUMENT, "rank"},
        {"x", (oc_type)99, 2, {2, 2}, OC_ARGUMENT, "type"},
        {"x", OC_F32, 2, {INT64_MAX, 2}, OC_ARGUMENT, "dims"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_bind(s, bad[i].name, bad[i].type, bad[i].rank, bad[i].dim, x, &e);
        ASSERT_FAILS(e, bad[i].code, bad[i].part);
        e = (oc_error){OC_OK, ""};
    }
    oc_bind(s, "x", OC_F32, 2, (int64_t[]){2, 2}, x, &e);
    ASSERT_OK(e);
    oc_run(s, &e);
    ASSERT_FAILS(e, OC_ARGUMENT, "input 'w' is not bound, expected float[1,2]");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* A shape that cannot work is refused before any input is there. */
START_TEST(static_shapes_are_checked)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                       "g (float[3,2] x, float[1,4] w) => (float[M,2] y)\n"
                       "{ [cat] y = Concat <axis = 0> (x, w) }",
                       &e);
    ASSERT_OK(e);
    ck_assert_ptr_null(oc_session_new(m, NULL, &e));
    ASSERT_FAILS(e, OC_SHAPE, "node 'cat' (Concat-13): input 1 is [1,4], expected [3,2]");
    oc_model_free(m);
}
END_TEST

/* ---- limits ---- */

static bool always(void *ctx)
{
    ++*(int *)ctx;
    return true;
}

START_TEST(limits_end_a_run)
{
    int asked = 0;
    const struct {
        oc_session_options options;
        oc_status code;
        const char *part;
    } cases[] = {
        {{.threads = 1, .limits.max_steps = 2}, OC_LIMIT, "limit of 2 executed nodes"},
        {{.threads = 1, .limits.deadline = 1e-9}, OC_DEADLINE, "deadline"},
        {{.threads = 1, .limits.cancel = always, .limits.cancel_ctx = &asked},
         OC_CANCELLED,
         "cancelled"},
        {{.threads = 1, .limits.memory_cap = 100000}, OC_LIMIT, "memory cap"},
    };
    static float x[10000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oc_error e = {OC_OK, ""};
        oc_model *m = load(chain, &e);
        oc_session *s = start(m, &cases[i].options, &e);
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){10000}, x, &e);
        oc_run(s, &e);
        ASSERT_FAILS(e, cases[i].code, cases[i].part);
        oc_session_free(s);
        oc_model_free(m);
    }
    ck_assert_int_gt(asked, 0);
}
END_TEST

static void note_begin(void *ctx, const oc_node_event *event)
{
    *(bool *)ctx = event->begin && strcmp(event->name, "long") == 0;
}

static bool has_begun(void *ctx)
{
    return *(bool *)ctx;
}

/* Each of these nodes is more work than is done between two questions. */
START_TEST(a_long_node_can_be_cancelled)
{
    static const char *const nodes[] = {
        "s = Constant <value_ints = [1024, 1024]> () a = ConstantOfShape (s) [long] y = MatMul (a, "
        "a)",
        "s = Constant <value_ints = [1, 1, 1024, 128]> () a = ConstantOfShape (s) "
        "[long] y = Attention (a, a, a)",
        "s = Constant <value_ints = [1, 64, 64, 64]> () t = Constant <value_ints = [64, 64, 5, 5]> "
        "() "
        "a = ConstantOfShape (s) b = ConstantOfShape (t) [long] y = Conv (a, b)",
        "s = Constant <value_ints = [1, 2048, 256]> () a = ConstantOfShape (s) "
        "[long] y, p = LinearAttention <q_num_heads = 1, kv_num_heads = 1, update_rule = "
        "\"linear\"> "
        "(a, a, a)",
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        char text[500];
        bool begun = false;
        oc_error e = {OC_OK, ""};
        snprintf(text, sizeof text,
                 "<ir_version: 10, opset_import: [\"\": 27]> g () => (float[] y) { %s }", nodes[i]);
        oc_model *m = load(text, &e);
        const oc_session_options o = {.threads = 1,
                                      .no_folding = true,
                                      .limits.cancel = has_begun,
                                      .limits.cancel_ctx = &begun,
                                      .observer.on_node = note_begin,
                                      .observer.on_node_ctx = &begun,
                                      .observer.view = OC_VIEW_NONE};
        oc_session *s = start(m, &o, &e);
        ASSERT_OK(e);
        oc_run(s, &e);
        ASSERT_FAILS(e, OC_CANCELLED, "cancelled");
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

/* ---- weights at any address ---- */

typedef struct growing {
    char bytes[4096];
    size_t size;
} growing;

static bool append(void *ctx, const void *bytes, size_t size)
{
    growing *g = ctx;
    if (size > sizeof g->bytes - g->size)
        return false;
    memcpy(g->bytes + g->size, bytes, size);
    g->size += size;
    return true;
}

START_TEST(weights_need_no_alignment)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                               "g (double[N] x) => (double[M] y)\n"
                               "<double[3] w = {1, 2, 3}>\n"
                               "{ y = Concat <axis = 0> (x, w) }";
    oc_error e = {OC_OK, ""};
    growing file = {.size = 0};
    oc_model *m = load(text, &e);
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){append, &file}, &e);
    ASSERT_OK(e);
    oc_model_free(m);
    for (size_t shift = 0; shift < 8; shift++) {
        _Alignas(8) char moved[sizeof file.bytes + 8];
        memcpy(moved + shift, file.bytes, file.size);
        const double x[] = {9};
        m = oc_model_load_memory(moved + shift, file.size, NULL, &e);
        oc_session *s = oc_session_new(m, NULL, &e);
        oc_bind(s, "x", OC_F64, 1, (int64_t[]){1}, x, &e);
        for (int round = 0; round < 2; round++) {
            oc_run(s, &e);
            const double *y = oc_fetch(s, "y", NULL, &e);
            ASSERT_OK(e);
            ck_assert(y[0] == 9 && y[1] == 1 && y[2] == 2 && y[3] == 3);
        }
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

/* ---- events ---- */

typedef struct seen {
    int begins, ends;
    char order[64];
} seen;

static void on_node(void *ctx, const oc_node_event *event)
{
    seen *s = ctx;
    if (event->begin) {
        s->begins++;
        return;
    }
    s->ends++;
    strncat(s->order, event->out_name[0], sizeof s->order - strlen(s->order) - 1);
    ck_assert_int_eq(oc_value_rank(event->out[0]), 1);
    ck_assert_int_eq(event->depth, 0);
}

START_TEST(every_node_is_reported)
{
    seen log = {0, 0, ""};
    const oc_session_options o = {
        .threads = 1, .observer.on_node = on_node, .observer.on_node_ctx = &log};
    oc_error e = {OC_OK, ""};
    oc_model *m = load(chain, &e);
    oc_session *s = start(m, &o, &e);
    const float x[] = {1};
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){1}, x, &e);
    oc_run(s, &e);
    ASSERT_OK(e);
    ck_assert_int_eq(log.begins, 3);
    ck_assert_str_eq(log.order, "aby");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* ---- functions of the model beside kernels ---- */

/* Neg, a function of the model, adds 1; Deep calls it; no kernel is called Twice. */
static const char with_functions[] =
    "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
    "g (float[N] x) => (float[N] a, float[N] b, float[N] c)\n"
    "{ a = Neg (x)  b = my.Deep (x)  c = my.Twice (x) }\n"
    "<domain: \"\", opset_import: [\"\" : 13]>\n"
    "Neg (x) => (y) { one = Constant <value_float = 1.0> ()  y = Add (x, one) }\n"
    "<domain: \"my\", opset_import: [\"\" : 13]>\n"
    "Deep (x) => (y) { y = Neg (x) }\n"
    "<domain: \"my\", opset_import: [\"\" : 13]>\n"
    "Twice (x) => (y) { y = Add (x, x) }\n";

START_TEST(kernels_may_come_first)
{
    static const struct {
        oc_session_options options;
        float a, c;
    } rows[] = {
        {{.threads = 1}, 6, 10},
        {{.threads = 1, .bodies.policy = OC_BODY_EXPAND, .bodies.only = "Abs"}, 6, 10},
        {{.threads = 1, .bodies.kernels_first = true}, -5, 10},
        {{.threads = 1, .bodies.kernels_first = true, .bodies.policy = OC_BODY_EXPAND}, 6, 10},
        {{.threads = 1,
          .bodies.kernels_first = true,
          .bodies.policy = OC_BODY_STANDARD,
          .bodies.only = "Neg"},
         6,
         10},
        {{.threads = 1,
          .bodies.kernels_first = true,
          .bodies.policy = OC_BODY_EXPAND,
          .bodies.only = "Twice"},
         -5,
         10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oc_error e = {OC_OK, ""};
        oc_model *m = load(with_functions, &e);
        oc_session *s = oc_session_new(m, &rows[i].options, &e);
        const float x[] = {5};
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){1}, x, &e);
        oc_run(s, &e);
        const float *a = oc_fetch(s, "a", NULL, &e), *b = oc_fetch(s, "b", NULL, &e);
        const float *c = oc_fetch(s, "c", NULL, &e);
        ASSERT_OK(e);
        ck_assert_msg(*a == rows[i].a && *b == *a && *c == rows[i].c, "row %d: %g %g %g", (int)i,
                      (double)*a, (double)*b, (double)*c);
        oc_session_free(s);
        oc_model_free(m);
    }
}
END_TEST

/* ---- one model, many threads ---- */

static void *run_many(void *arg)
{
    oc_model *m = arg;
    static _Thread_local float x[64];
    for (int round = 0; round < 50; round++) {
        oc_error e = {OC_OK, ""};
        oc_session *s = start(m, NULL, &e);
        for (int i = 0; i < 64; i++)
            x[i] = (float)(i + round);
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){64}, x, &e);
        oc_run(s, &e);
        const float *y = oc_fetch(s, "y", NULL, &e);
        if (e.code || y[128] != 6 * x[0] || y[191] != 6 * x[63])
            return m;
        oc_session_free(s);
    }
    return NULL;
}

START_TEST(one_model_serves_many_threads)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load(chain, &e);
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_many, m), 0);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        ck_assert_ptr_null(failed);
    }
    oc_model_free(m);
}
END_TEST

START_TEST(misuse_is_an_error_not_a_crash)
{
    oc_error e = {OC_OK, ""};
    ck_assert_ptr_null(oc_model_load(NULL, NULL, &e));
    ASSERT_FAILS(e, OC_ARGUMENT, "path");
    e.code = OC_OK;
    ck_assert_ptr_null(oc_session_new(NULL, NULL, &e));
    ASSERT_FAILS(e, OC_ARGUMENT, "model");
    e.code = OC_OK;
    oc_run(NULL, &e);
    ASSERT_FAILS(e, OC_ARGUMENT, "session");
    e.code = OC_OK;
    oc_bind(NULL, "x", OC_F32, 0, NULL, "", &e);
    ASSERT_FAILS(e, OC_ARGUMENT, "session");
    e.code = OC_OK;
    ck_assert_ptr_null(oc_tensor_new(OC_F32, -1, NULL, NULL, &e));
    ASSERT_FAILS(e, OC_ARGUMENT, "rank");
    oc_model_free(NULL);
    oc_session_free(NULL);
    oc_value_free(NULL);
}
END_TEST

SUITE("session", runs_and_fetches, describes_models, counts_more_parameters_than_there_are_numbers,
      errors_name_the_node, inputs_are_checked, static_shapes_are_checked, limits_end_a_run,
      a_long_node_can_be_cancelled, weights_need_no_alignment, every_node_is_reported,
      kernels_may_come_first, one_model_serves_many_threads, misuse_is_an_error_not_a_crash)
