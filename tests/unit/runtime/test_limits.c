/* SPDX-License-Identifier: Apache-2.0
 * test_limits.c - bytes, seconds, steps and the wish to cancel, in every phase of a model's use. */
#include "suite.h"

#include <math.h>
#include <ocellus.h>
#include <ocellus_op.h>
#include <ocellus_model.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ASSERT_OK(e) ck_assert_msg((e).code == OC_OK, "%s", (e).text)
#define ASSERT_FAILS(e, expected, part)                                                            \
    do {                                                                                           \
        ck_assert_msg((e).code == (expected), "%s: %s", oc_status_name((e).code), (e).text);       \
        ck_assert_msg(strstr((e).text, part) != NULL, "'%s' lacks '%s'", (e).text, part);          \
    } while (0)

/* A wish to cancel that comes at the n-th question. */
typedef struct wish {
    int64_t asked, at;
} wish;

static bool is_due(void *ctx)
{
    wish *w = ctx;
    return ++w->asked >= w->at;
}

/* ---- what is loaded, expanded, planned: a model of many nodes */

enum { NODES = 3000, LONGEST = 60 * NODES };

/* Constants that are added up, and a call of a function. */
static size_t write_long(char *text)
{
    size_t n = (size_t)sprintf(text, "<ir_version: 8, opset_import: [\"\" : 17, \"me\" : 1]>\n"
                                     "g () => (float[1] y) {\n"
                                     " v0 = Constant <value_floats = [1.0]> ()\n");
    for (int i = 0; i < NODES; i++)
        n += (size_t)sprintf(text + n, " v%d = Add (v%d, v0)\n", i + 1, i);
    return n + (size_t)sprintf(text + n,
                               " y = me.Twice (v%d) }\n"
                               "<domain: \"me\", opset_import: [\"\" : 17]> Twice (x) => (z) "
                               "{ z = Add (x, x) }\n",
                               NODES);
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bool append(void *ctx, const void *more, size_t size)
{
    bytes *b = ctx;
    b->data = realloc(b->data, b->size + size);
    ck_assert_ptr_nonnull(b->data);
    memcpy(b->data + b->size, more, size);
    b->size += size;
    return true;
}

/* The model as text and as binary ONNX. */
static void write_both(bytes both[2])
{
    oc_error e = {OC_OK, ""};
    both[0].data = malloc(LONGEST);
    ck_assert_ptr_nonnull(both[0].data);
    both[0].size = write_long(both[0].data);
    both[1] = (bytes){NULL, 0};
    oc_model *m = oc_model_load_memory(both[0].data, both[0].size, NULL, &e);
    oc_model_save(m, OC_FORMAT_ONNX, &(oc_writer){append, &both[1]}, &e);
    ASSERT_OK(e);
    oc_model_free(m);
}

static void free_both(bytes both[2])
{
    free(both[0].data);
    free(both[1].data);
}

/* Loads, expands, makes a session and runs it, under the limits of each. */
static void use(const bytes *b, const oc_limits *of_model, const oc_limits *of_session, oc_error *e)
{
    const oc_model_options loading = {.limits = *of_model};
    const oc_session_options options = {.threads = 1, .limits = *of_session};
    oc_model *m = oc_model_load_memory(b->data, b->size, &loading, e);
    oc_model_free(oc_model_expand(m, OC_BODY_STANDARD, NULL, e));
    oc_session *s = oc_session_new(m, &options, e);
    oc_run(s, e);
    const float *y = oc_fetch(s, "y", NULL, e);
    ck_assert(e->code != OC_OK || *y == 2 * (NODES + 1));
    oc_session_free(s);
    oc_model_free(m);
}

START_TEST(each_phase_asks_the_host)
{
    bytes both[2];
    write_both(both);
    for (int form = 0; form < 2; form++)
        for (int side = 0; side < 2; side++) {
            wish all = {0, INT64_MAX};
            const oc_limits none = {0};
            oc_limits limits = {.cancel = is_due, .cancel_ctx = &all};
            oc_error e = {OC_OK, ""};
            use(&both[form], side ? &none : &limits, side ? &limits : &none, &e);
            ASSERT_OK(e);
            ck_assert_int_gt(all.asked, 20);
            for (int part = 1; part < 20; part++) {
                wish one = {0, all.asked * part / 20};
                limits.cancel_ctx = &one;
                e = (oc_error){OC_OK, ""};
                use(&both[form], side ? &none : &limits, side ? &limits : &none, &e);
                ASSERT_FAILS(e, OC_CANCELLED, "cancelled");
                ck_assert_int_eq(one.asked, one.at); /* and is not asked again */
            }
        }
    free_both(both);
}
END_TEST

START_TEST(each_phase_has_a_deadline)
{
    const oc_limits none = {0}, soon = {.deadline = 1e-9};
    bytes both[2];
    write_both(both);
    for (int form = 0; form < 2; form++) {
        oc_error e = {OC_OK, ""};
        use(&both[form], &soon, &none, &e);
        ASSERT_FAILS(e, OC_DEADLINE, "loading passed its deadline of 1e-09 s");
        e = (oc_error){OC_OK, ""};
        use(&both[form], &none, &soon, &e);
        ASSERT_FAILS(e, OC_DEADLINE, "making the session passed its deadline of 1e-09 s");
    }
    free_both(both);
}
END_TEST

START_TEST(what_is_computed_with_the_plan_counts_as_steps)
{
    const oc_limits none = {0}, few = {.max_steps = NODES / 2};
    bytes both[2];
    oc_error e = {OC_OK, ""};
    write_both(both);
    use(&both[0], &none, &few, &e);
    ASSERT_FAILS(e, OC_LIMIT, "making the session passed its limit of 1500 executed nodes");
    free_both(both);
}
END_TEST

/* ---- bytes */

static const char ones[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (int64[N] s) => (float[] y) { y = ConstantOfShape (s) }";

/* Runs the model so that its result has n bytes, in a session of its own. */
static oc_session *make(const oc_model *m, int64_t n, oc_error *e)
{
    const int64_t s[] = {n / 4}, one[] = {1};
    oc_session *session = oc_session_new(m, &(oc_session_options){.threads = 1}, e);
    oc_bind(session, "s", OC_I64, 1, one, s, e);
    oc_run(session, e);
    return session;
}

START_TEST(sessions_share_what_the_model_may_hold)
{
    const oc_model_options options = {.limits.memory_cap = 1 << 20};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(ones, strlen(ones), &options, &e);
    oc_session *first = make(m, 600000, &e);
    ASSERT_OK(e);
    oc_session *second = make(m, 600000, &e);
    ASSERT_FAILS(e, OC_LIMIT, "of 1048576 bytes are in use by the model and its sessions");
    oc_session_free(second);
    oc_session_free(first);
    e = (oc_error){OC_OK, ""};
    second = make(m, 600000, &e); /* the first one's bytes are free again */
    ASSERT_OK(e);
    oc_session_free(second);
    oc_model_free(m);
}
END_TEST

/* OC_MAX_GIB of memory. */
START_TEST(without_a_wish_a_model_may_hold_4_gib)
{
    const oc_model_options any = {.limits.memory_cap = SIZE_MAX};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(ones, strlen(ones), NULL, &e);
    oc_session *s = make(m, INT64_C(1) << 32, &e);
    ASSERT_FAILS(e, SUITE_NARROW ? OC_SHAPE : OC_LIMIT,
                 SUITE_NARROW ? "too large" : "of 4294967296 bytes are in use");
    oc_session_free(s);
    oc_model_free(m);
    e = (oc_error){OC_OK, ""};
    m = oc_model_load_memory(ones, strlen(ones), &any, &e);
    s = make(m, INT64_C(1) << 60, &e); /* more than any machine has */
    ASSERT_FAILS(e, SUITE_NARROW ? OC_SHAPE : OC_NOMEM,
                 SUITE_NARROW ? "too large" : "out of memory");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* ---- a run that ends late */

static oc_status same_shape(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(oc_call_in(c, 0)),
                           oc_value_dims(oc_call_in(c, 0)));
}

static oc_status sleep_run(oc_call *c)
{
    nanosleep(&(struct timespec){.tv_nsec = 60 * 1000 * 1000}, NULL);
    *(float *)oc_call_out(c, 0) = 1;
    return OC_OK;
}

static const oc_op slow_ops[] = {
    {1, "me::Sleep (T x) => (T y) | T: float", same_shape, sleep_run, NULL}, {0}};
static const char slow[] = "<ir_version: 8, opset_import: [\"me\" : 1]>\n"
                           "g (float[1] x) => (float[1] y) { y = me.Sleep (x) }";

START_TEST(a_last_node_that_ends_late_is_too_late)
{
    const oc_session_options options = {.threads = 1, .ops = slow_ops, .limits.deadline = 0.03};
    const float x[] = {0};
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(slow, strlen(slow), NULL, &e);
    oc_session *s = oc_session_new(m, &options, &e);
    oc_bind(s, "x", OC_F32, 1, (int64_t[]){1}, x, &e);
    ASSERT_OK(e);
    oc_run(s, &e);
    ASSERT_FAILS(e, OC_DEADLINE, "the run passed its deadline of 0.03 s after 1 node");
    oc_session_free(s);
    oc_model_free(m);
}
END_TEST

/* ---- a session that waits for another one's plan */

static atomic_bool is_preparing, may_end;

static oc_status wait_prepare(oc_call *c)
{
    atomic_store(&is_preparing, true);
    while (!atomic_load(&may_end))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return oc_call_keep(c, 1) ? OC_OK : OC_NOMEM;
}

static const oc_op waiting_ops[] = {
    {1, "me::Sleep (T x=) => (T y) | T: float", same_shape, sleep_run, wait_prepare}, {0}};
static const char waiting[] = "<ir_version: 8, opset_import: [\"me\" : 1]>\n"
                              "g () => (float[1] y) <float[1] x = {1}> { y = me.Sleep (x) }";

static void *make_session(void *model)
{
    const oc_session_options options = {.threads = 1, .ops = waiting_ops};
    oc_error e = {OC_OK, ""};
    oc_session_free(oc_session_new(model, &options, &e));
    ASSERT_OK(e);
    return NULL;
}

START_TEST(who_waits_for_a_plan_has_a_deadline)
{
    const oc_session_options options = {.threads = 1, .ops = waiting_ops, .limits.deadline = 0.03};
    pthread_t other;
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(waiting, strlen(waiting), NULL, &e);
    ASSERT_OK(e);
    ck_assert_int_eq(pthread_create(&other, NULL, make_session, m), 0);
    while (!atomic_load(&is_preparing))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    ck_assert_ptr_null(oc_session_new(m, &options, &e));
    ASSERT_FAILS(e, OC_DEADLINE, "making the session passed its deadline of 0.03 s");
    atomic_store(&may_end, true);
    pthread_join(other, NULL);
    oc_model_free(m);
}
END_TEST

/* ---- what threads compute with the plan */

enum { SIDE = 500, REGIONS = 12000 };

/* RoiAlign of constants: one thread has the small regions, the other the large ones. */
static char *write_regions(void)
{
    char *text = malloc(SIDE * SIDE * 2 + REGIONS * 20 + 300);
    ck_assert_ptr_nonnull(text);
    char *at = text + sprintf(text,
                              "<ir_version: 8, opset_import: [\"\" : 16]>\n"
                              "g () => (float[M,1,1,1] y) <float[1,1,%d,%d] x = {0",
                              SIDE, SIDE);
    for (int i = 1; i < SIDE * SIDE; i++)
        at += sprintf(at, ",%d", i % 7);
    at += sprintf(at, "}, int64[%d] b = {0", REGIONS);
    for (int i = 1; i < REGIONS; i++)
        at += sprintf(at, ",0");
    at += sprintf(at, "}, float[%d,4] r = {0,0,1,1", REGIONS);
    for (int i = 1; i < REGIONS; i++)
        at += sprintf(at, i < REGIONS / 2 ? ",0,0,1,1" : ",0,0,499,499");
    sprintf(at, "}> { y = RoiAlign <sampling_ratio = 0, output_height = 1, output_width = 1>"
                " (x, r, b) }");
    return text;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A wish that comes after a while; the longest time between two questions. */
typedef struct late_wish {
    double begin, last, longest;
} late_wish;

static bool is_late(void *ctx)
{
    late_wish *w = ctx;
    const double now = seconds();
    w->longest = now - w->last > w->longest ? now - w->last : w->longest;
    w->last = now;
    return now - w->begin > 0.3;
}

/* The thread that makes the session has done its share, and waits for the other one. */
START_TEST(a_wish_is_heard_while_threads_fold)
{
    char *text = write_regions();
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ASSERT_OK(e);
    for (int i = 0; i < 4; i++) {
        late_wish w = {seconds(), seconds(), 0};
        const oc_session_options o = {.threads = 2,
                                      .limits = {.cancel = is_late, .cancel_ctx = &w}};
        ck_assert_ptr_null(oc_session_new(m, &o, &e));
        ASSERT_FAILS(e, OC_CANCELLED, "making the session was cancelled");
        ck_assert_msg(w.longest < 1, "nobody asks for %.2f s", w.longest);
        e.code = OC_OK;
    }
    oc_model_free(m);
    free(text);
}
END_TEST

/* Whatever was being read when the call ended, it is not at fault, and the message does not name
 * it. */
START_TEST(an_end_from_without_blames_nothing)
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\" : 17]>\n"
        "g () => (float y) <int64 n = {3}, float v = {1}>\n"
        "{ y = Loop (n, , v) <body = b (int64 i, bool more, float s) => (bool m, float t)"
        " { m = Identity (more)  t = Neg (s) }> }";
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    oc_session *s = NULL;
    ASSERT_OK(e);
    for (wish w = {0, 0}; !s && w.at < 1000; w.at++) {
        w.asked = 0;
        const oc_session_options o = {.threads = 1, .limits = {.cancel = is_due, .cancel_ctx = &w}};
        s = oc_session_new(m, &o, &e);
        if (!s) {
            ASSERT_FAILS(e, OC_CANCELLED, "making the session was cancelled");
            ck_assert_msg(strncmp(e.text, "making", 6) == 0, "%s", e.text);
        }
        e.code = OC_OK;
    }
    ck_assert_ptr_nonnull(s);
    oc_session_free(s);
    const oc_session_options unordered = {.threads = 1, .limits.deadline = -(double)NAN};
    ck_assert_ptr_null(oc_session_new(m, &unordered, &e));
    ck_assert_str_eq(e.text, "limits.deadline is nan, expected seconds >= 0");
    e.code = OC_OK;
    for (size_t cap = 64; cap < 20000; cap += 64) {
        const oc_session_options o = {.threads = 1, .limits.memory_cap = cap};
        oc_session_free(oc_session_new(m, &o, &e));
        ck_assert_msg(e.code == OC_OK || strncmp(e.text, "memory cap: ", 12) == 0, "%s", e.text);
        e.code = OC_OK;
    }
    oc_model_free(m);
}
END_TEST

/* ---- between calls */

static bool wants_to_end;

static bool is_wanted(void *ctx)
{
    (void)ctx;
    return wants_to_end;
}

/* Deadline and wish to cancel are those of a call: what comes after it is not late. */
START_TEST(binding_is_never_late)
{
    static const char makes[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                "g (float[2] x) => (seq(float[2]) s) { s = SequenceConstruct (x) }";
    static const char takes[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                "g (seq(float[2]) s) => (int64 n) { n = SequenceLength (s) }";
    static const float x[] = {1, 2};
    oc_error e = {OC_OK, ""};
    oc_model *m[] = {oc_model_load_memory(makes, strlen(makes), NULL, &e),
                     oc_model_load_memory(takes, strlen(takes), NULL, &e)};
    oc_session *maker = oc_session_new(m[0], &(oc_session_options){.threads = 1}, &e);
    oc_bind(maker, "x", OC_F32, 1, (int64_t[]){2}, x, &e);
    oc_run(maker, &e);
    const oc_value *sequence = oc_fetch_value(maker, "s", &e);
    const oc_session_options late = {.threads = 1, .limits.deadline = 0.02},
                             ended = {.threads = 1, .limits.cancel = is_wanted};
    oc_session *s = oc_session_new(m[1], &late, &e);
    ASSERT_OK(e);
    nanosleep(&(struct timespec){.tv_nsec = 40 * 1000 * 1000}, NULL);
    oc_bind_value(s, "s", sequence, &e);
    ASSERT_OK(e);
    oc_session_free(s);
    wants_to_end = false;
    s = oc_session_new(m[1], &ended, &e);
    oc_bind_value(s, "s", sequence, &e);
    wants_to_end = true;
    oc_run(s, &e);
    ASSERT_FAILS(e, OC_CANCELLED, "the run was cancelled");
    e.code = OC_OK;
    oc_bind_value(s, "s", sequence, &e);
    ASSERT_OK(e);
    oc_session_free(s);
    oc_session_free(maker);
    oc_model_free(m[0]);
    oc_model_free(m[1]);
}
END_TEST

SUITE("limits", each_phase_asks_the_host, each_phase_has_a_deadline,
      what_is_computed_with_the_plan_counts_as_steps, sessions_share_what_the_model_may_hold,
      without_a_wish_a_model_may_hold_4_gib, a_last_node_that_ends_late_is_too_late,
      who_waits_for_a_plan_has_a_deadline, a_wish_is_heard_while_threads_fold,
      an_end_from_without_blames_nothing, binding_is_never_late)
