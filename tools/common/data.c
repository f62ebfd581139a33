/* SPDX-License-Identifier: Apache-2.0
 * data.c - memory for what files hold, counted in front of the C library's allocator. */
#include "common/data.h"

#include "base/memory.h"
#include "common/signals.h"

enum { PIECE = 1 << 24 }; /* bytes that are touched between two looks for SIGINT */

static oc_budget counter = {.cap = SIZE_MAX};

/* Why the last request of this thread failed. */
static _Thread_local struct {
    bool capped;    /* true: the cap refused it */
    bool cancelled; /* true: SIGINT came */
} refused;

/* Lies before each block of data_alloc, and keeps the block aligned. */
typedef union head {
    size_t size;
    max_align_t align;
} head;

void data_set_cap(size_t cap)
{
    counter.cap = cap ? cap : SIZE_MAX;
}

/* Counts a block of another size. Returns false when that would exceed the cap. */
static bool take(size_t old_size, size_t new_size)
{
    refused.capped = new_size > old_size && !oc_budget_take(&counter, new_size - old_size);
    if (new_size < old_size)
        oc_budget_give(&counter, old_size - new_size);
    return !refused.capped;
}

/* Makes the system give the pages of a block that will be written as a whole, which takes
 * seconds for gigabytes. Returns false when SIGINT came. */
static bool touch(char *block, size_t size)
{
    enum { PAGE = 1 << 12 };
    for (size_t at = 0; at < size; at += PAGE) {
        if (at % PIECE == 0 && signals_cancelled(NULL))
            return false;
        block[at] = 0;
    }
    return true;
}

static void *resize(OC_UNUSED void *ctx, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0) {
        free(block);
        oc_budget_give(&counter, old_size);
        return NULL;
    }
    if (!take(old_size, new_size))
        return NULL;
    void *moved = realloc(block, new_size);
    if (!moved)
        take(new_size, old_size);
    return moved;
}

void *data_resize(void *block, size_t size)
{
    head *old = block ? (head *)block - 1 : NULL;
    const size_t old_size = old ? old->size : 0;
    refused.capped = refused.cancelled = false;
    if (size > SIZE_MAX - sizeof *old)
        return NULL;
    head *h = resize(NULL, old, old_size, size + sizeof *old);
    if (!h)
        return NULL;
    h->size = size + sizeof *old;
    return h + 1;
}

void data_fail(size_t size, const char *where, oc_error *e)
{
    if (refused.cancelled)
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    else if (refused.capped)
        tool_fail(
            e, OC_LIMIT,
            "%s: %zu bytes more, with %zu in use for files and values, pass the memory cap of "
            "%zu",
            where, size, (size_t)counter.live, counter.cap);
    else
        tool_fail(e, OC_NOMEM, "%s: no memory for %zu bytes", where, size);
}

void *data_alloc(size_t size, const char *where, oc_error *e)
{
    if (e->code != OC_OK)
        return NULL;
    void *block = data_resize(NULL, size);
    if (!block)
        data_fail(size, where, e);
    return block;
}

void data_free(void *block)
{
    if (block)
        resize(NULL, (head *)block - 1, ((head *)block - 1)->size, 0);
}

size_t data_left(void)
{
    const size_t live = counter.live;
    return counter.cap == SIZE_MAX ? SIZE_MAX : live < counter.cap ? counter.cap - live : 0;
}

/* Resizes a block. A large new block is for the elements of a value, which are zeroed or copied
 * at once, so its pages are touched first. */
static void *resize_value(void *ctx, void *block, size_t old_size, size_t new_size)
{
    if (new_size)
        refused.cancelled = false;
    void *moved = resize(ctx, block, old_size, new_size);
    if (!moved || block || new_size < PIECE || touch(moved, new_size))
        return moved;
    refused.cancelled = true;
    return resize(ctx, moved, new_size, 0);
}

const oc_allocator *data_allocator(void)
{
    static const oc_allocator allocator = {resize_value, NULL};
    return &allocator;
}

oc_value *data_tensor(oc_type type, int rank, const int64_t *dim, const char *where, oc_error *e)
{
    if (e->code != OC_OK)
        return NULL;
    oc_value *v = oc_tensor_new(type, rank, dim, data_allocator(), e);
    if (!v && e->code == OC_NOMEM && refused.cancelled) {
        *e = (oc_error){0};
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    } else if (!v && e->code == OC_NOMEM && refused.capped) {
        double bytes = (double)oc_type_size(type);
        for (int i = 0; i < rank; i++)
            bytes *= (double)dim[i];
        *e = (oc_error){0};
        tool_fail(e, OC_LIMIT, "%s: a tensor of %.0f bytes passes the memory cap of %zu", where,
                  bytes, counter.cap);
    } else if (!v) {
        const oc_error given = *e;
        *e = (oc_error){0};
        tool_fail(e, given.code, "%s: %s", where, given.text);
    }
    return v;
}
