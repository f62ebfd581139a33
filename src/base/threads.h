/* SPDX-License-Identifier: Apache-2.0
 * threads.h - parallel loops, run by the host's threads or by our own pool. */
#pragma once

#include "base/memory.h"

/* A pool of n - 1 waiting threads; the calling thread is number n. With n = 0 there are as many
 * as this process may use processors. */
typedef struct oc_threads oc_threads;

oc_status oc_threads_new(oc_memory *memory, int n, oc_threads **pool, oc_error *e);
void oc_threads_free(oc_threads *pool); /* pool may be NULL */
int oc_threads_count(const oc_threads *pool);
/* Returns the pool as the public hook. run is NULL when the pool is NULL or has no threads. */
oc_parallel oc_threads_parallel(oc_threads *pool);

/* Is the hook one of our pools? While its caller waits for the other threads it asks the watch. */
bool oc_threads_own(const oc_parallel *parallel);

/* Mark the begin and the end of a run of many parallel loops. Between them a thread without work
 * spins for some hundred microseconds before it sleeps; outside of a run it sleeps at once. A
 * caller that waits for the other threads asks the watch, so that they learn when to end. pool
 * may be NULL. */
void oc_threads_begin(oc_threads *pool, oc_watch *watch);
void oc_threads_end(oc_threads *pool);

/* How much work is worth one more thread. Only speed depends on these numbers. Work is counted
 * in products of a vector kernel, which computes about 25 in a nanosecond. */
enum {
    /* the least work of one task: 5 microseconds, ten times what sharing costs */
    OC_GRAIN = 1 << 17,
    OC_ELEMENT = 8,    /* work of reading and writing one element in order */
    OC_PLACE = 1 << 8, /* work of reading one element anywhere in memory */
    OC_UNIT = 1 << 12, /* work of beginning a unit: a call, its geometry and its borders */
    OC_GRAIN_ELEMENTS = OC_GRAIN / OC_ELEMENT
};

/* Calls task(arg, i) for each i in 0 .. n-1 and returns when all calls are done. When p is NULL,
 * p->run is NULL or n is 1, the calls run in order on this thread. */
static inline void oc_parallel_run(const oc_parallel *p, int n, void (*task)(void *arg, int i),
                                   void *arg)
{
    if (p && p->run && n > 1) {
        p->run(p->ctx, n, task, arg);
        return;
    }
    for (int i = 0; i < n; i++)
        task(arg, i);
}
