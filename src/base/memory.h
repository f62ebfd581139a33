/* SPDX-License-Identifier: Apache-2.0
 * memory.h - the one door to the host's allocator, with a cap. */
#ifndef OC_BASE_MEMORY_H
#define OC_BASE_MEMORY_H

#include <ocellus.h>

/* Not shared between threads. live is what is allocated now; it never passes cap. */
typedef struct oc_memory {
    oc_allocator hook;
    size_t cap; /* bytes; SIZE_MAX: none */
    size_t live, peak;
    bool capped; /* the last failure was the cap's, not the allocator's */
} oc_memory;

/* hook may be NULL or all zero: the C library. cap 0: none. */
oc_memory oc_memory_new(const oc_allocator *hook, size_t cap);

/* Not cleared; NULL on failure. size 0 is treated as 1. */
void *oc_memory_alloc(oc_memory *m, size_t size);
/* As realloc; on failure NULL, and the block stays as it was. */
void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size);
void oc_memory_free(oc_memory *m, void *block, size_t size);

/* The error for a failed call above: OC_LIMIT when the cap refused, else OC_NOMEM. */
oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e);

#endif
