/* SPDX-License-Identifier: Apache-2.0
 * threads.c - runs one job at a time, whose tasks the threads take from a counter.
 *
 * A thread that waits spins first, because waking a sleeping thread costs more than many a loop.
 * It spins a bounded number of pauses. It does not spin where threads share a processor: there
 * it would keep the thread that it waits for from running. */
#include "base/threads.h"

#include "base/int.h"
#include "base/limits.h"
#include "base/system.h"

enum {
    /* Bytes of each thread's stack. The stack that some systems give is too small for one tile
     * of GridSample. */
    STACK = 1 << 20,
    /* How many pauses, of 10 to 40 nanoseconds each, a thread spins: several times as long as
     * falling asleep and waking take, because after a node that one thread runs the next node
     * soon needs the others again. */
    SPINS = 4000,
    BETWEEN_ASKS = 50 * 1000 * 1000 /* in nanoseconds */
};

/* A task is taken by counting `left` down, and reported as done by counting `unfinished` down.
 * task, arg and n are written only while both counters are 0, and read only by a thread that has
 * taken a task and not yet reported it. */
struct oc_threads {
    oc_memory *memory;
    int64_t process; /* number of the process that started the threads */
    int n_wanted;    /* number of threads wanted, the caller's not counted */
    int n_started;   /* how many of the wanted threads run */
    int spins;
    void (*task)(void *arg, int i);
    void *arg;
    int n;
    atomic_int left, unfinished;
    atomic_int place; /* the processor that the caller's thread ran on when the job began */
    atomic_bool in_run, stop;
    atomic_int asleep; /* number of threads that have to be woken; changes under the lock */
    /* true: the caller's thread has to be woken; changes under the lock */
    atomic_bool caller_asleep;
    oc_lock lock;
    oc_condition work, done;
    oc_watch *watch; /* the watch of the run; only the caller uses it */
    oc_thread thread[OC_MAX_THREADS];
};

/* Tells the processor that this thread waits for a write of another one. */
static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb"); /* most processors ignore "yield" */
#endif
}

/* Wakes one sleeper, or all. A thread that has looked for work but does not sleep yet holds the
 * lock. */
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

/* Shall a thread without work spin on? Not on the processor of the thread that brings the work. */
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

/* Starts the threads and makes the lock and conditions of a pool. The pool's other members must
 * be zero or set. */
static void start_threads(oc_threads *p)
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

/* The lock and the conditions stay as they are, because a lost thread may hold them. */
static void forget_lost(oc_threads *p)
{
    p->n_started = 0;
    atomic_store(&p->left, 0);
    atomic_store(&p->unfinished, 0);
    atomic_store(&p->asleep, 0);
    atomic_store(&p->caller_asleep, false);
}

/* Did another process begin the job, in a run that has been told to end? The tasks that its lost
 * threads had taken are never done. */
static bool has_lost_job(oc_threads *p)
{
    return p->watch && atomic_load_explicit(&p->watch->ended, memory_order_relaxed) != OC_OK &&
           is_of_parent(p);
}

/* ---- the caller's thread ---- */

/* Waits for the other threads, and asks the watch as often as the host is promised an answer to
 * its wish to cancel. The caller holds the lock; it is released while the host is asked. */
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

static void run_tasks(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
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
    return pool && pool->n_started ? (oc_parallel){run_tasks, pool} : (oc_parallel){NULL, NULL};
}

bool oc_threads_own(const oc_parallel *parallel)
{
    return parallel->run == run_tasks;
}

void oc_threads_begin(oc_threads *p, oc_watch *watch)
{
    if (!p)
        return;
    if (is_of_parent(p)) {
        forget_lost(p);
        start_threads(p);
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
    start_threads(p);
    *pool = p;
    return OC_OK;
}

void oc_threads_free(oc_threads *p)
{
    if (!p)
        return;
    if (!is_of_parent(p)) { /* this process has none of its threads, so nobody waits for them */
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
