/* SPDX-License-Identifier: Apache-2.0
 * threads.h - parallel loops, by the host's threads or by our own pool. */
#ifndef OC_BASE_THREADS_H
#define OC_BASE_THREADS_H

#include "base/memory.h"
#include "base/status.h"

/* A pool of n - 1 waiting threads; the calling thread is the n-th. n = 0: as many as there are
 * processors that this process may use. */
typedef struct oc_threads oc_threads;

oc_status oc_threads_new(oc_memory *memory, int n, oc_threads **pool, oc_error *e);
void oc_threads_free(oc_threads *pool); /* NULL is allowed */
int oc_threads_count(const oc_threads *pool);
/* The pool as the public hook, with the pool as its ctx. run is NULL when the pool is NULL or has
 * no threads. */
oc_parallel oc_threads_parallel(oc_threads *pool);

/* Is it the hook of such a pool, whose caller asks the watch while it waits for the others? */
bool oc_threads_own(const oc_parallel *parallel);

/* A run of many parallel loops begins, and ends. In between a thread without work looks for more,
 * for some hundred microseconds, before it sleeps; outside it sleeps at once. Where the caller
 * waits for the others it asks the watch, so that they learn from it when to end. pool NULL is
 * allowed.
 */
void oc_threads_begin(oc_threads *pool, oc_watch *watch);
void oc_threads_end(oc_threads *pool);

/* When work is worth a further thread, for all operators; only speed depends on it. Work is counted
 * in products of a vector kernel, some 25 in a nanosecond. */
enum {
    OC_GRAIN = 1 << 17, /* the least work of a task: 5 microseconds, ten times what sharing costs */
    OC_ELEMENT = 8,     /* products that take as long as an element that is read and written */
    OC_PLACE = 1 << 8,  /* and as one that is anywhere in memory */
    OC_UNIT = 1 << 12,  /* and as to begin a unit: a call, its geometry, its borders */
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

#endif
