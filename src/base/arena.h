/* SPDX-License-Identifier: Apache-2.0
 * arena.h - memory that dies all at once.
 *
 * Models, sessions and parsers allocate from an arena and never free; the arena's owner frees it
 * whole. A failed allocation returns NULL and is remembered, so that a caller may make many and
 * ask oc_arena_check once, provided it writes through no NULL meanwhile. */
#ifndef OC_BASE_ARENA_H
#define OC_BASE_ARENA_H

#include "base/memory.h"
#include "base/status.h"

typedef struct oc_arena {
    oc_memory *memory;
    struct oc_arena_block *blocks; /* newest first */
    char *next, *end;
    size_t failed; /* size of the first allocation that failed; 0: none did */
} oc_arena;

oc_arena oc_arena_new(oc_memory *memory);
void oc_arena_free(oc_arena *a); /* leaves an empty arena that can be used again */

/* Zeroed, aligned to 16 bytes. NULL on failure. */
void *oc_arena_alloc(oc_arena *a, size_t size);
/* n items of size bytes each; NULL on overflow too. */
void *oc_arena_array(oc_arena *a, size_t n, size_t size);
/* A NUL-terminated copy of size bytes. */
char *oc_arena_text(oc_arena *a, const char *bytes, size_t size);
/* A NUL-terminated formatted text. */
char *oc_arena_printf(oc_arena *a, const char *format, ...) OC_PRINTF(2, 3);

/* Appends size bytes to a growing text of *n bytes (at first NULL and 0) that ends with a NUL.
 * False: out of memory, and nothing is appended. */
bool oc_arena_append(oc_arena *a, char **text, int *n, const char *bytes, size_t size);

/* OC_OK, or the error of the first failed allocation. */
oc_status oc_arena_check(const oc_arena *a, oc_error *e);

/* Appends room for one item to a growing array: returns the (possibly moved) array whose item n is
 * zeroed, or NULL. Capacity is the next power of two, so no third field is kept. */
void *oc_arena_grow(oc_arena *a, void *items, int n, size_t size);

/* OC_PUSH(arena, list->items, list->n) evaluates to a pointer to the new last item, or NULL. */
#define OC_PUSH(a, items, n) oc_push_((a), (void **)&(items), &(n), sizeof *(items))
void *oc_push_(oc_arena *a, void **items, int *n, size_t size);

#endif
