/* SPDX-License-Identifier: Apache-2.0
 * test_plans.c - sessions of one model share a plan, and what operators prepared with it. */
#include "suite.h"

#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- an operator that prepares: y = x * (w[0] + w[1] + ...) ---- */

static atomic_int n_prepared; /* in all models: two of them are planned at one time */

static oc_status scale_shape(oc_call *c)
{
    const oc_value *x = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(x), oc_value_dims(x));
}

static float sum(const oc_value *w)
{
    float total = 0;
    for (int64_t i = 0; i < oc_value_count(w); i++)
        total += ((const float *)oc_value_data(w))[i];
    return total;
}

static oc_status scale_prepare(oc_call *c)
{
    const oc_value *x = oc_call_in(c, 0), *w = oc_call_in(c, 1);
    n_prepared++;
    if (x && oc_value_data(x))
        return oc_call_fail(c, OC_VALUE, "prepare is shown an input that is not marked");
    if (oc_value_count(w) == 1)
        return oc_call_fail(c, OC_VALUE, "one weight is too few");
    float *total = oc_call_keep(c, sizeof *total);
    if (!total)
        return OC_NOMEM;
    ck_assert_int_eq((uintptr_t)total % 64, 0);
    *total = sum(w);
    return OC_OK;
}

static oc_status scale_run(oc_call *c)
{
    const oc_value *x = oc_call_in(c, 0);
    const float *prepared = oc_call_prepared(c), *from = oc_value_data(x);
    const float factor = prepared ? *prepared : -sum(oc_call_in(c, 1));
    float *to = oc_call_out(c, 0);
    for (int64_t i = 0; i < oc_value_count(x); i++)
        to[i] = from[i] * factor;
    return OC_OK;
}

static const oc_op host_ops[] = {
    {1, "test::Scale <int kind = 0> (T x, T w=) => (T y) | T: float", scale_shape, scale_run,
     scale_prepare},
    {0},
};

/* ---- sessions, and the bytes that they allocate ---- */

typedef struct counting {
    int64_t live;
} counting;

static void *count_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    counting *c = ctx;
    c->live += (int64_t)new_size - (int64_t)old_size;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

#define HEADER "<ir_version: 10, opset_import: [\"\" : 20, \"test\" : 1]>\n"

static oc_model *load(const char *text, counting *count)
{
    oc_error e = {OC_OK, ""};
    const oc_model_options o = {.alloc = {count_resize, count}};
    oc_model *m = oc_model_load_memory(text, strlen(text), count ? &o : NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return m;
}

static oc_session *start(const oc_model *m, const oc_session_options *given)
{
    oc_error e = {OC_OK, ""};
    oc_session_options o = given ? *given : (oc_session_options){.threads = 1};
    o.ops = host_ops;
    o.threads = 1;
    oc_session *s = oc_session_new(m, &o, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return s;
}

/* y[0] after a run on x = {2, 3}. */
static float run(oc_session *s)
{
    static const float x[] = {2, 3};
    oc_error e = {OC_OK, ""};
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){2}, x, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return y[0];
}

/* A model of a thousand nodes: y = x + 1000. */
static char *write_chain(void)
{
    static char text[60000];
    char *at = text + sprintf(text, HEADER "g (float[N] x) => (float[N] y)\n<float one = {1}> {\n"
                                           "v0 = Add (x, one)\n");
    for (int i = 1; i < 999; i++)
        at += sprintf(at, "v%d = Add (v%d, one)\n", i, i - 1);
    sprintf(at, "y = Add (v998, one) }");
    return text;
}

/* Calls of long names, which the values of their bodies have too. */
static char *write_calls(void)
{
    enum { CALLS = 100, LONG = 2000 };
    static char text[CALLS * (LONG + 50)];
    static char name[LONG];
    memset(name, 'n', LONG - 1);
    char *at = text + sprintf(text, HEADER "g (float[N] x) => (float[N] y) {\n");
    for (int i = 0; i < CALLS; i++)
        at += sprintf(at, "[%s%d] y%d = test.Next (%s)\n", name, i, i, "x");
    sprintf(at, "y = Neg (y0) }\n<domain: \"test\", opset_import: [\"\" : 20]> Next (a) =>"
                " (b) { c = Neg (a) d = Abs (c) b = Neg (d) }");
    return text;
}

static void ignore(void *ctx, const oc_node_event *event)
{
    (void)ctx, (void)event;
}

START_TEST(a_second_session_is_small)
{
    counting count = {0};
    oc_model *m = load(write_chain(), &count);
    const int64_t before = count.live;
    oc_session *first = start(m, NULL);
    const int64_t one = count.live - before;
    oc_session *second = start(m, NULL);
    const int64_t more = count.live - before - one;
    const oc_session_stats stats = oc_session_describe(second);
    printf("first session %lld bytes, second %lld; plan %zu, own %zu\n", (long long)one,
           (long long)more, stats.plan_bytes, stats.own_bytes);
    ck_assert_uint_eq(stats.plan_bytes, oc_session_describe(first).plan_bytes);
    ck_assert_uint_gt(stats.plan_bytes, 200000);
    ck_assert_int_eq(more, (int64_t)stats.own_bytes);
    ck_assert_int_lt(more, 16384); /* a chain needs few slots, and the calls of one group */
    ck_assert_int_gt(one, more + (int64_t)stats.plan_bytes);
    ck_assert(run(first) == 1002 && run(second) == 1002);
    oc_session_free(first);
    ck_assert(run(second) == 1002);
    oc_session_free(second);
    ck_assert_int_eq(count.live, before);
    oc_model_free(m);
    ck_assert_int_eq(count.live, 0);
}
END_TEST

/* Sessions that ask for other bodies, operators or fusion have a plan of their own. */
START_TEST(other_options_make_another_plan)
{
    static const oc_function_text bodies[] = {
        {.text = "<opset_import: [\"\": 20]> Neg (p) => (r) { r = Abs (p) }"}, {.text = NULL}};
    static const oc_function_text other_bodies[] = {
        {.text = "<opset_import: [\"\": 20]> Neg (p) => (r) { r = Identity (p) }"}, {.text = NULL}};
    const oc_session_options others[] = {{.bodies.policy = OC_BODY_EXPAND},
                                         {.bodies = {.policy = OC_BODY_EXPAND, .only = "Relu"}},
                                         {.bodies = {.policy = OC_BODY_EXPAND, .only = ""}},
                                         {.bodies.kernels_first = true},
                                         {.bodies.own = bodies},
                                         {.bodies.own = other_bodies},
                                         {.no_fusion = true},
                                         {.no_nchw16c = true},
                                         {.no_folding = true},
                                         {.exact_conv = true},
                                         {.exact_quant = true},
                                         {.op_options = "RoiAlign.max=bilinear"},
                                         {.limits.memory_cap = 1 << 30},
                                         {.cpu = "scalar"}};
    enum { N = sizeof others / sizeof *others };
    counting count = {0};
    oc_model *m =
        load(HEADER "g (float[N] x) => (float[N] y) { n = Neg (x) y = Relu (n) }", &count);
    const int64_t before = count.live;
    oc_session *s[N + 1];
    n_prepared = 0;
    s[N] = start(m, NULL);
    for (int i = 0; i < N; i++) {
        const int64_t live = count.live;
        s[i] = start(m, &others[i]);
        const oc_session_stats stats = oc_session_describe(s[i]);
        ck_assert_int_gt(count.live - live, (int64_t)(stats.plan_bytes + stats.own_bytes));
        oc_session *same = start(m, &others[i]);
        ck_assert(run(same) == (others[i].bodies.own ? 2 : 0));
        oc_session_free(same);
    }
    for (int i = 0; i <= N; i++)
        oc_session_free(s[i]);
    ck_assert_int_eq(count.live, before);
    oc_model_free(m);
}
END_TEST

/* A host that looks at all values needs a plan as no_fusion and no_nchw16c make it. */
START_TEST(other_runs_share_one)
{
    const oc_session_options others[] = {{.observer.on_node = ignore},
                                         {.seed = 7, .no_reuse = true},
                                         {.limits = {.deadline = 1000, .max_steps = 1000}},
                                         {.cpu = "native"}};
    oc_model *m =
        load(HEADER "g (float[N] x) => (y) <float[2] w = {1, 2}> { y = test.Scale (x, w) }", NULL);
    for (int i = 0; i < 4; i++) {
        const oc_session_options o = {.cpu = i > 2 ? "" : NULL, .no_fusion = !i, .no_nchw16c = !i};
        n_prepared = 0;
        oc_session *first = start(m, &o), *second = start(m, &others[i]);
        suite_assert(n_prepared == 1, "others[%d] has another plan", i);
        oc_session_free(first), oc_session_free(second);
    }
    oc_model_free(m);
}
END_TEST

/* What is folded depends on the cap, so one without a cap makes no plan for one with it. */
START_TEST(a_cap_does_not_meet_the_plan_of_another)
{
    oc_error e = {OC_OK, ""};
    oc_model *m =
        load(HEADER "g (float[1000] x) => (float[1000] y) <float w = {1}, int64[2] n = {100, 1000}>"
                    " { a = Expand (w, n) b = ReduceSum <keepdims = 0> (a) c = Neg (a)"
                    " d = ReduceMax <keepdims = 0> (c) q = Add (x, b) y = Add (q, d) }",
             NULL);
    const oc_session_options capped = {.threads = 1, .limits.memory_cap = 600000};
    oc_session *alone = oc_session_new(m, &capped, &e);
    const size_t plan = oc_session_describe(alone).plan_bytes;
    oc_session_free(alone);
    oc_session *other = start(m, NULL), *beside = oc_session_new(m, &capped, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    ck_assert_uint_eq(oc_session_describe(beside).plan_bytes, plan);
    ck_assert_uint_gt(oc_session_describe(other).plan_bytes, plan);
    oc_session_free(other);
    oc_session_free(beside);
    oc_model_free(m);
}
END_TEST

/* The text of what keeps sessions with this cap from being made; empty: nothing does. */
static const char *refusal(const oc_model *m, size_t cap)
{
    static oc_error e;
    e = (oc_error){OC_OK, ""};
    const oc_session_options o = {.threads = 1, .ops = host_ops, .limits.memory_cap = cap};
    oc_session_free(oc_session_new(m, &o, &e));
    ck_assert_int_eq(e.code, e.text[0] ? OC_LIMIT : OC_OK);
    return e.text;
}

/* The plan alone may be too large, or what is needed while it is made, also with the bodies that
 * took the place of calls. */
START_TEST(the_cap_counts_the_plan)
{
    oc_model *m = load(write_chain(), NULL);
    oc_session *s = start(m, NULL);
    const size_t plan = oc_session_describe(s).plan_bytes;
    ck_assert_ptr_nonnull(strstr(refusal(m, plan), "memory cap: "));
    ck_assert_str_eq(refusal(m, 4 * plan), "");
    oc_session_free(s);
    oc_model_free(m);
    m = load(write_calls(), NULL);
    s = start(m, NULL);
    const size_t whole = oc_session_describe(s).plan_bytes;
    ck_assert_ptr_nonnull(strstr(refusal(m, whole), "memory cap: "));
    ck_assert_str_eq(refusal(m, 2 * whole), "");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* ---- prepared ---- */

START_TEST(constants_are_prepared_once)
{
    static const struct {
        const char *nodes;
        int prepared; /* times */
        float y;
    } cases[] = {
        {"y = test.Scale (x, w)", 1, 12},
        {"y = test.Scale (x, v)", 0, -4}, /* v is an input, with a default value */
        {"c = Constant <value_floats = [2.0, 5.0]> () y = test.Scale (x, c)", 1, 14},
        {"c = Add (w, w) y = test.Scale (x, c)", 1, 24},
        {"y = test.Scale (x, x)", 0, -10},
        {"b = Constant <value: tensor = bool {1}> () y = If (b) <then_branch = t () => (z)"
         " { z = test.Scale (x, w) }, else_branch = e () => (z) { z = test.Scale (x, x) }>",
         1, 12},
        /* what one has made serves another with the same constants, attributes and dims */
        {"z = test.Scale (x, w) y = test.Scale (z, w)", 1, 72},
        {"z = test.Scale (x, w) y = test.Scale (z, u)", 2, 84},
        {"z = test.Scale (x, u) t = test.Scale (z, w) y = test.Scale (t, u)", 2, 588},
        {"z = test.Scale <kind = 1> (x, w) y = test.Scale (z, w)", 2, 72},
        {"c = Concat <axis = 0> (x, x) d = test.Scale (c, w) r = ReduceSum <keepdims = 0> (d)"
         " e = test.Scale (x, w) y = Add (e, r)",
         2, 72},
        {"c = Add (w, w) d = Add (u, u) z = test.Scale (x, c) y = test.Scale (z, d)", 2, 336},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEADER "g (float[2] x, float[2] v) => (float[2] y)\n"
                        "<float[2] w = {1, 5}, float[2] u = {3, 4}, float[2] v = {0, 2}> { %s }",
                 cases[i].nodes);
        oc_model *m = load(text, NULL);
        n_prepared = 0;
        oc_session *first = start(m, NULL), *second = start(m, NULL);
        ck_assert_msg(n_prepared == cases[i].prepared, "case %zu: %d times", i, n_prepared);
        const float a = run(first), b = run(second);
        ck_assert_msg(a == cases[i].y && b == a, "case %zu: %g and %g", i, (double)a, (double)b);
        oc_session_free(first);
        oc_session_free(second);
        oc_model_free(m);
    }
}
END_TEST

START_TEST(what_fails_while_preparing_names_the_node)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = load(HEADER "g (float[2] x) => (float[2] y) <float[1] w = {1}>"
                              " { [n] y = test.Scale (x, w) }",
                       NULL);
    ck_assert_ptr_null(oc_session_new(m, &(oc_session_options){.threads = 1, .ops = host_ops}, &e));
    ck_assert_int_eq(e.code, OC_VALUE);
    ck_assert_msg(strstr(e.text, "'n'") && strstr(e.text, "too few"), "%s", e.text);
    oc_model_free(m);
    m = load(HEADER "g (float[2] x) => (float[2] y) <int64[2] w = {1, 2}>"
                    " { [n] y = test.Scale (x, w) }",
             NULL);
    e.code = OC_OK;
    ck_assert_ptr_null(oc_session_new(m, &(oc_session_options){.threads = 1, .ops = host_ops}, &e));
    ck_assert_int_eq(e.code, OC_TYPE);
    oc_model_free(m);
}
END_TEST

/* ---- many threads ---- */

enum { THREADS = 8, RUNS = 20 };

static void *make_and_run(void *model)
{
    for (int i = 0; i < 3; i++) {
        oc_session *s = start(model, NULL);
        for (int k = 0; k < RUNS; k++)
            if (run(s) != 12)
                return model;
        oc_session_free(s);
    }
    return NULL;
}

/* Weights that are not aligned are copied with the plan; loops have frames of their own; calls of
 * the model's functions become their bodies. */
START_TEST(a_session_for_each_of_eight_threads)
{
    oc_model *m =
        load(HEADER "g (float[2] x) => (float[2] y) <int64 n = {5}, float[2] w = {1, 1}> {\n"
                    "  y = Loop (n, , x) <body = b (int64 i, bool c, float[2] v) =>"
                    " (bool go, float[2] u) { go = Identity (c) u = Add (v, two) }>\n"
                    "  two = test.Twice (w) }\n"
                    "<domain: \"test\", opset_import: [\"\" : 20]>"
                    " Twice (a) => (b) { b = Add (a, a) }",
             NULL);
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, make_and_run, m), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        ck_assert_ptr_null(failed);
    }
    oc_model_free(m);
}
END_TEST

/* ---- what others do while a plan is made ---- */

static atomic_bool waits, is_seen;

static oc_status wait_prepare(oc_call *c)
{
    atomic_store(&waits, true);
    while (!atomic_load(&is_seen))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return oc_call_keep(c, 1) ? OC_OK : OC_NOMEM;
}

static const oc_op waiting_ops[] = {
    {1, "test::Scale (T x, T w=) => (T y) | T: float", scale_shape, scale_run, wait_prepare}, {0}};

static void *plan_slowly(void *model)
{
    oc_error e = {OC_OK, ""};
    oc_session_free(
        oc_session_new(model, &(oc_session_options){.threads = 1, .ops = waiting_ops}, &e));
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return NULL;
}

/* The thread that makes a plan waits for what this one does: to free a session, and to make one for
 * which there is a plan. */
START_TEST(sessions_with_a_plan_need_not_wait)
{
    pthread_t planner;
    oc_model *m = load(
        HEADER "g (float[2] x) => (float[2] y) <float[2] w = {1, 5}> { y = test.Scale (x, w) }",
        NULL);
    oc_session *idle = start(m, NULL);
    ck_assert_int_eq(pthread_create(&planner, NULL, plan_slowly, m), 0);
    while (!atomic_load(&waits))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    oc_session *other = start(m, NULL);
    oc_session_free(idle);
    oc_session_free(other);
    atomic_store(&is_seen, true);
    pthread_join(planner, NULL);
    oc_model_free(m);
}
END_TEST

/* ---- two that wait for each other ---- */

static atomic_int planning;
static _Thread_local const oc_model *others;

/* Makes a session of the model that the other thread plans, when both are here. */
static oc_status cross_prepare(oc_call *c)
{
    const oc_model *other = others;
    others = NULL;
    if (other) {
        oc_error e = {OC_OK, ""};
        atomic_fetch_add(&planning, 1);
        while (atomic_load(&planning) < 2)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        oc_session_free(
            oc_session_new(other, &(oc_session_options){.threads = 1, .ops = host_ops}, &e));
        if (e.code != OC_OK)
            return oc_call_fail(c, e.code, e.text);
    }
    return oc_call_keep(c, 1) ? OC_OK : OC_NOMEM;
}

static const oc_op crossing_ops[] = {
    {1, "test::Scale (T x, T w=) => (T y) | T: float", scale_shape, scale_run, cross_prepare}, {0}};

static void *plan_first_of_two(void *models)
{
    oc_error e = {OC_OK, ""};
    others = ((oc_model **)models)[1];
    oc_session_free(oc_session_new(((oc_model **)models)[0],
                                   &(oc_session_options){.threads = 1, .ops = crossing_ops}, &e));
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return NULL;
}

START_TEST(two_that_wait_for_each_other_go_on)
{
    static const char text[] =
        HEADER "g (float[2] x) => (float[2] y) <float[2] w = {1, 5}> { y = test.Scale (x, w) }";
    oc_model *a = load(text, NULL), *b = load(text, NULL), *first[] = {a, b}, *second[] = {b, a};
    pthread_t one, two;
    ck_assert_int_eq(pthread_create(&one, NULL, plan_first_of_two, first), 0);
    ck_assert_int_eq(pthread_create(&two, NULL, plan_first_of_two, second), 0);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    oc_model_free(a);
    oc_model_free(b);
}
END_TEST

SUITE("plans", a_second_session_is_small, other_options_make_another_plan, other_runs_share_one,
      a_cap_does_not_meet_the_plan_of_another, the_cap_counts_the_plan, constants_are_prepared_once,
      what_fails_while_preparing_names_the_node, a_session_for_each_of_eight_threads,
      sessions_with_a_plan_need_not_wait, two_that_wait_for_each_other_go_on)
