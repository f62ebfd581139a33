/* SPDX-License-Identifier: Apache-2.0
 * nested.c - tasks of a kernel that ask for tasks themselves: all of them run, once, before the
 * call that asked for them returns. */
#include "own_op.h"

enum { MOST = 6 /* tasks of one call */, DEPTH = 3, RUNS = 200 };

/* The numbers of tasks of one run, and of batches. */
static OrtKernelContext *context;
static size_t n_task[DEPTH], n_batch[DEPTH];
static atomic_int count[MOST][MOST][MOST];

/* The task with these numbers at each depth. */
typedef struct place {
    int depth;
    size_t at[DEPTH];
} place;

static void task(void *arg, size_t i)
{
    place p = *(const place *)arg;
    p.at[p.depth++] = i;
    if (p.depth == DEPTH)
        atomic_fetch_add(&count[p.at[0]][p.at[1]][p.at[2]], 1);
    else
        OK(KernelContext_ParallelFor(context, task, n_task[p.depth], n_batch[p.depth], &p));
    if (p.depth == DEPTH - 1) /* those that this task has asked for have run */
        for (size_t k = 0; k < n_task[p.depth]; k++)
            WANT(count[p.at[0]][p.at[1]][k] == 1);
}

static OrtStatus *compute_nested(void *kernel, OrtKernelContext *c)
{
    place none = {0};
    context = c;
    memset(count, 0, sizeof count);
    OK(KernelContext_ParallelFor(c, task, n_task[0], n_batch[0], &none));
    return compute_plus(kernel, c);
}

/* Numbers that look like drawn ones, the same in each run of the test. */
static size_t next(unsigned *state, size_t below)
{
    *state = *state * 1103515245 + 12345;
    return (*state >> 16) % below;
}

static OrtSession *session_with_threads(const OrtCustomOp *op, int n)
{
    OrtSessionOptions *options;
    OrtCustomOpDomain *domain;
    OrtSession *session;
    OK(CreateSessionOptions(&options));
    OK(SetIntraOpNumThreads(options, n));
    OK(CreateCustomOpDomain("me", &domain));
    OK(CustomOpDomain_Add(domain, op));
    OK(AddCustomOpDomain(options, domain));
    ok_at(try_session(HEADER "g (float[N] x) => (float[N] y) { y = me.Nested (x) }", options,
                      &session),
          "the session", __LINE__);
    api->ReleaseSessionOptions(options);
    api->ReleaseCustomOpDomain(domain);
    return session;
}

static void try_threads(int n)
{
    own_op nested = {.name = "Nested", .in = {FLOAT}, .n_in = 1, .out = {FLOAT}, .n_out = 1};
    const OrtCustomOp *op = complete(&nested, NULL, compute_nested);
    OrtSession *session = session_with_threads(op, n);
    unsigned state = 1;
    for (int run = 0; run < RUNS; run++) {
        for (int d = 0; d < DEPTH; d++) {
            n_task[d] = next(&state, MOST + 1);
            n_batch[d] = next(&state, MOST + 1); /* 0: the interface chooses */
        }
        expect_floats(session, "y", (float[]){2, 3, 4}, 3);
        for (size_t a = 0; a < MOST; a++)
            for (size_t b = 0; b < MOST; b++)
                for (size_t c = 0; c < MOST; c++) {
                    const bool there = a < n_task[0] && b < n_task[1] && c < n_task[2];
                    suite_assert(count[a][b][c] == there, "run %d, task %zu.%zu.%zu ran %d times",
                                 run, a, b, c, (int)count[a][b][c]);
                }
    }
    api->ReleaseSession(session);
}

START_TEST(all_tasks_run_once_three_deep)
{
    try_threads(1);
    try_threads(2);
    try_threads(7);
}
END_TEST

SUITE("nested", the_library_opens, all_tasks_run_once_three_deep, the_library_is_released)
