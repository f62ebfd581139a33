/* SPDX-License-Identifier: Apache-2.0
 * memory.h - the only access to the host's allocator, with a cap on allocated bytes. */
#ifndef OC_BASE_MEMORY_H
#define OC_BASE_MEMORY_H

#include <ocellus.h>

/* An allocator that counts. It is not shared between threads. live is the number of bytes allocated
 * now and never exceeds cap; peak is the largest value that live had. */
typedef struct oc_memory {
    oc_allocator hook;
    size_t cap; /* bytes; SIZE_MAX: no cap */
    size_t live, peak;
    bool capped; /* the last call failed because of the cap */
} oc_memory;

/* hook NULL, or without a resize function: the C library's allocator. cap 0: no cap. */
oc_memory oc_memory_new(const oc_allocator *hook, size_t cap);

/* An uninitialised block of size bytes (1 when size is 0); NULL on failure. */
void *oc_memory_alloc(oc_memory *m, size_t size);
/* As realloc, but old_size must be the size of the block. On failure it returns NULL, and the block
 * is unchanged. */
void *oc_memory_resize(oc_memory *m, void *block, size_t old_size, size_t new_size);
void oc_memory_free(oc_memory *m, void *block, size_t size);

/* Sets and returns the error for a failed call above that asked for size bytes: OC_LIMIT when the
 * cap refused it, else OC_NOMEM. */
oc_status oc_memory_error(const oc_memory *m, size_t size, oc_error *e);

#endif
