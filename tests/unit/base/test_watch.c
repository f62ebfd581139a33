/* SPDX-License-Identifier: Apache-2.0
 * test_watch.c - deadline, wish to cancel and count of steps of a call of the host. */
#include "suite.h"
#include "base/system.h"
#include "base/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool after_three(void *ctx)
{
    return ++*(int *)ctx > 3;
}

START_TEST(without_limits_work_goes_on)
{
    oc_error e = {0};
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){0});
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(oc_watch_step(&w, &e), OC_OK);
    ck_assert_int_eq(w.steps, 1000);
    ck_assert(oc_watch_ask(NULL));
}
END_TEST

START_TEST(a_no_stays_a_no_until_the_watch_begins_anew)
{
    int asked = 0;
    const oc_limits limits = {.cancel = after_three, .cancel_ctx = &asked};
    oc_error e = {0};
    oc_watch w;
    oc_watch_begin(&w, "the run", &limits);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(oc_watch_step(&w, &e), OC_OK);
    ck_assert(!oc_watch_ask(&w));
    ck_assert(!oc_watch_ask(&w));
    ck_assert_int_eq(asked, 4);
    ck_assert_int_eq(oc_watch_check(&w, &e), OC_CANCELLED);
    ck_assert_str_eq(e.text, "the run was cancelled after 3 nodes");
    asked = 0;
    oc_watch_begin(&w, "loading", &limits);
    ck_assert(oc_watch_ask(&w));
    ck_assert_int_eq(w.steps, 0);
}
END_TEST

START_TEST(a_deadline_passes)
{
    oc_error e = {0};
    oc_watch w;
    oc_watch_begin(&w, "loading", &(oc_limits){.deadline = 0.02});
    ck_assert(oc_watch_ask(&w));
    const uint64_t begin = oc_clock();
    while (oc_watch_ask(&w))
        ck_assert_msg(oc_clock() - begin < UINT64_C(60000000000), "no deadline within a minute");
    ck_assert_uint_ge(oc_clock() - begin, 19000000);
    ck_assert_int_eq(oc_watch_check(&w, &e), OC_DEADLINE);
    ck_assert_str_eq(e.text, "loading passed its deadline of 0.02 s");
}
END_TEST

/* Seconds that are more nanoseconds than 64 bits count, or that are no number. */
START_TEST(a_deadline_that_never_comes_is_none)
{
    const double never[] = {1e9, 1.9e10, 1e300, 1.0 / 0.0, 0.0 / 0.0, -1, 0};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        oc_watch w;
        oc_watch_begin(&w, "the run", &(oc_limits){.deadline = never[i]});
        ck_assert(oc_watch_ask(&w));
        ck_assert_uint_eq(w.deadline, 0);
    }
}
END_TEST

START_TEST(a_long_copy_ends_between_two_pieces)
{
    enum { PIECE = 1 << 20, SIZE = 4 * PIECE + 5 };
    char *src = malloc(SIZE), *dst = calloc(SIZE, 1);
    ck_assert(src && dst);
    memset(src, 7, SIZE);
    int asked = 0;
    oc_error e = {0};
    oc_watch w;
    oc_watch_begin(&w, "loading", &(oc_limits){.cancel = after_three, .cancel_ctx = &asked});
    ck_assert_int_eq(oc_watch_copy(&w, dst, src, SIZE, &e), OC_CANCELLED);
    ck_assert(dst[3 * PIECE - 1] == 7 && dst[3 * PIECE] == 0);
    ck_assert_int_eq(oc_watch_copy(NULL, dst, src, SIZE, &(oc_error){0}), OC_OK);
    ck_assert_mem_eq(dst, src, SIZE);
    free(src);
    free(dst);
}
END_TEST

START_TEST(steps_are_counted_up_to_their_limit)
{
    oc_error e = {0};
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){.max_steps = 2});
    ck_assert_int_eq(oc_watch_step(&w, &e), OC_OK);
    ck_assert_int_eq(oc_watch_step(&w, &e), OC_OK);
    ck_assert_int_eq(oc_watch_step(&w, &e), OC_LIMIT);
    ck_assert_str_eq(e.text, "the run passed its limit of 2 executed nodes");
}
END_TEST

static void *ask_often(void *watch)
{
    for (int i = 0; i < 100; i++)
        if (!oc_watch_ask(watch))
            return watch;
    return NULL;
}

/* The host's function is called by the thread of its call alone; others learn the answer. */
START_TEST(other_threads_do_not_call_the_host)
{
    int asked = 0;
    void *ended;
    pthread_t other;
    oc_watch w;
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = after_three, .cancel_ctx = &asked});
    ck_assert_int_eq(pthread_create(&other, NULL, ask_often, &w), 0);
    pthread_join(other, &ended);
    ck_assert_ptr_null(ended);
    ck_assert_int_eq(asked, 0);
    while (oc_watch_ask(&w))
        ;
    ck_assert_int_eq(pthread_create(&other, NULL, ask_often, &w), 0);
    pthread_join(other, &ended);
    ck_assert_ptr_eq(ended, &w);
    ck_assert_int_eq(asked, 4);
}
END_TEST

START_TEST(fresh_memory_is_touched_where_work_may_be_ended)
{
    enum { SIZE = 64 << 20 };
    int asked = 0;
    oc_watch w;
    char *fresh = malloc(SIZE);
    ck_assert_ptr_nonnull(fresh);
    oc_watch_begin(&w, "the run", &(oc_limits){.cancel = after_three, .cancel_ctx = &asked});
    ck_assert(!oc_watch_touch(&w, fresh, SIZE));
    ck_assert_int_eq(asked, 4);
    oc_watch_begin(&w, "the run", &(oc_limits){0});
    ck_assert(oc_watch_touch(&w, fresh, SIZE) && oc_watch_touch(NULL, fresh, SIZE));
    memset(fresh, 1, SIZE);
    ck_assert(oc_watch_zero(&w, fresh, SIZE - 1));
    ck_assert(fresh[0] == 0 && fresh[SIZE - 2] == 0 && fresh[SIZE - 1] == 1);
    free(fresh);
}
END_TEST

SUITE("watch", without_limits_work_goes_on, a_no_stays_a_no_until_the_watch_begins_anew,
      a_deadline_passes, a_deadline_that_never_comes_is_none, a_long_copy_ends_between_two_pieces,
      steps_are_counted_up_to_their_limit, other_threads_do_not_call_the_host,
      fresh_memory_is_touched_where_work_may_be_ended)
