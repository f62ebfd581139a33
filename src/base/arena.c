/* SPDX-License-Identifier: Apache-2.0
 * arena.c - a bump allocator over a list of blocks.
 *
 * Bytes of a block that no allocation asked for are poisoned (poison.h). */
#include "base/arena.h"

#include "base/int.h"
#include "base/poison.h"
#include "base/size.h"

#include <limits.h>

enum {
    ALIGN = 16,
    FIRST_BLOCK = 4096,
    OWN_BLOCK = 1 << 20, /* an allocation of more bytes gets a block of its own, unless expected */
    LARGE_BLOCK = 1 << 24, /* most bytes of a block for allocations that are expected */
    APART = 128            /* bytes between two of them, for their alignment */
};

typedef struct oc_arena_block {
    struct oc_arena_block *older;
    size_t size; /* bytes of the whole block, this header included */
} oc_arena_block;

enum { HEADER = (sizeof(oc_arena_block) + ALIGN - 1) / ALIGN * ALIGN };

oc_arena oc_arena_new(oc_memory *memory)
{
    return (oc_arena){.memory = memory};
}

void oc_arena_free(oc_arena *a)
{
    for (oc_arena_block *b = a->blocks; b;) {
        oc_arena_block *older = b->older;
        OC_UNPOISON(b, b->size);
        oc_memory_free(a->memory, b, b->size);
        b = older;
    }
    *a = oc_arena_new(a->memory);
}

void oc_arena_expect(oc_arena *a, size_t size)
{
    if (size <= OC_LARGE_PAGE)
        a->expected += size + APART;
}

/* Does an allocation share its block with others? */
static bool is_shared(const oc_arena *a, size_t need)
{
    return need <= OWN_BLOCK || (need <= OC_LARGE_PAGE && need / 2 <= a->expected);
}

/* Records that an allocation of size bytes failed. Only the first failure is kept. */
static void note_failure(oc_arena *a, size_t size)
{
    if (!a->failed)
        a->refusal = a->memory->refusal;
    a->failed = a->failed ? a->failed : size;
}

/* Clears size bytes at p. Returns NULL when the watch ends it, as for an allocation that fails. */
static void *clear(oc_arena *a, void *p, size_t size)
{
    if (oc_watch_zero(a->memory->watch, p, size))
        return p;
    a->memory->refusal = OC_REFUSED_BY_WATCH;
    note_failure(a, size);
    return NULL;
}

/* Allocations continue in the newest block, so the block that is taken goes behind it. */
void oc_arena_take(oc_arena *a, void *block, size_t size)
{
    _Static_assert(sizeof(oc_arena_block) <= OC_ARENA_BLOCK, "a block's header");
    oc_arena_block *b = block, **place = a->next ? &a->blocks->older : &a->blocks;
    *b = (oc_arena_block){*place, size};
    *place = b;
}

/* Bytes of a block for what is expected: whole large pages, if little would be left over. */
static size_t expected_size(const oc_arena *a)
{
    const size_t room = oc_min(a->expected, LARGE_BLOCK);
    const size_t whole = oc_div_up(room, OC_LARGE_PAGE) * OC_LARGE_PAGE;
    return whole - room <= OC_LARGE_PAGE / 4 ? whole : room;
}

/* Bytes of a block for what is not expected. After a block of large pages it is a large page too,
 * since more is packed then than was expected. */
static size_t next_size(const oc_arena *a)
{
    const size_t last = a->next ? a->blocks->size : FIRST_BLOCK / 2;
    return oc_min(last * 2, last < OC_LARGE_PAGE ? OWN_BLOCK : OC_LARGE_PAGE);
}

/* Returns room for need bytes in a new block, which later allocations may share or which is theirs
 * alone. Returns NULL on failure. */
static char *add_block(oc_arena *a, size_t need, bool shared)
{
    size_t size = oc_max(next_size(a), expected_size(a));
    if (!shared || size < need + HEADER + ALIGN)
        size = need + HEADER + ALIGN;
    oc_arena_block *b = oc_memory_alloc(a->memory, size);
    if (!b)
        return NULL;
    /* A block is aligned for any scalar type, which is 8 bytes where addresses have 32 bits. */
    char *room = (char *)b + HEADER + (ALIGN - (uintptr_t)b % ALIGN) % ALIGN;
    /* a list that fills the block grows into these bytes */
    memset((char *)b + size - ALIGN, 0, ALIGN);
    OC_POISON(room, size - HEADER - ALIGN);
    if (!shared) {
        oc_arena_take(a, b, size);
        return room;
    }
    *b = (oc_arena_block){a->blocks, size};
    a->blocks = b;
    a->end = room + (size - HEADER - ALIGN);
    a->next = room + need;
    return room;
}

/* Enlarges a block that holds one allocation. Returns the allocation, which may have moved. */
static void *enlarge_block(oc_arena *a, char *allocation, size_t more)
{
    oc_arena_block **place = &a->blocks;
    while (allocation < (char *)*place || allocation >= (char *)*place + (*place)->size)
        place = &(*place)->older;
    const size_t old_size = (*place)->size, at = (size_t)(allocation - (char *)*place);
    OC_UNPOISON(*place, old_size);
    oc_arena_block *b = more > SIZE_MAX - old_size
                            ? NULL
                            : oc_memory_resize(a->memory, *place, old_size, old_size + more);
    if (!b) {
        note_failure(a, more);
        return NULL;
    }
    b->size += more;
    *place = b;
    return clear(a, (char *)b + old_size, more) ? (char *)b + at : NULL;
}

void *oc_arena_room(oc_arena *a, size_t size, size_t align)
{
    const size_t more = (align > ALIGN ? align : 0) + ALIGN - 1;
    const size_t need = size + more;
    if (need < size || need > SIZE_MAX - HEADER - ALIGN) {
        a->failed = a->failed ? a->failed : size;
        return NULL;
    }
    const size_t rounded = need / ALIGN * ALIGN;
    char *room = a->next;
    const bool shared = is_shared(a, rounded);
    if (a->next && shared && (size_t)(a->end - a->next) >= rounded)
        a->next += rounded;
    else
        room = add_block(a, rounded, shared);
    if (!room) {
        note_failure(a, rounded);
        return NULL;
    }
    if (shared)
        a->expected -= oc_min(a->expected, rounded);
    char *p = room + (align - (uintptr_t)room % align) % align;
    OC_UNPOISON(p, size);
    return p;
}

void *oc_arena_aligned(oc_arena *a, size_t size, size_t align)
{
    void *p = oc_arena_room(a, size, align);
    return p ? clear(a, p, size) : NULL;
}

void *oc_arena_alloc(oc_arena *a, size_t size)
{
    return oc_arena_aligned(a, size, ALIGN);
}

void *oc_arena_array(oc_arena *a, size_t n, size_t size)
{
    size_t bytes;
    if (!oc_size_mul(n, size, &bytes))
        bytes = SIZE_MAX;
    return oc_arena_alloc(a, bytes);
}

char *oc_arena_text(oc_arena *a, const char *bytes, size_t size)
{
    char *text = size < SIZE_MAX ? oc_arena_alloc(a, size + 1) : NULL;
    if (text && size)
        memcpy(text, bytes, size);
    return text;
}

char *oc_arena_printf(oc_arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : oc_arena_alloc(a, (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

/* The capacity in bytes of a growing text of n bytes: the smallest power of two that is at least 16
 * and greater than n. */
static size_t text_room(size_t n)
{
    size_t room = 16;
    while (room <= n)
        room *= 2;
    return room;
}

bool oc_arena_append(oc_arena *a, char **text, int *n, const char *bytes, size_t size)
{
    const size_t used = (size_t)*n;
    if (size > INT_MAX - used) {
        a->failed = a->failed ? a->failed : SIZE_MAX;
        return false;
    }
    if (!*text || used + size >= text_room(used)) {
        char *larger = oc_arena_alloc(a, text_room(used + size));
        if (!larger)
            return false;
        if (used)
            memcpy(larger, *text, used);
        *text = larger;
    }
    if (size)
        memcpy(*text + used, bytes, size);
    *n += (int)size;
    return true;
}

oc_status oc_arena_check(const oc_arena *a, oc_error *e)
{
    if (!a->failed)
        return OC_OK;
    a->memory->refusal = a->refusal; /* the error tells of the first failure, not of the last one */
    return oc_memory_error(a->memory, a->failed, e);
}

/* Whether an array of n items has a block of its own. */
static bool fills_block(int n, size_t size)
{
    return n >= 8 && (size_t)n > OWN_BLOCK / size;
}

/* Returns by how many items an array that is full at n items grows; 0 means that it has room for
 * one more. An array in a block of its own grows by a quarter of the power of two below n, every
 * other array doubles. */
static int growth(int n, size_t size)
{
    const bool own = fills_block(n, size);
    if ((n & (n - 1)) == 0)
        return own ? n / 4 : n;
    if (!own)
        return 0;
    int power = 8;
    while (power <= n / 2)
        power *= 2;
    return fills_block(power, size) && n % (power / 4) == 0 ? power / 4 : 0;
}

void *oc_arena_grow(oc_arena *a, void *items, int n, size_t size)
{
    if (n == 0)
        return oc_arena_alloc(a, size);
    const int more = growth(n, size);
    if (more == 0)
        return items;
    if (n > INT_MAX - more) {
        a->failed = a->failed ? a->failed : SIZE_MAX;
        return NULL;
    }
    if (fills_block(n, size))
        return enlarge_block(a, items, (size_t)more * size);
    const size_t expected = a->expected;
    a->expected = 0; /* a list that is large has a block of its own */
    void *larger = oc_arena_array(a, (size_t)n + (size_t)more, size);
    a->expected = expected;
    if (larger)
        memcpy(larger, items, (size_t)n * size);
    return larger;
}

void *oc_push_(oc_arena *a, void **items, int *n, size_t size)
{
    void *larger = oc_arena_grow(a, *items, *n, size);
    if (!larger)
        return NULL;
    *items = larger;
    return (char *)larger + (size_t)(*n)++ * size;
}
