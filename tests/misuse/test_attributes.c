/* SPDX-License-Identifier: Apache-2.0
 * test_attributes.c - what an operator of a host asks of its lists, tensors and context, rightly
 * and wrongly: a wrong question is an error of the node. */
#include "misuse.h"

#include <stdatomic.h>

static int context;

static void see(bool right)
{
    if (right)
        return;
    puts("  the operator saw something else");
    exit(4);
}

static oc_status shape_asks(oc_call *c)
{
    size_t n = 9;
    const oc_value *v = oc_call_in(c, 0);
    const int64_t *sizes = oc_call_ints(c, "sizes", &n);
    see(n == 3 && sizes[0] == 5 && sizes[2] == -7);
    see(oc_call_context(c) == &context);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

static oc_status run_asks(oc_call *c)
{
    size_t n = 9;
    see(!oc_call_ints(c, "none", &n) && n == 0);
    see(oc_call_ints(c, "usual", &n)[1] == 2 && n == 2);
    see(oc_call_floats(c, "scales", &n)[1] == 0.5f && n == 2);
    see(oc_call_ints(c, "sizes", NULL) && oc_call_floats(c, "scales", NULL));
    const oc_value *t = oc_call_tensor(c, "table");
    see(oc_value_type(t) == OC_I32 && oc_value_count(t) == 2);
    see(((const int32_t *)oc_value_data(t))[1] == 8 && !oc_call_tensor(c, "absent"));
    memset(oc_call_out(c, 0), 0, 16);
    return OC_OK;
}

enum { TASKS = 7 };

static void task(void *arg, int i)
{
    ((int *)arg)[i]++;
}

/* A task starts tasks of its own, of the next depth; a task that is the third inside adds 1 to
 * *sum. */
typedef struct nest {
    oc_call *call;
    atomic_int *sum;
    int depth;
} nest;

static void nested(void *arg, int i)
{
    nest inner = *(const nest *)arg;
    (void)i;
    if (++inner.depth == 3)
        atomic_fetch_add(inner.sum, 1);
    else
        oc_call_run_tasks(inner.call, TASKS, nested, &inner);
}

static void nest_tasks(oc_call *c)
{
    atomic_int sum = 0;
    oc_call_run_tasks(c, TASKS, nested, &(nest){c, &sum, 0});
    see(sum == TASKS * TASKS * TASKS);
}

/* Each task is called once, on memory that is aligned. */
static oc_status run_tasks(oc_call *c)
{
    int *called = oc_call_scratch(c, TASKS * sizeof *called);
    see(called && (uintptr_t)called % 64 == 0 && oc_call_threads(c) >= 1);
    memset(called, 0, TASKS * sizeof *called);
    oc_call_run_tasks(c, TASKS, task, called);
    for (int i = 0; i < TASKS; i++)
        see(called[i] == 1);
    nest_tasks(c);
    oc_call_run_tasks(c, 0, task, NULL);
    see(oc_call_scratch(c, 0) != NULL);
    memset(oc_call_out(c, 0), 0, 16);
    return OC_OK;
}

static oc_status prepare_asks(oc_call *c)
{
    see(oc_call_context(c) == &context && oc_call_ints(c, "sizes", NULL)[0] == 5);
    return OC_OK;
}

#define SIGNATURE                                                                                  \
    "test::Op <ints sizes, ints none?, ints usual = [1, 2], floats scales, tensor table, tensor "  \
    "absent?> (T x) => (T y) | T: float"
static const char text[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]> g (float[4] x) => (float[4] y)\n"
    "{ [here] y = test.Op <sizes = [5, 6, -7], scales = [2.0, 0.5], table = int32[2] {7, 8}> (x) }";

static void run_on(int threads, const oc_op *row)
{
    const oc_op rows[] = {*row, {0}};
    oc_session_free(s);
    oc_model_free(m);
    m = load(text);
    s = start((oc_session_options){.ops = rows, .threads = threads});
    if (s)
        bind_x(s);
    oc_run(s, e);
}

static void run_with(const oc_op *row)
{
    run_on(1, row);
}

START_TEST(right_questions)
{
    GIVES((run_with(&(oc_op){1, SIGNATURE, shape_asks, run_asks, prepare_asks, &context}),
           oc_fetch(s, "y", NULL, e) != NULL));
    GIVES((run_with(&(oc_op){1, SIGNATURE, shape_asks, run_asks, .context = &context}),
           oc_fetch(s, "y", NULL, e) != NULL));
    for (int threads = 1; threads <= 7; threads += 3)
        GIVES((run_on(threads, &(oc_op){1, SIGNATURE, shape_asks, run_tasks, .context = &context}),
               oc_fetch(s, "y", NULL, e) != NULL));
    misuse_report();
}
END_TEST

static oc_status same(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

/* Each asks in vain and says that all is well. */
#define ASKS(name, question)                                                                       \
    static oc_status name(oc_call *c)                                                              \
    {                                                                                              \
        size_t n = 9;                                                                              \
        memset(oc_call_out(c, 0), 0, 16);                                                          \
        see((question) == NULL && n != 0);                                                         \
        return OC_OK;                                                                              \
    }
ASKS(asks_unknown, oc_call_ints(c, "other", NULL))
ASKS(asks_null, oc_call_floats(c, NULL, NULL))
ASKS(asks_kind, oc_call_floats(c, "sizes", NULL))
ASKS(asks_tensor, oc_call_tensor(c, "sizes"))
ASKS(asks_no_context, oc_call_context(c))
ASKS(asks_no_task, (oc_call_run_tasks(c, 2, NULL, NULL), (void *)NULL))
ASKS(asks_too_much, oc_call_scratch(c, SIZE_MAX))

static void run_wrong(oc_op_fn *run)
{
    run_with(&(oc_op){1, SIGNATURE, same, run});
    misuse_check(e->code != OC_OK && strstr(e->text, "'here'"));
}

START_TEST(wrong_questions)
{
    size_t n = 9;
    REFUSED(ARGUMENT, run_wrong(asks_unknown));
    REFUSED(ARGUMENT, run_wrong(asks_null));
    REFUSED(ARGUMENT, run_wrong(asks_kind));
    REFUSED(ARGUMENT, run_wrong(asks_tensor));
    REFUSED(ARGUMENT, run_wrong(asks_no_task));
    REFUSED(LIMIT, run_wrong(asks_too_much));
    HARMLESS(run_with(&(oc_op){1, SIGNATURE, same, asks_no_context}));
    GIVES(!oc_call_ints(NULL, "sizes", &n) && n == 0);
    GIVES(!oc_call_floats(NULL, "scales", NULL) && !oc_call_tensor(NULL, "table"));
    GIVES(!oc_call_context(NULL) && !oc_call_scratch(NULL, 1) && oc_call_threads(NULL) == 1);
    HARMLESS(oc_call_run_tasks(NULL, 1, NULL, NULL));
    misuse_report();
}
END_TEST

SUITE("attributes", right_questions, wrong_questions)
