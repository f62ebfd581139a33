/* SPDX-License-Identifier: Apache-2.0
 * memory.h - the only access to the host's allocator, with caps on allocated bytes. The C
 * library's functions that fill and copy memory come with it. */
#pragma once

#include "base/watch.h"

#include <string.h>

/* Bytes that a model, its plans and its sessions hold together. Any thread may count them. */
typedef struct oc_budget {
    size_t cap; /* SIZE_MAX: no cap */
    atomic_size_t live;
} oc_budget;

/* Counts more bytes; false when they would exceed the cap. A budget of NULL has no cap. */
bool oc_budget_take(oc_budget *b, size_t more);
void oc_budget_give(oc_budget *b, size_t less);

/* Why the last allocation failed. */
typedef enum oc_refusal {
    OC_REFUSED_BY_HOST, /* the host's allocator returned NULL */
    OC_REFUSED_BY_CAP,
    OC_REFUSED_BY_BUDGET,
    OC_REFUSED_BY_WATCH
} oc_refusal;

/* An allocator that counts its bytes; threads do not share it. live is the number of bytes
 * allocated now and never exceeds cap; peak is the largest value that live had. */
typedef struct oc_memory {
    oc_allocator hook;
    size_t cap; /* in bytes; SIZE_MAX: no cap */
    size_t live, peak;
    oc_budget *budget; /* counts the bytes of this memory too; NULL: no budget */
    oc_watch *watch;   /* asked before each allocation; NULL: nobody is asked */
    oc_refusal refusal;
    size_t refused_at; /* value of live when the cap last refused */
} oc_memory;

/* Returns a memory over the host's functions, or over the C library's allocator when hook is
 * NULL or has no resize function. cap 0 means no cap. It has neither a budget nor a watch. */
oc_memory oc_memory_new(const oc_allocator *hook, size_t cap);
/* Returns a new memory with the hook and the budget of m. */
oc_memory oc_memory_beside(const oc_memory *m, size_t cap, oc_watch *watch);

/* Bytes of a large page. The C library's blocks that have at least these bytes begin with one. */
enum { OC_LARGE_PAGE = 1 << 21 };

/* Returns an uninitialised block of size bytes (1 when size is 0); NULL on failure. A block of more
 * than PTRDIFF_MAX bytes always fails, since the distances within it could not be told. */
void *oc_memory_alloc(oc_memory *m, size_t size);
/* As realloc, but old_size must be the size of the block. On failure it returns NULL, and the block
 * is unchanged. */
void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size);
void oc_memory_free(oc_memory *m, void *block, size_t size);

/* Sets and returns the error of a failed oc_memory_alloc or oc_memory_resize that asked for size
 * bytes: OC_LIMIT when a cap refused it, the watch's error when the watch has ended, else
 * OC_NOMEM. */
oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e);
