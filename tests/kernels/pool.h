/* SPDX-License-Identifier: Apache-2.0
 * pool.h - threads for a check of a kernel. */
#pragma once

#include "base/threads.h"
#include "suite.h"

/* Stays where it is from pool_open to pool_close. */
typedef struct pool {
    oc_memory memory;
    oc_threads *threads;
    oc_parallel parallel;
} pool;

static inline void pool_open(pool *p, int threads)
{
    oc_error e = {0};
    p->memory = oc_memory_new(NULL, 0);
    ck_assert_int_eq(oc_threads_new(&p->memory, threads, &p->threads, &e), OC_OK);
    p->parallel = oc_threads_parallel(p->threads);
}

static inline void pool_close(pool *p)
{
    oc_threads_free(p->threads);
}
