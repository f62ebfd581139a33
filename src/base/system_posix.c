/* SPDX-License-Identifier: Apache-2.0
 * system_posix.c - threads and time of POSIX systems. */
#ifdef __linux__
#define _GNU_SOURCE /* declares sched_getaffinity and sched_getcpu */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/system.h"

#include "base/control_groups.h"
#include "base/int.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* The clock by which a wait with a time limit is measured. On Linux it is one that nobody can
 * set. */
#ifdef __linux__
#define WAIT_CLOCK CLOCK_MONOTONIC
#else
#define WAIT_CLOCK CLOCK_REALTIME
#endif

/* ---- locks ---- */

bool oc_lock_init(oc_lock *lock, bool recursive)
{
    pthread_mutexattr_t attr;
    if (pthread_mutexattr_init(&attr) != 0)
        return false;
    const int type = recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT;
    const bool made =
        pthread_mutexattr_settype(&attr, type) == 0 && pthread_mutex_init(lock, &attr) == 0;
    pthread_mutexattr_destroy(&attr);
    return made;
}

void oc_lock_destroy(oc_lock *lock)
{
    pthread_mutex_destroy(lock);
}

void oc_lock_take(oc_lock *lock)
{
    pthread_mutex_lock(lock);
}

bool oc_lock_try(oc_lock *lock)
{
    return pthread_mutex_trylock(lock) == 0;
}

void oc_lock_release(oc_lock *lock)
{
    pthread_mutex_unlock(lock);
}

/* ---- conditions ---- */

void oc_condition_init(oc_condition *condition)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
#ifdef __linux__
    pthread_condattr_setclock(&attr, WAIT_CLOCK);
#endif
    pthread_cond_init(condition, &attr);
    pthread_condattr_destroy(&attr);
}

void oc_condition_destroy(oc_condition *condition)
{
    pthread_cond_destroy(condition);
}

void oc_condition_wait(oc_condition *condition, oc_lock *lock)
{
    pthread_cond_wait(condition, lock);
}

bool oc_condition_wait_briefly(oc_condition *condition, oc_lock *lock, int64_t nanoseconds)
{
    struct timespec until;
    clock_gettime(WAIT_CLOCK, &until);
    nanoseconds += until.tv_nsec;
    until.tv_sec += (time_t)(nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    return pthread_cond_timedwait(condition, lock, &until) == 0;
}

void oc_condition_wake(oc_condition *condition, bool all)
{
    (all ? pthread_cond_broadcast : pthread_cond_signal)(condition);
}

/* ---- threads ---- */

/* Blocks the signals that are sent to the process, so that they reach a thread of the host,
 * which may be waiting for them. Signals that a thread causes itself, or that a profiler sends
 * to each thread, stay unblocked. */
static void choose_signals(sigset_t *kept_out)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigfillset(kept_out);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(kept_out, own[i]);
}

bool oc_thread_start(oc_thread *thread, size_t stack, void *(*run)(void *arg), void *arg)
{
    pthread_attr_t attr;
    sigset_t kept_out, before;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, stack);
    choose_signals(&kept_out);
    /* a new thread inherits the mask of the thread that starts it */
    pthread_sigmask(SIG_BLOCK, &kept_out, &before);
    const bool started = pthread_create(thread, &attr, run, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return started;
}

void oc_thread_join(oc_thread *thread)
{
    pthread_join(*thread, NULL);
}

uintptr_t oc_thread_self(void)
{
    return (uintptr_t)pthread_self();
}

int64_t oc_process_self(void)
{
    return getpid();
}

/* ---- processors ---- */

int oc_processor_count(void)
{
    int64_t n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    const int64_t allowed = oc_group_processors("");
    n = oc_min(n, allowed);
#endif
    return n > INT_MAX ? INT_MAX : n > 0 ? (int)n : 1;
}

int oc_processor_self(void)
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

/* ---- time ---- */

uint64_t oc_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

void oc_sleep(int64_t nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)nanoseconds}, NULL);
}
