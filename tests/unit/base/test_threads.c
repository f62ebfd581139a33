/* SPDX-License-Identifier: Apache-2.0
 * test_threads.c - every index once, for any number of threads and of indices. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "base/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST = 1000 };

static atomic_int visits[MOST];

static void visit(void *arg, int i)
{
    atomic_fetch_add(&visits[i], *(int *)arg);
}

static void check_pool(int n_threads)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    oc_threads *pool;
    ck_assert_int_eq(oc_threads_new(&m, n_threads, &pool, &e), OC_OK);
    if (n_threads)
        ck_assert_int_eq(oc_threads_count(pool), n_threads);
    const oc_parallel p = oc_threads_parallel(pool);
    const int sizes[] = {0, 1, 2, 3, 7, 8, 100, MOST, 5, 0, 1};
    int weight = 3;
    for (size_t k = 0; k < 100 * sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k % (sizeof sizes / sizeof *sizes)];
        for (int i = 0; i < MOST; i++)
            atomic_store(&visits[i], 0);
        oc_parallel_run(&p, n, visit, &weight);
        int wrong = 0;
        for (int i = 0; i < MOST; i++)
            wrong += atomic_load(&visits[i]) != (i < n ? weight : 0);
        ck_assert_int_eq(wrong, 0);
    }
    oc_threads_free(pool);
    ck_assert_uint_eq(m.live, 0);
}

START_TEST(each_index_once)
{
    check_pool(1);
    check_pool(2);
    check_pool(7);
    check_pool(0);
}
END_TEST

static void wait_for(long nanoseconds)
{
    const struct timespec t = {.tv_nsec = nanoseconds};
    if (nanoseconds)
        nanosleep(&t, NULL);
}

static void visit_slowly(void *arg, int i)
{
    if (i == 1)
        wait_for(200000);
    visit(arg, i);
}

/* Jobs at distances at which threads still look for work, fall asleep, and sleep; with and without
 * a task for which the caller falls asleep. */
START_TEST(awake_or_asleep)
{
    const long gap[] = {0, 0, 10000, 60000, 300000};
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    int weight = 1, expected = 0;
    for (int i = 0; i < MOST; i++)
        atomic_store(&visits[i], 0);
    for (int n = 2; n < 5; n++) {
        oc_threads *pool;
        ck_assert_int_eq(oc_threads_new(&m, n, &pool, &e), OC_OK);
        const oc_parallel p = oc_threads_parallel(pool);
        for (int k = 0; k < 300; k++) {
            if (k % 7 == 0)
                oc_threads_begin(pool, NULL);
            oc_parallel_run(&p, n, k % 3 ? visit : visit_slowly, &weight);
            expected++;
            ck_assert_int_eq(atomic_load(&visits[0]), expected);
            ck_assert_int_eq(atomic_load(&visits[1]), expected);
            if (k % 7 == 5)
                oc_threads_end(pool);
            wait_for(gap[k % 5]);
        }
        oc_threads_free(pool);
    }
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

static double seconds_of_process(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(void *arg, int i)
{
    const double end = seconds_of_process() + *(double *)arg;
    while (seconds_of_process() < end)
        (void)i;
}

/* Within a run, threads stop looking for work soon; after one, at once. */
START_TEST(nothing_spins_for_long)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    oc_threads *pool;
    double seconds = 0.004, spent = 0;
    ck_assert_int_eq(oc_threads_new(&m, 2, &pool, &e), OC_OK);
    const oc_parallel p = oc_threads_parallel(pool);
    for (int k = 0; k < 10; k++) {
        oc_threads_begin(pool, NULL);
        oc_parallel_run(&p, 4, compute, &seconds);
        if (k % 2)
            oc_threads_end(pool);
        const double before = seconds_of_process();
        wait_for(20000000);
        spent += seconds_of_process() - before;
    }
    ck_assert_double_lt(spent, 0.02);
    oc_threads_free(pool);
}
END_TEST

static void append(void *arg, int i)
{
    int **next = arg;
    *(*next)++ = i;
}

START_TEST(without_threads_in_order)
{
    int seen[10], *next = seen;
    oc_parallel_run(NULL, 5, append, &next);
    oc_parallel_run(&(oc_parallel){0}, 5, append, &next);
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(seen[i], i % 5);
    ck_assert_int_eq(oc_threads_count(NULL), 1);
    oc_threads_begin(NULL, NULL);
    oc_threads_end(NULL);
    oc_threads_free(NULL);
}
END_TEST

START_TEST(too_many_threads_are_refused)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    oc_threads *pool = NULL;
    ck_assert_int_eq(oc_threads_new(&m, 100000, &pool, &e), OC_ARGUMENT);
    ck_assert_ptr_null(pool);
    ck_assert_uint_eq(m.live, 0);
}
END_TEST

typedef struct mask_of {
    pthread_t caller;
    sigset_t mask;
} mask_of;

/* Only the pool's thread says what it has. */
static void note_mask(void *arg, int i)
{
    mask_of *found = arg;
    (void)i;
    if (!pthread_equal(pthread_self(), found->caller))
        pthread_sigmask(SIG_SETMASK, NULL, &found->mask);
    wait_for(1000000);
}

/* Two tasks at a time, so that the pool's thread has one of them soon. */
START_TEST(signals_find_the_threads_of_the_host)
{
    oc_memory m = oc_memory_new(NULL, 0);
    oc_error e = {0};
    oc_threads *pool;
    sigset_t own;
    mask_of found = {.caller = pthread_self()};
    sigemptyset(&found.mask);
    ck_assert_int_eq(oc_threads_new(&m, 2, &pool, &e), OC_OK);
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    ck_assert(!sigismember(&own, SIGINT) && !sigismember(&own, SIGALRM));
    const oc_parallel p = oc_threads_parallel(pool);
    bool kept_out = false;
    for (int k = 0; k < 1000 && !kept_out; k++) {
        oc_parallel_run(&p, 2, note_mask, &found);
        kept_out = sigismember(&found.mask, SIGINT) && sigismember(&found.mask, SIGALRM);
        ck_assert(!sigismember(&found.mask, SIGSEGV) && !sigismember(&found.mask, SIGBUS));
    }
    ck_assert(kept_out);
    oc_threads_free(pool);
}
END_TEST

SUITE("threads", each_index_once, awake_or_asleep, nothing_spins_for_long, without_threads_in_order,
      too_many_threads_are_refused, signals_find_the_threads_of_the_host)
