/* SPDX-License-Identifier: Apache-2.0
 * threads.c - one job at a time, its indices handed out by a counter under a lock. */
#define _POSIX_C_SOURCE 200809L
#include "base/threads.h"

#include <pthread.h>
#include <unistd.h>

enum {
    MAX_THREADS = 256,
    STACK = 1 << 20 /* bytes of stack of each thread */
};

struct oc_threads {
    oc_memory *memory;
    int n_started; /* number of threads, without the caller's */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    bool stop;
    uint64_t job; /* number of jobs so far; a waiting thread sees by it that a job is new */
    int n, next, unfinished;
    void (*task)(void *arg, int i);
    void *arg;
    pthread_t thread[MAX_THREADS];
};

/* Runs the task for indices of the current job until none is left. The lock is held at the call and
 * at the return. */
static void work_on_job(oc_threads *p)
{
    while (p->next < p->n) {
        const int i = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->arg, i);
        pthread_mutex_lock(&p->lock);
        if (--p->unfinished == 0)
            pthread_cond_signal(&p->done);
    }
}

static void *worker(void *arg)
{
    oc_threads *p = arg;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        if (p->job == seen) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        seen = p->job;
        work_on_job(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

oc_status oc_threads_new(oc_memory *memory, int n, oc_threads **pool, oc_error *e)
{
    if (n <= 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        n = online > 0 ? (int)(online < MAX_THREADS ? online : MAX_THREADS) : 1;
    }
    if (n > MAX_THREADS)
        return oc_error_set(e, OC_ARGUMENT, "%d threads wanted, at most %d are possible", n,
                            MAX_THREADS);
    oc_threads *p = oc_memory_alloc(memory, sizeof *p);
    if (!p)
        return oc_memory_error(memory, sizeof *p, e);
    *p = (oc_threads){.memory = memory};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    /* The default stack of some systems is smaller than one tile of GridSample needs. */
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    /* A thread that cannot be started is not an error: the other threads and the caller do its
     * share. */
    while (p->n_started < n - 1 && pthread_create(&p->thread[p->n_started], &attr, worker, p) == 0)
        p->n_started++;
    pthread_attr_destroy(&attr);
    *pool = p;
    return OC_OK;
}

void oc_threads_free(oc_threads *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->n_started; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    oc_memory_free(p->memory, p, sizeof *p);
}

int oc_threads_count(const oc_threads *p)
{
    return p ? p->n_started + 1 : 1;
}

static void run(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    oc_threads *p = ctx;
    if (n <= 0)
        return;
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->arg = arg;
    p->n = p->unfinished = n;
    p->next = 0;
    p->job++;
    pthread_cond_broadcast(&p->work);
    work_on_job(p);
    while (p->unfinished > 0)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

oc_parallel oc_threads_parallel(oc_threads *pool)
{
    return pool && pool->n_started ? (oc_parallel){run, pool} : (oc_parallel){NULL, NULL};
}
