/* SPDX-License-Identifier: Apache-2.0
 * threads.c - one job at a time, whose tasks the threads take from a counter.
 *
 * A thread that waits first spins: to wake a sleeping one costs more than many a loop. It spins a
 * bounded number of pauses, and not at all where threads have to share a processor: there it would
 * keep from running the very thread that it waits for. */
#include "base/threads.h"

#include "base/int.h"
#include "base/limits.h"
#include "base/system.h"

#include <stdatomic.h>

enum {
    /* Bytes of each thread's stack: that of some systems is smaller than one tile of GridSample
     * needs. */
    STACK = 1 << 20,
    /* Pauses, of 10 to 40 nanoseconds each: some times as long as falling asleep and waking take,
     * as what follows a node that one thread runs wants the others again. */
    SPINS = 4000,
    BETWEEN_ASKS = 50 * 1000 * 1000 /* nanoseconds */
};

/* A task is taken by counting `left` down, and done by counting `unfinished` down. task, arg and n
 * are written only while both are 0, and read only by a thread that has taken a task and not done
 * it. */
struct oc_threads {
    oc_memory *memory;
    int64_t process; /* in which the threads were started */
    int n_wanted;    /* number of threads, without the caller's */
    int n_started;   /* those of them that run */
    int spins;
    void (*task)(void *arg, int i);
    void *arg;
    int n;
    atomic_int left, unfinished;
    atomic_int place; /* the processor that the caller's thread ran on when the job began */
    atomic_bool in_run, stop;
    atomic_int asleep;         /* threads that have to be woken; changes under the lock */
    atomic_bool caller_asleep; /* the same of the caller's thread */
    oc_lock lock;
    oc_condition work, done;
    oc_watch *watch; /* of the run; the caller alone uses it */
    oc_thread thread[OC_MAX_THREADS];
};

/* Tells the processor that this thread waits for another one's write. */
static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb"); /* on most processors "yield" takes no time at all */
#endif
}

/* Wakes a sleeper, or all. Whoever is between its last look and its sleep holds the lock. */
static void wake(oc_threads *p, oc_condition *sleepers, bool all)
{
    oc_lock_take(&p->lock);
    oc_lock_release(&p->lock);
    oc_condition_wake(sleepers, all);
}

/* Runs tasks of the current job until none is left. */
static void take_tasks(oc_threads *p)
{
    int left = atomic_load(&p->left);
    while (left > 0) {
        if (!atomic_compare_exchange_weak(&p->left, &left, left - 1))
            continue;
        p->task(p->arg, p->n - left);
        if (atomic_fetch_sub(&p->unfinished, 1) == 1 && atomic_load(&p->caller_asleep))
            wake(p, &p->done, false);
        left = atomic_load(&p->left);
    }
}

/* ---- the pool's threads ---- */

static bool is_wanted(oc_threads *p)
{
    return atomic_load(&p->left) > 0 || atomic_load(&p->stop);
}

/* Is it worth looking for work a little longer? Not in the place of the thread that brings it. */
static bool may_spin(oc_threads *p)
{
    const int place = atomic_load(&p->place);
    return atomic_load(&p->in_run) && (place < 0 || oc_processor_self() != place);
}

static void await_work(oc_threads *p)
{
    for (int i = 0; i < p->spins && may_spin(p); i++) {
        if (is_wanted(p))
            return;
        pause_briefly();
    }
    oc_lock_take(&p->lock);
    atomic_fetch_add(&p->asleep, 1);
    while (!is_wanted(p))
        oc_condition_wait(&p->work, &p->lock);
    atomic_fetch_sub(&p->asleep, 1);
    oc_lock_release(&p->lock);
}

static void *worker(void *arg)
{
    oc_threads *p = arg;
    while (!atomic_load(&p->stop)) {
        take_tasks(p);
        await_work(p);
    }
    return NULL;
}

/* ---- threads started, and lost in a child of fork() ---- */

/* Threads, lock and conditions of a pool whose other members are zero or set. */
static void start(oc_threads *p)
{
    p->process = oc_process_self();
    oc_lock_init(&p->lock, false);
    oc_condition_init(&p->work);
    oc_condition_init(&p->done);
    /* A thread that cannot be started is not an error: the other threads and the caller do its
     * share. */
    while (p->n_started < p->n_wanted &&
           oc_thread_start(&p->thread[p->n_started], STACK, worker, p))
        p->n_started++;
}

static bool is_of_parent(const oc_threads *p)
{
    return p->process != oc_process_self();
}

/* Leaves lock and conditions as they are: a lost thread may hold them. */
static void forget_lost(oc_threads *p)
{
    p->n_started = 0;
    atomic_store(&p->left, 0);
    atomic_store(&p->unfinished, 0);
    atomic_store(&p->asleep, 0);
    atomic_store(&p->caller_asleep, false);
}

/* Was the job begun in another process, by a run that has been told to end? Tasks that the lost
 * threads had taken are never done. */
static bool has_lost_job(oc_threads *p)
{
    return p->watch && atomic_load_explicit(&p->watch->ended, memory_order_relaxed) != OC_OK &&
           is_of_parent(p);
}

/* ---- the caller's thread ---- */

/* Waits for the others, at most as long as the host may wait for an answer to its wish to cancel.
 * The lock is held before and after, but not while the host is asked. */
static void wait_and_ask(oc_threads *p)
{
    if (!p->watch) {
        oc_condition_wait(&p->done, &p->lock);
        return;
    }
    if (oc_condition_wait_briefly(&p->done, &p->lock, BETWEEN_ASKS))
        return;
    oc_lock_release(&p->lock);
    oc_watch_ask(p->watch);
    if (has_lost_job(p)) {
        forget_lost(p);
        oc_lock_init(&p->lock, false);
    }
    oc_lock_take(&p->lock);
}

static void await_end(oc_threads *p)
{
    for (int i = 0; i < p->spins; i++) {
        if (atomic_load(&p->unfinished) == 0)
            return;
        pause_briefly();
    }
    oc_lock_take(&p->lock);
    atomic_store(&p->caller_asleep, true);
    while (atomic_load(&p->unfinished) > 0)
        wait_and_ask(p);
    atomic_store(&p->caller_asleep, false);
    oc_lock_release(&p->lock);
}

static void run(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    oc_threads *p = ctx;
    if (n <= 0)
        return;
    if (has_lost_job(p))
        forget_lost(p);
    p->task = task;
    p->arg = arg;
    p->n = n;
    atomic_store(&p->place, oc_processor_self());
    atomic_store(&p->unfinished, n);
    atomic_store(&p->left, n);
    if (n > 1 && atomic_load(&p->asleep) > 0)
        wake(p, &p->work, n > 2);
    take_tasks(p);
    await_end(p);
}

oc_parallel oc_threads_parallel(oc_threads *pool)
{
    return pool && pool->n_started ? (oc_parallel){run, pool} : (oc_parallel){NULL, NULL};
}

bool oc_threads_own(const oc_parallel *parallel)
{
    return parallel->run == run;
}

void oc_threads_begin(oc_threads *p, oc_watch *watch)
{
    if (!p)
        return;
    if (is_of_parent(p)) {
        forget_lost(p);
        start(p);
    }
    p->watch = watch && watch->cancel ? watch : NULL;
    atomic_store(&p->in_run, true);
}

void oc_threads_end(oc_threads *p)
{
    if (!p)
        return;
    p->watch = NULL;
    atomic_store(&p->in_run, false);
}

/* ---- made and freed ---- */

oc_status oc_threads_new(oc_memory *memory, int n, oc_threads **pool, oc_error *e)
{
    const int processors = oc_processor_count();
    if (n <= 0)
        n = oc_min(processors, OC_MAX_THREADS);
    if (n > OC_MAX_THREADS)
        return oc_error_set(e, OC_ARGUMENT, "%d threads wanted, at most %d are possible", n,
                            OC_MAX_THREADS);
    oc_threads *p = oc_memory_alloc(memory, sizeof *p);
    if (!p)
        return oc_memory_error(memory, sizeof *p, e);
    *p = (oc_threads){.memory = memory, .n_wanted = n - 1, .spins = n <= processors ? SPINS : 0};
    start(p);
    *pool = p;
    return OC_OK;
}

void oc_threads_free(oc_threads *p)
{
    if (!p)
        return;
    if (!is_of_parent(p)) { /* whose threads nobody has to wait for */
        atomic_store(&p->stop, true);
        wake(p, &p->work, true);
        for (int i = 0; i < p->n_started; i++)
            oc_thread_join(&p->thread[i]);
        oc_condition_destroy(&p->done);
        oc_condition_destroy(&p->work);
        oc_lock_destroy(&p->lock);
    }
    oc_memory_free(p->memory, p, sizeof *p);
}

int oc_threads_count(const oc_threads *p)
{
    return p ? p->n_started + 1 : 1;
}
