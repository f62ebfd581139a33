/* SPDX-License-Identifier: Apache-2.0
 * test_fork.c - in a child of fork(), where only the thread that called it lives on, sessions of
 * the parent run, end and are freed, and others are made. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "base/poison.h"
#include "base/threads.h"
#include "base/watch.h"

#include <dirent.h>
#include <ocellus.h>
#include <ocellus_op.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEADER "<ir_version: 10, opset_import: [\"\" : 20, \"test\" : 1]>\n"

enum { N = 192, SOON = 3 /* seconds */ };

static void doze(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

#if defined OC_POISONS && defined __linux__
/* Are all threads of this process but the caller asleep? */
static bool others_sleep(void)
{
    int awake = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *d; (d = readdir(tasks));) {
        char path[sizeof("/proc/self/task//stat") + sizeof(d->d_name)], state = 'S';
        snprintf(path, sizeof(path), "/proc/self/task/%s/stat", d->d_name);
        FILE *f = d->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && state != 'S')
            awake++;
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return awake <= 1;
}

/* The address sanitizer's own memory does not survive a fork in the midst of a thread's start: its
 * lock is held in the child by a thread that is not there. */
static void let_threads_start(void)
{
    do
        doze();
    while (!others_sleep());
}
#else
static void let_threads_start(void) {}
#endif

/* The child that this makes is killed where it waits for ever. */
static pid_t fork_briefly(void)
{
    let_threads_start();
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); /* Check's handler ends all */
        alarm(SOON);
    }
    return child;
}

static int end_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static oc_model *load(const char *text)
{
    oc_error e = {OC_OK, ""};
    oc_model *m = oc_model_load_memory(text, strlen(text), NULL, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return m;
}

/* ---- sessions of the parent ---- */

static float x[N * N];

static bool runs(oc_session *s)
{
    oc_error e = {OC_OK, ""};
    oc_bind(s, "x", OC_F32, 2, (int64_t[]){N, N}, x, &e);
    oc_run(s, &e);
    const float *y = oc_fetch(s, "y", NULL, &e);
    return e.code == OC_OK && y[0] == N && y[N * N - 1] == N;
}

START_TEST(sessions_run_and_are_freed)
{
    for (int i = 0; i < N * N; i++)
        x[i] = 1;
    oc_model *m = load(HEADER "g (float[N,N] x) => (float[N,N] y) { y = MatMul (x, x) }");
    oc_error e = {OC_OK, ""};
    oc_session *s[2];
    for (int i = 0; i < 2; i++)
        s[i] = oc_session_new(m, &(oc_session_options){.threads = 4}, &e);
    ck_assert(runs(s[0]) && runs(s[1]));
    const pid_t child = fork_briefly();
    if (child == 0) {
        const pid_t grandchild = runs(s[0]) ? fork_briefly() : -1;
        bool fine = runs(s[0]);
        oc_session_free(s[0]);
        oc_session_free(s[1]);
        oc_model_free(m);
        if (grandchild)
            fine = fine && end_of(grandchild) == 0;
        _exit(fine ? 0 : 1);
    }
    ck_assert_int_eq(end_of(child), 0);
    ck_assert(runs(s[0]) && runs(s[1]));
    oc_session_free(s[0]);
    oc_session_free(s[1]);
    oc_model_free(m);
}
END_TEST

/* ---- a callback that forks ---- */

typedef struct job {
    pthread_t caller;
    atomic_int begun, done;
    pid_t child; /* -1: not yet */
} job;

/* Each of two threads has one task, and the caller's ends first. */
static void work(void *arg, int i)
{
    job *j = arg;
    (void)i;
    atomic_fetch_add(&j->begun, 1);
    while (atomic_load(&j->begun) < 2)
        doze();
    for (int k = 0; k < 300 && !pthread_equal(pthread_self(), j->caller); k++)
        doze();
    atomic_fetch_add(&j->done, 1);
}

static void count(void *arg, int i)
{
    (void)i;
    atomic_fetch_add((atomic_int *)arg, 1);
}

/* Ends the run in the child. */
static bool fork_once(void *arg)
{
    job *j = arg;
    if (j->child < 0)
        j->child = fork_briefly();
    return j->child == 0;
}

START_TEST(a_run_that_forks_ends_in_the_child)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_error e = {OC_OK, ""};
    oc_threads *pool;
    ck_assert_int_eq(oc_threads_new(&memory, 2, &pool, &e), OC_OK);
    job j = {.caller = pthread_self(), .child = -1};
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = fork_once, .cancel_ctx = &j});
    const oc_parallel p = oc_threads_parallel(pool);
    oc_threads_begin(pool, &w);
    oc_parallel_run(&p, 2, work, &j);
    atomic_int visits = 0;
    oc_parallel_run(&p, 100, count, &visits);
    oc_threads_end(pool);
    if (j.child == 0) {
        bool fine = atomic_load(&j.done) == 1 && atomic_load(&visits) == 100 &&
                    oc_watch_check(&w, &e) == OC_CANCELLED;
        oc_threads_begin(pool, NULL);
        atomic_store(&j.begun, 0);
        oc_parallel_run(&p, 2, work, &j); /* needs both threads */
        oc_threads_end(pool);
        fine = fine && atomic_load(&j.done) == 3;
        oc_threads_free(pool);
        _exit(fine && memory.live == 0 ? 0 : 1);
    }
    ck_assert_int_eq(atomic_load(&j.done), 2);
    ck_assert_int_eq(atomic_load(&visits), 100);
    ck_assert_int_eq(end_of(j.child), 0);
    oc_threads_free(pool);
}
END_TEST

/* ---- a thread that makes a plan meanwhile ---- */

static atomic_bool is_making, may_end;

static oc_status shape(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

static oc_status prepare(oc_call *c)
{
    (void)c;
    atomic_store(&is_making, true);
    while (!atomic_load(&may_end))
        doze();
    return OC_OK;
}

static oc_status keep(oc_call *c)
{
    memcpy(oc_call_out(c, 0), oc_value_data(oc_call_in(c, 0)), sizeof(float));
    return OC_OK;
}

static const oc_op ops[] = {{1, "test::Slow (T x, T w=) => (T y) | T: float", shape, keep, prepare},
                            {0}};

static void *make(void *model)
{
    oc_error e = {OC_OK, ""};
    oc_session_free(oc_session_new(model, &(oc_session_options){.threads = 1, .ops = ops}, &e));
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    return NULL;
}

START_TEST(a_plan_that_is_being_made_holds_nobody_up)
{
    oc_model *m =
        load(HEADER "g (float[1] x) => (float[1] y) <float[1] w = {2}> { y = test.Slow (x, w) }");
    pthread_t maker;
    pthread_create(&maker, NULL, make, m);
    while (!atomic_load(&is_making))
        doze();
    const pid_t child = fork_briefly();
    atomic_store(&may_end,
                 true); /* in both processes: the child's first node is prepared at once */
    if (child == 0) {
        oc_error e = {OC_OK, ""};
        oc_session *s = oc_session_new(m, &(oc_session_options){.threads = 1, .ops = ops}, &e);
        oc_bind(s, "x", OC_F32, 1, (int64_t[]){1}, (float[]){3}, &e);
        oc_run(s, &e);
        oc_session_free(s);
        _exit(e.code == OC_OK ? 0 : 1);
    }
    pthread_join(maker, NULL);
    ck_assert_int_eq(end_of(child), 0);
    oc_model_free(m);
}
END_TEST

SUITE("fork", sessions_run_and_are_freed, a_run_that_forks_ends_in_the_child,
      a_plan_that_is_being_made_holds_nobody_up)
