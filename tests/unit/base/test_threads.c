/* SPDX-License-Identifier: Apache-2.0
 * test_threads.c - every index once, for any number of threads and of indices. */
#include "suite.h"
#include "base/threads.h"

#include <stdatomic.h>

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

SUITE("threads", each_index_once, without_threads_in_order, too_many_threads_are_refused)
