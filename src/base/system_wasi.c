/* SPDX-License-Identifier: Apache-2.0
 * system_wasi.c - time of WebAssembly's system interface (WASI), which has neither threads nor
 * processes.
 *
 * No lock is ever waited for, because no other thread can hold it. */
#define _POSIX_C_SOURCE 200809L /* declares clock_gettime */
#include "base/system.h"

#include "base/compiler.h"

#include <time.h>

/* ---- locks ---- */

bool oc_lock_init(oc_lock *lock, bool recursive)
{
    *lock = (oc_lock){.recursive = recursive};
    return true;
}

void oc_lock_destroy(OC_UNUSED oc_lock *lock) {}

void oc_lock_take(oc_lock *lock)
{
    lock->held++;
}

bool oc_lock_try(oc_lock *lock)
{
    if (lock->held && !lock->recursive)
        return false;
    lock->held++;
    return true;
}

void oc_lock_release(oc_lock *lock)
{
    lock->held--;
}

/* ---- conditions ---- */

void oc_condition_init(oc_condition *condition)
{
    *condition = (oc_condition){0};
}

void oc_condition_destroy(OC_UNUSED oc_condition *condition) {}

void oc_condition_wait(OC_UNUSED oc_condition *condition, OC_UNUSED oc_lock *lock) {}

bool oc_condition_wait_briefly(OC_UNUSED oc_condition *condition, OC_UNUSED oc_lock *lock,
                               int64_t nanoseconds)
{
    oc_sleep(nanoseconds);
    return false;
}

void oc_condition_wake(OC_UNUSED oc_condition *condition, OC_UNUSED bool all) {}

/* ---- threads ---- */

bool oc_thread_start(OC_UNUSED oc_thread *thread, OC_UNUSED size_t stack,
                     OC_UNUSED void *(*run)(void *arg), OC_UNUSED void *arg)
{
    return false;
}

void oc_thread_join(OC_UNUSED oc_thread *thread) {}

uintptr_t oc_thread_self(void)
{
    return 1;
}

int64_t oc_process_self(void)
{
    return 1;
}

/* ---- processors ---- */

int oc_processor_count(void)
{
    return 1;
}

int oc_processor_self(void)
{
    return 0;
}

/* ---- time ---- */

uint64_t oc_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Looks at the clock until the time has passed: a page's own thread may not sleep. */
void oc_sleep(int64_t nanoseconds)
{
    const uint64_t end = oc_clock() + (uint64_t)nanoseconds;
    while (oc_clock() < end)
        ;
}
