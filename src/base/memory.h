/* SPDX-License-Identifier: Apache-2.0
 * memory.h - the only access to the host's allocator, with caps on allocated bytes. */
#ifndef OC_BASE_MEMORY_H
#define OC_BASE_MEMORY_H

#include "base/watch.h"

/* Bytes that a model, its plans and its sessions hold together, on any threads. */
typedef struct oc_budget {
    size_t cap; /* SIZE_MAX: none */
    atomic_size_t live;
} oc_budget;

/* Counts more bytes; false: there is no room for them. NULL has room for all. */
bool oc_budget_take(oc_budget *b, size_t more);
void oc_budget_give(oc_budget *b, size_t less);

/* Why the last call failed. */
typedef enum oc_refusal {
    OC_REFUSED_BY_HOST, /* by the allocator */
    OC_REFUSED_BY_CAP,
    OC_REFUSED_BY_BUDGET,
    OC_REFUSED_BY_WATCH
} oc_refusal;

/* An allocator that counts. It is not shared between threads. live is the number of bytes allocated
 * now and never exceeds cap; peak is the largest value that live had. */
typedef struct oc_memory {
    oc_allocator hook;
    size_t cap; /* bytes; SIZE_MAX: no cap */
    size_t live, peak;
    oc_budget *budget; /* counts these bytes too; NULL: none */
    oc_watch *watch;   /* asked before each allocation; NULL: none */
    oc_refusal refusal;
    size_t refused_at; /* live when the cap last refused */
} oc_memory;

/* hook NULL, or without a resize function: the C library's allocator. cap 0: no cap. Without a
 * budget and a watch. */
oc_memory oc_memory_new(const oc_allocator *hook, size_t cap);
/* A new memory with the hook and the budget of m. */
oc_memory oc_memory_beside(const oc_memory *m, size_t cap, oc_watch *watch);

/* An uninitialised block of size bytes (1 when size is 0); NULL on failure. */
void *oc_memory_alloc(oc_memory *m, size_t size);
/* As realloc, but old_size must be the size of the block. On failure it returns NULL, and the block
 * is unchanged. */
void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size);
void oc_memory_free(oc_memory *m, void *block, size_t size);

/* Sets and returns the error for a failed call above that asked for size bytes: OC_LIMIT when a cap
 * refused it, the watch's error when that has ended, else OC_NOMEM. */
oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e);

#endif
