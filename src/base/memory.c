/* SPDX-License-Identifier: Apache-2.0
 * memory.c - counts allocated memory and holds it below a cap, in front of the host's allocator. */
#define _DEFAULT_SOURCE /* declares madvise */

#include "base/memory.h"

#include "base/fresh.h"
#include "base/int.h"

#include <assert.h>
#include <stdlib.h>
#if !defined(_WIN32) && !defined(__wasi__)
#include <sys/mman.h>
#endif

/* Allocates memory that the system may give as pages of 2 MB. With pages of 4 KB, getting the
 * memory for a model of 100 MB would take longer than filling it. */
static void *alloc_large(size_t size)
{
    void *block = NULL;
#if defined(_WIN32) || defined(__wasi__)
    block = malloc(size); /* Windows gives large pages only to processes with a special privilege */
#else
    if (posix_memalign(&block, OC_LARGE_PAGE, size) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* the system may ignore this */
    (void)madvise(block, size / OC_LARGE_PAGE * OC_LARGE_PAGE, MADV_HUGEPAGE);
#endif
#endif
    return block;
}

static void *libc_resize(OC_UNUSED void *ctx, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    /* a block of large pages grows without a copy */
    if (new_size < OC_LARGE_PAGE || old_size >= OC_LARGE_PAGE)
        return realloc(block, new_size);
    void *large = alloc_large(new_size);
    if (large && block) {
        memcpy(large, block, oc_min(old_size, new_size));
        free(block);
    }
    return large;
}

oc_memory oc_memory_new(const oc_allocator *hook, size_t cap)
{
    oc_memory m = {.cap = cap ? cap : SIZE_MAX};
    m.hook = hook && hook->resize ? *hook : (oc_allocator){libc_resize, NULL};
    return m;
}

oc_memory oc_memory_beside(const oc_memory *m, size_t cap, oc_watch *watch)
{
    oc_memory beside = oc_memory_new(&m->hook, cap);
    beside.budget = m->budget;
    beside.watch = watch;
    return beside;
}

bool oc_budget_take(oc_budget *b, size_t more)
{
    if (!b)
        return true;
    size_t live = atomic_load(&b->live);
    do
        if (live > b->cap || more > b->cap - live)
            return false;
    while (!atomic_compare_exchange_weak(&b->live, &live, live + more));
    return true;
}

void oc_budget_give(oc_budget *b, size_t less)
{
    if (b)
        atomic_fetch_sub(&b->live, less);
}

/* Counts more bytes in m and its budget. Returns false when they may not be allocated;
 * m->refusal tells why. */
static bool take(oc_memory *m, size_t more)
{
    if (!oc_watch_ask(m->watch))
        m->refusal = OC_REFUSED_BY_WATCH;
    else if (m->live > m->cap || more > m->cap - m->live) {
        m->refusal = OC_REFUSED_BY_CAP;
        m->refused_at = m->live;
    } else if (!oc_budget_take(m->budget, more))
        m->refusal = OC_REFUSED_BY_BUDGET;
    else {
        m->live += more;
        return true;
    }
    return false;
}

static void give(oc_memory *m, size_t less)
{
    assert(less <= m->live);
    m->live -= less;
    oc_budget_give(m->budget, less);
}

void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0)
        new_size = 1;
    if (block && old_size == 0)
        old_size = 1;
    const size_t more = new_size > old_size ? new_size - old_size : 0;
    if (more && !take(m, more))
        return NULL;
    void *p =
        new_size <= PTRDIFF_MAX ? m->hook.resize(m->hook.ctx, block, old_size, new_size) : NULL;
    if (!p) {
        m->refusal = OC_REFUSED_BY_HOST;
        give(m, more);
        return NULL;
    }
    if (more)
        oc_fresh((char *)p + (block ? old_size : 0), block ? more : new_size);
    give(m, old_size > new_size ? old_size - new_size : 0);
    if (m->live > m->peak)
        m->peak = m->live;
    return p;
}

void *oc_memory_alloc(oc_memory *m, size_t size)
{
    return oc_memory_resize(m, NULL, 0, size);
}

void oc_memory_free(oc_memory *m, void *block, size_t size)
{
    if (!block)
        return;
    if (size == 0)
        size = 1;
    m->hook.resize(m->hook.ctx, block, size, 0);
    give(m, size);
}

oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e)
{
    switch (m->refusal) {
    case OC_REFUSED_BY_WATCH:
        return oc_watch_error(m->watch, e);
    case OC_REFUSED_BY_CAP:
        return oc_error_set(e, OC_LIMIT,
                            "memory cap: %zu bytes wanted, %zu of %zu bytes are in use", size,
                            m->refused_at, m->cap);
    case OC_REFUSED_BY_BUDGET:
        return oc_error_set(e, OC_LIMIT,
                            "memory cap: %zu bytes wanted, %zu of %zu bytes are in use by the "
                            "model and its sessions",
                            size, atomic_load(&m->budget->live), m->budget->cap);
    case OC_REFUSED_BY_HOST:
        break;
    }
    return oc_error_nomem(e, size);
}
