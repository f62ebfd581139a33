/* SPDX-License-Identifier: Apache-2.0
 * threads.h - parallel loops: the host's, or a small pool of our own. */
#ifndef OC_BASE_THREADS_H
#define OC_BASE_THREADS_H

#include "base/memory.h"
#include "base/status.h"

/* A pool of n - 1 waiting threads; the caller is the n-th. n 0: one per processor. */
typedef struct oc_threads oc_threads;

oc_status oc_threads_new(oc_memory *memory, int n, oc_threads **pool, oc_error *e);
void oc_threads_free(oc_threads *pool); /* NULL is allowed */
int oc_threads_count(const oc_threads *pool);
/* The pool behind the public hook: run's ctx is the pool. */
oc_parallel oc_threads_parallel(oc_threads *pool);

/* Runs task(arg, 0 .. n-1) and returns when all are done; in order on this thread when p is NULL or
 * empty, or n is 1. */
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
