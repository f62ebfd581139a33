/* SPDX-License-Identifier: Apache-2.0
 * test_system.c - locks, conditions, threads and clock, as the library asks the system for them. */
#include "suite.h"
#include "base/system.h"

enum { STACK = 1 << 20, MILLISECOND = 1000 * 1000 };

typedef struct shared {
    oc_lock lock;
    oc_condition changed;
    bool got_lock;
    int turns;
    uintptr_t self;
} shared;

static void shared_init(shared *s, bool recursive)
{
    *s = (shared){.got_lock = false};
    ck_assert(oc_lock_init(&s->lock, recursive));
    oc_condition_init(&s->changed);
}

static void shared_free(shared *s)
{
    oc_condition_destroy(&s->changed);
    oc_lock_destroy(&s->lock);
}

static void run_thread(shared *s, void *(*run)(void *))
{
    oc_thread thread;
    ck_assert(oc_thread_start(&thread, STACK, run, s));
    oc_thread_join(&thread);
}

static void *try_lock(void *arg)
{
    shared *s = arg;
    s->self = oc_thread_self();
    s->got_lock = oc_lock_try(&s->lock);
    if (s->got_lock)
        oc_lock_release(&s->lock);
    return NULL;
}

START_TEST(a_lock_is_held_by_one_thread)
{
    for (int recursive = 0; recursive < 2; recursive++) {
        shared s;
        shared_init(&s, recursive);
        oc_lock_take(&s.lock);
        run_thread(&s, try_lock);
        ck_assert(!s.got_lock);
        ck_assert(s.self != oc_thread_self());
        oc_lock_release(&s.lock);
        run_thread(&s, try_lock);
        ck_assert(s.got_lock);
        shared_free(&s);
    }
}
END_TEST

START_TEST(a_recursive_lock_is_taken_again)
{
    shared s;
    shared_init(&s, true);
    oc_lock_take(&s.lock);
    ck_assert(oc_lock_try(&s.lock));
    oc_lock_release(&s.lock);
    run_thread(&s, try_lock);
    ck_assert(!s.got_lock);
    oc_lock_release(&s.lock);
    run_thread(&s, try_lock);
    ck_assert(s.got_lock);
    shared_free(&s);
}
END_TEST

static void *take_turns(void *arg)
{
    shared *s = arg;
    oc_lock_take(&s->lock);
    for (int i = 0; i < 1000; i++) {
        while (s->turns % 2 == 0)
            oc_condition_wait(&s->changed, &s->lock);
        s->turns++;
        oc_condition_wake(&s->changed, i % 2);
    }
    oc_lock_release(&s->lock);
    return NULL;
}

START_TEST(two_threads_wake_each_other)
{
    shared s;
    shared_init(&s, false);
    oc_thread thread;
    ck_assert(oc_thread_start(&thread, STACK, take_turns, &s));
    oc_lock_take(&s.lock);
    for (int i = 0; i < 1000; i++) {
        s.turns++;
        oc_condition_wake(&s.changed, i % 2);
        while (s.turns % 2)
            oc_condition_wait(&s.changed, &s.lock);
    }
    oc_lock_release(&s.lock);
    oc_thread_join(&thread);
    ck_assert_int_eq(s.turns, 2000);
    shared_free(&s);
}
END_TEST

/* A wait may end early, but what it says is then that time has not passed. */
START_TEST(a_wait_ends)
{
    shared s;
    shared_init(&s, false);
    oc_lock_take(&s.lock);
    const uint64_t begin = oc_clock();
    while (oc_condition_wait_briefly(&s.changed, &s.lock, 20 * MILLISECOND))
        ;
    const uint64_t waited = oc_clock() - begin;
    oc_lock_release(&s.lock);
    ck_assert_uint_ge(waited, 19 * MILLISECOND);
    shared_free(&s);
}
END_TEST

START_TEST(the_clock_goes_forward)
{
    const uint64_t begin = oc_clock();
    oc_sleep(20 * MILLISECOND);
    ck_assert_uint_ge(oc_clock() - begin, 19 * MILLISECOND);
}
END_TEST

START_TEST(a_process_has_processors)
{
    const int n = oc_processor_count();
    ck_assert_int_ge(n, 1);
    ck_assert_int_ge(oc_processor_self(), -1);
}
END_TEST

SUITE("system", a_lock_is_held_by_one_thread, a_recursive_lock_is_taken_again,
      two_threads_wake_each_other, a_wait_ends, the_clock_goes_forward, a_process_has_processors)
