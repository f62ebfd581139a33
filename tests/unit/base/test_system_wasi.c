/* SPDX-License-Identifier: Apache-2.0
 * test_system_wasi.c - locks of one thread, and a clock by which it waits. */
#include "suite.h"
#include "base/system.h"

enum { STACK = 1 << 20, MILLISECOND = 1000 * 1000 };

START_TEST(a_lock_is_taken_once)
{
    oc_lock lock;
    ck_assert(oc_lock_init(&lock, false));
    oc_lock_take(&lock);
    ck_assert(!oc_lock_try(&lock));
    oc_lock_release(&lock);
    ck_assert(oc_lock_try(&lock));
    oc_lock_release(&lock);
    oc_lock_destroy(&lock);
}
END_TEST

START_TEST(a_recursive_lock_is_taken_again)
{
    oc_lock lock;
    ck_assert(oc_lock_init(&lock, true));
    oc_lock_take(&lock);
    ck_assert(oc_lock_try(&lock));
    oc_lock_release(&lock);
    oc_lock_release(&lock);
    oc_lock_destroy(&lock);
}
END_TEST

static void *never(void *arg)
{
    return arg;
}

START_TEST(there_is_one_thread)
{
    oc_thread thread;
    ck_assert(!oc_thread_start(&thread, STACK, never, NULL));
    ck_assert_int_eq(oc_processor_count(), 1);
    ck_assert(oc_thread_self() == oc_thread_self());
}
END_TEST

START_TEST(time_passes)
{
    oc_lock lock;
    oc_condition condition;
    ck_assert(oc_lock_init(&lock, false));
    oc_condition_init(&condition);
    uint64_t begin = oc_clock();
    oc_sleep(5 * MILLISECOND);
    ck_assert_uint_ge(oc_clock() - begin, 5 * MILLISECOND);
    begin = oc_clock();
    oc_lock_take(&lock);
    ck_assert(!oc_condition_wait_briefly(&condition, &lock, 5 * MILLISECOND));
    oc_lock_release(&lock);
    ck_assert_uint_ge(oc_clock() - begin, 5 * MILLISECOND);
    oc_condition_destroy(&condition);
    oc_lock_destroy(&lock);
}
END_TEST

SUITE("system_wasi", a_lock_is_taken_once, a_recursive_lock_is_taken_again, there_is_one_thread,
      time_passes)
