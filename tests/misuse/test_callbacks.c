/* SPDX-License-Identifier: Apache-2.0
 * test_callbacks.c - calls that a host makes from within its own callbacks: each callback makes
 * each call, on the session at work or on its model. */
#include "misuse.h"

/* ---- the calls */

static oc_error inner;             /* of calls that are made from a callback */
static oc_session_options at_work; /* of the session whose callback it is */

static void call_run(void)
{
    oc_run(s, &inner);
}

static void call_bind(void)
{
    oc_bind(s, "x", OC_F32, 1, dim, x, &inner);
}

static void call_bind_output(void)
{
    static float room[4];
    oc_bind_output(s, "y", OC_F32, 1, dim, room, sizeof room, &inner);
}

static void call_bind_value(void)
{
    oc_value *v = oc_tensor_new(OC_F32, 1, dim, NULL, e);
    oc_bind_value(s, "x", v, &inner);
    oc_value_free(v);
}

static void call_bind_value_at(void)
{
    oc_value *v = oc_tensor_new(OC_F32, 1, dim, NULL, e);
    oc_bind_value_at(s, 0, v, &inner);
    oc_value_free(v);
}

static void call_fetch(void)
{
    oc_fetch(s, "y", NULL, &inner);
}

static void call_fetch_value(void)
{
    oc_fetch_value(s, "y", &inner);
}

static void call_session_free(void)
{
    oc_session_free(s);
    s = NULL;
}

static void call_session_free_twice(void)
{
    oc_session *freed = s;
    oc_session_free(freed);
    oc_session_free(freed);
    s = NULL;
}

static void call_model_free(void)
{
    oc_model_free(m);
    m = NULL;
}

static void call_free_all(void)
{
    call_model_free();
    call_session_free();
}

static void call_run_with_error(void) /* the error of the call at work */
{
    oc_run(s, e);
}

static void call_describe(void)
{
    misuse_check(oc_session_describe(s).n_steps > 0);
}

/* Makes, runs and frees another session. */
static void call_session_new(void)
{
    oc_session *other = start(at_work);
    oc_bind(other, "x", OC_F32, 1, dim, x, e);
    oc_run(other, e);
    misuse_check(oc_fetch(other, "y", NULL, e) != NULL);
    oc_session_free(other);
}

static void call_model_expand(void)
{
    oc_model_free(oc_model_expand(m, OC_BODY_EXPAND, NULL, e));
}

static void call_model_extract(void)
{
    oc_model_free(oc_model_extract(m, NULL, 0, NULL, 0, e));
}

static void call_model_join(void)
{
    oc_model_free(oc_model_join(m, m, &(oc_link){"y", "x"}, 1, "p", e));
}

static void tell(void *ctx, oc_status code, const char *text)
{
    (void)ctx, (void)code, (void)text;
}

static void call_model_examine(void)
{
    oc_model_examine(m, tell, NULL, e);
}

typedef struct misuse_call {
    const char *name;
    void (*make)(void);
    oc_status inner, outer; /* what the call, and the oc_run around it, come to */
} misuse_call;

static const misuse_call calls[] = {
    {"oc_run", call_run, OC_ARGUMENT, OC_OK},
    {"oc_run with the error of the run", call_run_with_error, OC_OK, OC_ARGUMENT},
    {"oc_bind", call_bind, OC_ARGUMENT, OC_OK},
    {"oc_bind_output", call_bind_output, OC_ARGUMENT, OC_OK},
    {"oc_bind_value", call_bind_value, OC_ARGUMENT, OC_OK},
    {"oc_bind_value_at", call_bind_value_at, OC_ARGUMENT, OC_OK},
    {"oc_fetch", call_fetch, OC_ARGUMENT, OC_OK},
    {"oc_fetch_value", call_fetch_value, OC_ARGUMENT, OC_OK},
    {"oc_session_free", call_session_free, OC_OK, OC_CANCELLED},
    {"oc_session_free, twice", call_session_free_twice, OC_OK, OC_CANCELLED},
    {"oc_model_free", call_model_free, OC_OK, OC_OK},
    {"oc_model_free and oc_session_free", call_free_all, OC_OK, OC_CANCELLED},
    {"oc_session_describe", call_describe, OC_OK, OC_OK},
    {"oc_session_new", call_session_new, OC_OK, OC_OK},
    {"oc_model_expand", call_model_expand, OC_OK, OC_OK},
    {"oc_model_extract", call_model_extract, OC_OK, OC_OK},
    {"oc_model_join", call_model_join, OC_OK, OC_OK},
    {"oc_model_examine", call_model_examine, OC_OK, OC_OK},
};

/* ---- the callbacks. Each makes the call once, as soon as there is a session. */

static const misuse_call *at_hand;

static void make_call(void)
{
    const misuse_call *call = at_hand;
    if (!call || !s)
        return;
    at_hand = NULL;
    call->make();
}

static void on_node(void *ctx, const oc_node_event *event)
{
    (void)ctx;
    if (!event->begin)
        make_call();
}

static void on_last_node(void *ctx, const oc_node_event *event)
{
    (void)ctx;
    if (!event->begin && event->sequence == 3)
        make_call();
}

static void log_line(void *ctx, const char *line)
{
    (void)ctx, (void)line;
    make_call();
}

static bool cancel(void *ctx)
{
    (void)ctx;
    make_call();
    return false;
}

static void parallel(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    make_call();
    for (int i = 0; i < n; i++)
        task(arg, i);
}

static oc_status own_shape(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    make_call();
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

static oc_status own_run(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    make_call();
    memcpy(oc_call_out(c, 0), oc_value_data(v), (size_t)oc_value_count(v) * sizeof(float));
    return OC_OK;
}

static oc_status plain_shape(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

static oc_status own_prepare(oc_call *c)
{
    make_call();
    return oc_call_keep(c, 1) ? OC_OK : OC_NOMEM;
}

static const oc_op rows[] = {
    {1, "test::Shape (T x) => (T y) | T: float", own_shape, own_run, NULL},
    {1, "test::Run (T x) => (T y) | T: float", plain_shape, own_run, NULL},
    {1, "test::Prepare (T x=) => (T y) | T: float", plain_shape, own_run, own_prepare},
    {0},
};

/* The allocator of the C library; calls back when the library wants memory. */
static void *allocate(void *ctx, void *block, size_t old_size, size_t new_size)
{
    (void)ctx, (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    make_call();
    return realloc(block, new_size);
}

/* As above, but calls back when the library gives memory back. */
static void *release(void *ctx, void *block, size_t old_size, size_t new_size)
{
    (void)ctx, (void)old_size;
    if (new_size)
        return realloc(block, new_size);
    make_call();
    free(block);
    return NULL;
}

static uint8_t *decode(void *ctx, const void *bytes, size_t size, size_t cap, int64_t *height,
                       int64_t *width)
{
    static uint8_t pixel[3];
    (void)ctx, (void)bytes, (void)size, (void)cap;
    make_call();
    *height = *width = 1;
    return pixel;
}

#define BEGIN "<ir_version: 8, opset_import: [\"\" : 20, \"test\" : 1]>\ng (float[N] x) => "
#define HEAD  BEGIN "(float[4] y) <float[2] w = {1, 2}, uint8[1] p = {1}>\n"

static const char plain[] = HEAD "{ a = Neg (x)  b = Abs (a)  c = Neg (b)  y = Neg (c) }";
/* What is declared is wrong, so that there is a remark in the run. */
static const char wrong[] = BEGIN "(float[5] y) { a = Neg (x)  b = Abs (a)  y = Neg (b) }";
static const char shaped[] = HEAD "{ a = test.Shape (x)  y = Neg (a) }";
static const char own[] = HEAD "{ a = test.Run (x)  y = Neg (a) }";
static const char shaped_early[] = HEAD "{ a = test.Shape (w)  y = Neg (x) }";
static const char prepared[] = HEAD "{ a = test.Prepare (w)  y = Neg (x) }";
static const char picture[] = HEAD "{ q = Identity (p)  i = ImageDecoder (q)"
                                   " f = Cast <to = 1> (i)  z = Sum (f)  y = Neg (x) }";
static const char large[] = HEAD "{ n = Constant <value_ints = [300000, 1]> ()"
                                 " b = Expand (x, n)  c = Neg (b)  d = Sin (c)  y = Neg (x) }";

typedef struct callback {
    const char *name, *model;
    oc_session_options options;
    oc_allocator alloc;
} callback;

static const callback in_runs[] = {
    {"on_node", plain, {.observer = {.on_node = on_node}}, {NULL, NULL}},
    {"on_node of the last node", plain, {.observer = {.on_node = on_last_node}}, {NULL, NULL}},
    {"log", wrong, {.observer = {.log = log_line}}, {NULL, NULL}},
    {"cancel", plain, {.limits = {.cancel = cancel}}, {NULL, NULL}},
    {"the function shape of an operator", shaped, {.ops = rows}, {NULL, NULL}},
    {"the function run of an operator", own, {.ops = rows}, {NULL, NULL}},
    {"parallel", large, {.threads = 4, .parallel = {parallel, NULL}}, {NULL, NULL}},
    {"image_decoder", picture, {.image_decoder = {decode, NULL, NULL}}, {NULL, NULL}},
    {"the allocator", plain, {.no_reuse = true}, {allocate, NULL}},
};

static const callback in_making[] = {
    {"log", plain, {.observer = {.log = log_line}}, {NULL, NULL}},
    {"cancel", plain, {.limits = {.cancel = cancel}}, {NULL, NULL}},
    {"the function shape of an operator", shaped_early, {.ops = rows}, {NULL, NULL}},
    {"the function prepare of an operator", prepared, {.ops = rows}, {NULL, NULL}},
    {"the allocator", plain, {.no_reuse = true}, {allocate, NULL}},
    {"the allocator that frees", plain, {.no_reuse = true}, {release, NULL}},
};

/* Loads the model of a callback instead of m. */
static void load_for(const callback *c)
{
    const oc_model_options options = {.alloc = c->alloc};
    oc_session_free(s);
    oc_model_free(m);
    s = NULL;
    m = oc_model_load_memory(c->model, strlen(c->model), &options, e);
    at_work = c->options;
    at_work.ops = rows;
}

/* Makes the call from the callback while a run is at work. */
static void run_with(const callback *c, const misuse_call *call)
{
    oc_error ended = {OC_OK, ""};
    load_for(c);
    s = start(at_work);
    bind_x(s);
    misuse_check(e->code == OC_OK);
    at_hand = call;
    oc_run(s, e);
    misuse_check(!at_hand); /* the callback was called */
    misuse_check(inner.code == call->inner && (inner.code == OC_OK || inner.text[0]));
    if (s && e->code == OC_OK) /* the session is as good as before */
        oc_fetch(s, "y", NULL, e);
    oc_run(s, &ended);
    misuse_check(!s || ended.code == OC_OK);
}

START_TEST(each_call_from_each_callback)
{
    char name[200];
    for (size_t i = 0; i < sizeof in_runs / sizeof *in_runs; i++)
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            snprintf(name, sizeof name, "%s from %s", calls[k].name, in_runs[i].name);
            MISUSE(calls[k].outer, name, run_with(&in_runs[i], &calls[k]));
        }
    misuse_report();
}
END_TEST

/* ---- while a session is made: from its callbacks, on the model and on another session */

static void begin_with(const callback *c, void (*make)(void))
{
    static misuse_call call;
    call.make = make;
    load_for(c);
    s = start((oc_session_options){.ops = rows, .no_fusion = true});
    at_hand = &call;
    oc_session *made = start(at_work);
    misuse_check(!at_hand && made && e->code == OC_OK);
    bind_x(made);
    oc_run(made, e);
    misuse_check(oc_fetch(made, "y", NULL, e) != NULL);
    oc_session_free(made);
}

START_TEST(while_a_session_is_made)
{
    static void (*const make[])(void) = {call_session_new, call_session_free, call_model_free,
                                         call_free_all,    call_model_expand, call_model_examine};
    static const char *const makes[] = {"oc_session_new", "oc_session_free", "oc_model_free",
                                        "both frees",     "oc_model_expand", "oc_model_examine"};
    char name[200];
    for (size_t i = 0; i < sizeof in_making / sizeof *in_making; i++)
        for (size_t k = 0; k < sizeof make / sizeof *make; k++) {
            snprintf(name, sizeof name, "%s from %s, in oc_session_new", makes[k],
                     in_making[i].name);
            MISUSE(OC_OK, name, begin_with(&in_making[i], make[k]));
        }
    misuse_report();
}
END_TEST

/* ---- while a session is freed */

static void free_with(void (*make)(void), oc_status want)
{
    const misuse_call call = {.make = make};
    load_for(&(callback){"", plain, {.no_reuse = true}, {release, NULL}});
    s = start(at_work);
    bind_x(s);
    at_hand = &call;
    oc_session_free(s);
    s = NULL;
    misuse_check(!at_hand && inner.code == want);
}

START_TEST(while_a_session_is_freed)
{
    HARMLESS(free_with(call_session_free, OC_OK));
    HARMLESS(free_with(call_model_free, OC_OK));
    HARMLESS(free_with(call_session_new, OC_OK));
    HARMLESS(free_with(call_run, OC_ARGUMENT));
    HARMLESS(free_with(call_bind, OC_ARGUMENT));
    HARMLESS(free_with(call_fetch, OC_ARGUMENT));
    misuse_report();
}
END_TEST

SUITE("callbacks", each_call_from_each_callback, while_a_session_is_made, while_a_session_is_freed)
