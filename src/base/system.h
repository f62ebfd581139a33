/* SPDX-License-Identifier: Apache-2.0
 * system.h - what the library asks of the system about threads and time: system_posix.c and
 * system_windows.c answer. */
#ifndef OC_BASE_SYSTEM_H
#define OC_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
/* Room for what only system_windows.c looks at: windows.h has too many names for a header. */
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
#else
#include <pthread.h>
typedef pthread_mutex_t oc_lock;
typedef pthread_cond_t oc_condition;
typedef pthread_t oc_thread;
#endif

/* ---- locks ---- */

/* recursive: the thread that holds it may take it again. false: the system has no more. */
bool oc_lock_init(oc_lock *lock, bool recursive);
void oc_lock_destroy(oc_lock *lock);
void oc_lock_take(oc_lock *lock);
bool oc_lock_try(oc_lock *lock); /* takes it if no other thread holds it */
void oc_lock_release(oc_lock *lock);

/* ---- conditions, on which threads sleep until one wakes them ---- */

void oc_condition_init(oc_condition *condition);
void oc_condition_destroy(oc_condition *condition);

/* The caller holds the lock once; it is released while the thread sleeps. It may wake unasked. */
void oc_condition_wait(oc_condition *condition, oc_lock *lock);

/* The same, for at most so many nanoseconds; false: they have passed. */
bool oc_condition_wait_briefly(oc_condition *condition, oc_lock *lock, int64_t nanoseconds);

void oc_condition_wake(oc_condition *condition, bool all); /* or one thread */

/* ---- threads ---- */

/* Starts a thread with so many bytes of stack, on which no handler of the host's signals runs, but
 * of faults; *thread keeps its place until the thread is joined. false: the system starts no more.
 */
bool oc_thread_start(oc_thread *thread, size_t stack, void *(*run)(void *arg), void *arg);
void oc_thread_join(oc_thread *thread); /* waits for its end */

uintptr_t oc_thread_self(void); /* a number that no other running thread has */

/* A number that no other running process has. In a child of fork() it differs from the parent's, of
 * whose threads only the one that called fork() lives there. */
int64_t oc_process_self(void);

/* ---- processors ---- */

/* The number of processors that this process may use, 1 or more: those that the system lets it run
 * on, and on Linux no more than its control groups give it the time of. */
int oc_processor_count(void);
int oc_processor_self(void); /* the number of the one that this thread runs on; -1: not known */

/* ---- time ---- */

uint64_t oc_clock(void);            /* nanoseconds on a clock that only goes forward */
void oc_sleep(int64_t nanoseconds); /* below a second; a signal may end it */

#endif
