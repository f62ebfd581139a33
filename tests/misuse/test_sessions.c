/* SPDX-License-Identifier: Apache-2.0
 * test_sessions.c - a host's mistakes with sessions: options, and calls that are wrong or in a
 * wrong order. */
#include "misuse.h"

#include <limits.h>
#include <math.h>

/* ---- options ---- */

static void begin_with(oc_session_options o)
{
    oc_session_free(oc_session_new(m, &o, e));
}

static void begin_limited(oc_limits l)
{
    begin_with((oc_session_options){.limits = l});
}

static void in_turn(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    for (int i = 0; i < n; i++)
        task(arg, i);
}

START_TEST(options)
{
    REFUSED(ARGUMENT, oc_session_new(NULL, NULL, e));
    GIVES(oc_session_new(m, NULL, NULL) == NULL);
    HARMLESS(oc_session_free(oc_session_new(m, NULL, e)));
    HARMLESS(oc_session_free(NULL));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.threads = -1}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.threads = INT_MIN}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.threads = INT_MAX}));
    REFUSED(ARGUMENT,
            begin_with((oc_session_options){.threads = INT_MAX, .parallel = {in_turn, NULL}}));
    REFUSED(ARGUMENT, begin_limited((oc_limits){.deadline = (double)NAN}));
    REFUSED(ARGUMENT, begin_limited((oc_limits){.deadline = -(double)INFINITY}));
    HARMLESS(begin_limited((oc_limits){.deadline = (double)INFINITY}));
    REFUSED(ARGUMENT, begin_limited((oc_limits){.max_steps = -1}));
    REFUSED(LIMIT, begin_limited((oc_limits){.memory_cap = 1}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.bodies.policy = (oc_body_policy)3}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.bodies.policy = (oc_body_policy)-1}));
    HARMLESS(begin_with((oc_session_options){.bodies.only = "no such operator"}));
    REFUSED(FORMAT, begin_with((oc_session_options){
                        .bodies.own = (const oc_function_text[]){{.text = "garbage"}, {NULL}}}));
    REFUSED(FORMAT, begin_with((oc_session_options){
                        .bodies.own = (const oc_function_text[]){{.text = ""}, {NULL}}}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.observer.view = (oc_view)3}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.observer.view = (oc_view)-1}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.unfused = 2}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.unfused = -1}));
    HARMLESS(begin_with((oc_session_options){.unfused = 1}));
    HARMLESS(begin_with((oc_session_options){.cpu = ""}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.cpu = "nonsense"}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.op_options = "Nonsense.max=3"}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.op_options = "nonsense"}));
    REFUSED(ARGUMENT, begin_with((oc_session_options){.op_options = "RoiAlign.max="}));
    GIVES(oc_session_describe(NULL).steps == 0 && strlen(oc_session_describe(NULL).cpu) == 0);
    GIVES(strlen(oc_session_describe(NULL).products) == 0);
    misuse_report();
}
END_TEST

/* ---- binding ---- */

/* Begins another model. */
static void begin(const char *text)
{
    oc_session_free(s);
    oc_model_free(m);
    m = load(text);
    s = start((oc_session_options){.threads = 1});
}

#define HEAD "<ir_version: 8, opset_import: [\"\" : 17]> g "

static void bind_string(oc_string string)
{
    begin(HEAD "(string[N] x) => (string[N] y) { y = Identity (x) }");
    oc_bind(s, "x", OC_STRING, 1, (const int64_t[]){1}, &string, e);
    oc_run(s, e);
}

static void bind_empty(void)
{
    begin(HEAD "(float[N] x) => (float[M] y) { a = Concat <axis = 0> (x, x)  y = Neg (a) }");
    oc_bind(s, "x", OC_F32, 1, (const int64_t[]){0}, NULL, e);
    oc_run(s, e);
    size_t count = 9;
    misuse_check(oc_fetch(s, "y", &count, e) != NULL && count == 0);
}

static void bind_read(void)
{
    oc_value *v =
        oc_value_read("\x08\x01\x10\x01\x4a\x04\0\0\x80\x3f", 10, OC_TENSOR, NULL, NULL, e);
    oc_bind_value(s, "x", v, e);
    oc_run(s, e);
    oc_value_free(v);
}

/* A map without entries, and a sequence of it. */
static void bind_map(bool in_sequence)
{
    oc_value *v = in_sequence ? oc_value_read("\x32\x02\x10\x07", 4, OC_SEQUENCE, NULL, NULL, e)
                              : oc_value_read("\x10\x07", 2, OC_MAP, NULL, NULL, e);
    oc_bind_value(s, "x", v, e);
    oc_value_free(v);
}

START_TEST(binding)
{
    REFUSED(ARGUMENT, oc_bind(NULL, "x", OC_F32, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, NULL, OC_F32, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "", OC_F32, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "nobody", OC_F32, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "y", OC_F32, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_UNDEFINED, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", (oc_type)-1, 1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", (oc_type)27, 1, dim, x, e));
    REFUSED(TYPE, oc_bind(s, "x", OC_F64, 1, dim, (const double[4]){0}, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, -1, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 17, dim, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, INT_MAX, dim, x, e));
    REFUSED(SHAPE, oc_bind(s, "x", OC_F32, 2, dim, x, e));
    REFUSED(SHAPE, oc_bind(s, "x", OC_F32, 0, NULL, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, NULL, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, (const int64_t[]){-1}, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, (const int64_t[]){INT64_MAX}, x, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, dim, NULL, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, (const int64_t[]){3}, (const char *)x + 1, e));
    REFUSED(ARGUMENT, oc_bind(s, "x", OC_F32, 1, (const int64_t[]){3}, (const char *)x + 2, e));
    HARMLESS(oc_bind(s, "x", OC_F32, 1, dim, x, NULL));
    HARMLESS(bind_empty());
    REFUSED(ARGUMENT, bind_string((oc_string){NULL, 3}));
    HARMLESS(bind_string((oc_string){NULL, 0}));
    HARMLESS(bind_read());
    REFUSED(UNSUPPORTED, bind_map(false));
    REFUSED(UNSUPPORTED, bind_map(true));
    REFUSED(ARGUMENT, oc_bind_value(s, "x", NULL, e));
    REFUSED(ARGUMENT, oc_bind_value(NULL, "x", NULL, e));
    REFUSED(ARGUMENT, oc_bind_value(s, NULL, NULL, e));
    HARMLESS(oc_bind_value(s, NULL, NULL, NULL));
    REFUSED(ARGUMENT, oc_bind_value_at(s, 0, NULL, e));
    REFUSED(ARGUMENT, oc_bind_value_at(s, -1, NULL, e));
    REFUSED(ARGUMENT, oc_bind_value_at(s, 1, NULL, e));
    REFUSED(ARGUMENT, oc_bind_value_at(NULL, 0, NULL, e));
    HARMLESS(oc_bind_value_at(s, 0, NULL, NULL));
    misuse_report();
}
END_TEST

/* ---- running and fetching, in any order ---- */

static void run_unbound(void)
{
    oc_session_free(s);
    s = start((oc_session_options){.threads = 1});
    oc_run(s, e);
}

/* Fetches after a run that failed. */
static void fetch_failed(void)
{
    oc_error first = {OC_OK, ""};
    oc_run(s, e);
    oc_session_free(s);
    s = start((oc_session_options){.limits.max_steps = 1});
    bind_x(s);
    oc_run(s, &first);
    misuse_check(first.code == OC_LIMIT);
    oc_fetch(s, "y", NULL, e);
}

/* Fetches a sequence as if it were a tensor. */
static void fetch_sequence(void)
{
    size_t count = 9;
    begin(HEAD "(float[N] x) => (seq(float[N]) y) { y = SequenceConstruct (x, x) }");
    bind_x(s);
    oc_run(s, e);
    misuse_check(e->code == OC_OK);
    misuse_check(!oc_fetch(s, "y", &count, e) && count == 0);
}

static bool counts_nothing(const oc_session *session, oc_error *error)
{
    size_t count = 9;
    return !oc_fetch(session, "y", &count, error) && count == 0;
}

START_TEST(order)
{
    REFUSED(ARGUMENT, oc_run(NULL, e));
    HARMLESS(oc_run(s, NULL));
    REFUSED(ARGUMENT, run_unbound());
    REFUSED(ARGUMENT, oc_fetch(s, "y", NULL, e));
    REFUSED(ARGUMENT, oc_fetch_value(s, "y", e));
    REFUSED(ARGUMENT, oc_fetch_value_at(s, 0, e));
    REFUSED(ARGUMENT, oc_fetch(NULL, "y", NULL, e));
    REFUSED(ARGUMENT, oc_fetch_value(NULL, "y", e));
    REFUSED(ARGUMENT, oc_fetch_value_at(NULL, 0, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch(s, NULL, NULL, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch(s, "nobody", NULL, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch(s, "x", NULL, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch_value(s, NULL, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch_value_at(s, -1, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch_value_at(s, 2, e));
    REFUSED(ARGUMENT, oc_run(s, e), oc_fetch_value_at(s, INT_MIN, e));
    GIVES(counts_nothing(s, NULL));
    REFUSED(ARGUMENT, misuse_check(counts_nothing(s, e)));
    GIVES(!oc_fetch_value(s, "y", NULL) && !oc_fetch_value_at(s, 0, NULL));
    REFUSED(ARGUMENT, fetch_failed());
    REFUSED(TYPE, fetch_sequence());
    HARMLESS(oc_run(s, e), oc_session_free(s), s = NULL);
    misuse_report();
}
END_TEST

/* ---- an output given back as an input ---- */

static const char sums[] = HEAD "(float[N] x) => (float[N] y) { a = Neg (x)  b = Sub (x, a)"
                                " c = Neg (b)  y = Neg (c) }";

/* Runs y = 2 x five times, each time on what the run before gave. */
static void feed_back(bool as_value)
{
    begin(sums);
    bind_x(s);
    for (int i = 0; i < 5; i++) {
        oc_run(s, e);
        if (as_value)
            oc_bind_value(s, "x", oc_fetch_value(s, "y", e), e);
        else
            oc_bind(s, "x", OC_F32, 1, dim, oc_fetch(s, "y", NULL, e), e);
    }
    const float *y = oc_fetch(s, "y", NULL, e);
    for (int i = 0; i < 4; i++)
        misuse_check(y && y[i] == 32 * x[i]);
}

static void feed_back_strings(void)
{
    static const oc_string words[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
    begin(HEAD "(string[N] x) => (string[N] y) { y = StringNormalizer (x) }");
    oc_bind(s, "x", OC_STRING, 1, dim, words, e);
    oc_run(s, e);
    oc_bind_value(s, "x", oc_fetch_value(s, "y", e), e);
    oc_run(s, e);
}

static void feed_back_sequence(void)
{
    begin(HEAD "(float[N] x) => (seq(float[N]) y) { b = Neg (x)  y = SequenceConstruct (b, x) }");
    bind_x(s);
    for (int i = 0; i < 3; i++) {
        oc_run(s, e);
        oc_bind_value(s, "x", oc_value_item(oc_fetch_value(s, "y", e), 0), e);
    }
    oc_run(s, e);
    const oc_value *last = oc_value_item(oc_fetch_value(s, "y", e), 0);
    misuse_check(last && ((const float *)oc_value_data(last))[0] == x[0]);
}

START_TEST(feeding_back)
{
    HARMLESS(feed_back(true));
    HARMLESS(feed_back(false));
    REFUSED(ARGUMENT, feed_back_strings());
    HARMLESS(feed_back_sequence());
    misuse_report();
}
END_TEST

SUITE("sessions", options, binding, order, feeding_back)
