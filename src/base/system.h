/* SPDX-License-Identifier: Apache-2.0
 * system.h - what the library asks of the operating system about threads and time.
 *
 * system_posix.c, system_windows.c and system_wasi.c answer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
/* Room for a type of windows.h, which only system_windows.c includes because it defines too many
 * names. */
typedef struct oc_lock {
    void *room[6];
} oc_lock;
typedef struct oc_condition {
    void *room;
} oc_condition;
typedef struct oc_thread {
    void *handle;
    void *(*run)(void *arg);
    void *arg;
} oc_thread;
#elif defined(__wasi__) /* has no threads */
typedef struct oc_lock {
    int held; /* how often it was taken and not yet released */
    bool recursive;
} oc_lock;
typedef struct oc_condition {
    char none;
} oc_condition;
typedef struct oc_thread {
    char none;
} oc_thread;
#else
#include <pthread.h>
typedef pthread_mutex_t oc_lock;
typedef pthread_cond_t oc_condition;
typedef pthread_t oc_thread;
#endif

/* ---- locks ---- */

/* recursive: the thread that holds the lock may take it again. Returns false when the system has
 * no more locks. */
bool oc_lock_init(oc_lock *lock, bool recursive);
void oc_lock_destroy(oc_lock *lock);
void oc_lock_take(oc_lock *lock);
bool oc_lock_try(oc_lock *lock); /* takes the lock if no other thread holds it */
void oc_lock_release(oc_lock *lock);

/* ---- conditions, on which threads sleep until one wakes them ---- */

void oc_condition_init(oc_condition *condition);
void oc_condition_destroy(oc_condition *condition);

/* Releases the lock, which the caller holds once, while the thread sleeps. The thread may wake
 * without having been woken. */
void oc_condition_wait(oc_condition *condition, oc_lock *lock);

/* As oc_condition_wait, but sleeps for at most the given nanoseconds; false when they have
 * passed. */
bool oc_condition_wait_briefly(oc_condition *condition, oc_lock *lock, int64_t nanoseconds);

void oc_condition_wake(oc_condition *condition, bool all); /* wakes all sleeping threads, or one */

/* ---- threads ---- */

/* Starts a thread with a stack of that many bytes. Handlers of the host's signals do not run on
 * it, except those of faults. *thread must keep its address until the thread is joined. Returns
 * false when the system starts no more threads. */
bool oc_thread_start(oc_thread *thread, size_t stack, void *(*run)(void *arg), void *arg);
void oc_thread_join(oc_thread *thread); /* waits for the thread's end */

uintptr_t oc_thread_self(void); /* returns a number that no other running thread has */

/* Returns a number that no other running process has. A child of fork() has another number than
 * its parent, whose other threads do not exist in the child. */
int64_t oc_process_self(void);

/* ---- processors ---- */

/* Returns the number of processors that this process may use, at least 1: those that the system
 * lets it run on, and on Linux no more than the processor time that its control groups allow. */
int oc_processor_count(void);
/* returns the number of the processor that this thread runs on; -1 when it is not known */
int oc_processor_self(void);

/* ---- time ---- */

uint64_t oc_clock(void);            /* returns nanoseconds on a clock that never goes back */
void oc_sleep(int64_t nanoseconds); /* for less than a second; a signal may end the sleep */
