/* SPDX-License-Identifier: Apache-2.0
 * memory.c - how is allocated memory counted and capped in front of the host's allocator? */
#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>

static void *libc_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

oc_memory oc_memory_new(const oc_allocator *hook, size_t cap)
{
    oc_memory m = {.cap = cap ? cap : SIZE_MAX};
    m.hook = hook && hook->resize ? *hook : (oc_allocator){libc_resize, NULL};
    return m;
}

void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0)
        new_size = 1;
    if (block && old_size == 0)
        old_size = 1;
    m->capped = new_size > old_size && new_size - old_size > m->cap - m->live;
    if (m->capped)
        return NULL;
    void *p = m->hook.resize(m->hook.ctx, block, old_size, new_size);
    if (p) {
        m->live = m->live - old_size + new_size;
        if (m->live > m->peak)
            m->peak = m->live;
    }
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
    m->live -= size;
}

oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e)
{
    if (!m->capped)
        return oc_error_nomem(e, size);
    return oc_error_set(e, OC_LIMIT, "memory cap: %zu bytes wanted, %zu of %zu bytes are in use",
                        size, m->live, m->cap);
}
