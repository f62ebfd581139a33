/* SPDX-License-Identifier: Apache-2.0
 * arena.h - memory that is freed all at once.
 *
 * Models, sessions and parsers allocate from an arena and never free single allocations; the owner
 * of the arena frees all of them with oc_arena_free. A failed allocation returns NULL, and the
 * arena records it. A caller may therefore make many allocations and call oc_arena_check once, if
 * it does not write through a NULL before. */
#pragma once

#include "base/memory.h"

typedef struct oc_arena {
    oc_memory *memory;
    struct oc_arena_block *blocks; /* newest first */
    char *next, *end;   /* the unused part of the newest shared block; NULL when there is none */
    size_t expected;    /* bytes that oc_arena_expect has told of and that are still to come */
    size_t failed;      /* size of the first allocation that failed; 0: none did */
    oc_refusal refusal; /* why that allocation failed */
} oc_arena;

oc_arena oc_arena_new(oc_memory *memory);
void oc_arena_free(oc_arena *a); /* leaves an empty arena that can be used again */

/* Says that an allocation of about `size` bytes will follow. Allocations that are expected share
 * blocks that have room for all of them, and thereby large pages. */
void oc_arena_expect(oc_arena *a, size_t size);

/* Returns size zeroed bytes, aligned to 16; NULL on failure. size 0 gives an address that is not
 * NULL. */
void *oc_arena_alloc(oc_arena *a, size_t size);
/* Returns a zeroed array of n items of size bytes each; NULL on failure, also when n * size
 * overflows. */
void *oc_arena_array(oc_arena *a, size_t n, size_t size);
/* Like oc_arena_alloc, but aligned to align bytes, a power of two. */
void *oc_arena_aligned(oc_arena *a, size_t size, size_t align);
/* As oc_arena_aligned, but the bytes are not cleared. */
void *oc_arena_room(oc_arena *a, size_t size, size_t align);
/* Makes the arena the owner of a block of size bytes from its memory. The first OC_ARENA_BLOCK
 * bytes are overwritten, the others stay as they are. */
enum { OC_ARENA_BLOCK = 16 };
void oc_arena_take(oc_arena *a, void *block, size_t size);
/* Returns a NUL-terminated copy of size bytes; NULL on failure. */
char *oc_arena_text(oc_arena *a, const char *bytes, size_t size);
/* Returns the formatted text, NUL-terminated; NULL on failure. */
char *oc_arena_printf(oc_arena *a, const char *format, ...) OC_PRINTF(2, 3);

/* Appends size bytes to the growing text *text of *n bytes and adds size to *n; the text ends with
 * a NUL, and *text may move. The caller starts with *text = NULL and *n = 0. Returns false when
 * memory runs out; then the text is unchanged. */
bool oc_arena_append(oc_arena *a, char **text, int *n, const char *bytes, size_t size);

/* Returns OC_OK, or the error of the first failed allocation. */
oc_status oc_arena_check(const oc_arena *a, oc_error *e);

/* Makes room for one more item in an array of n items, which starts as NULL with n = 0. Returns the
 * array, which may have moved (then the old one is gone) and whose item n is zeroed, or NULL on
 * failure. The capacity follows from n and size, so it is not stored: a power of two, and in arrays
 * above a megabyte at most a quarter more than n. */
void *oc_arena_grow(oc_arena *a, void *items, int n, size_t size);

/* OC_PUSH(arena, list->items, list->n) appends a zeroed item and evaluates to a pointer to it, or
 * to NULL on failure. */
#define OC_PUSH(a, items, n) oc_push_((a), (void **)&(items), &(n), sizeof *(items))
void *oc_push_(oc_arena *a, void **items, int *n, size_t size);
