/* SPDX-License-Identifier: Apache-2.0
 * value.c - reference-counted buffers, the pool that they come from, and the values that use
 * them. */
#include "tensor/value.h"

#include "base/fresh.h"
#include "base/int.h"

#include <assert.h>

enum {
    WASTE = 8, /* a value may get a buffer of at most this many times its size */
    /* least bytes of a buffer that is a part of a block; a smaller buffer has a block of its own */
    SPLIT = 1 << 16,
    /* distance from the header of such a part to its elements */
    HEAD = (sizeof(oc_buffer) + OC_ALIGN - 1) / OC_ALIGN * OC_ALIGN
};

/* Returns the size of the block that holds a buffer: the header, padding, then size bytes of
 * aligned elements. */
static size_t block_size(size_t size)
{
    return sizeof(oc_buffer) + OC_ALIGN + size;
}

oc_pool oc_pool_new(oc_memory *memory)
{
    return (oc_pool){.memory = memory};
}

/* Is the buffer its whole block of memory, not a part of it? */
static bool is_whole(const oc_buffer *b)
{
    return b->size < SPLIT || (!b->before && !b->behind);
}

static void destroy(oc_buffer *b)
{
    oc_memory_free(b->pool->memory, b, block_size(b->size));
}

/* Takes buffer b from the list of idle buffers of the size p->idle[at].size. */
static oc_buffer *take_listed(oc_pool *p, size_t at, oc_buffer *b)
{
    /* a small buffer is always the one that was released last */
    const bool large = b->size >= SPLIT;
    *(large && b->newer ? &b->newer->older : &p->idle[at].last) = b->older;
    if (large && b->older)
        b->older->newer = b->newer;
    b->listed = false;
    p->idle_bytes -= b->size;
    if (!p->idle[at].last) {
        p->n_idle--;
        memmove(p->idle + at, p->idle + at + 1, (p->n_idle - at) * sizeof *p->idle);
    }
    return b;
}

/* Frees the largest idle buffer that is a whole block. Returns false when there is none. */
static bool free_largest(oc_pool *p)
{
    for (size_t at = p->n_idle; at-- > 0;)
        for (oc_buffer *b = p->idle[at].last; b; b = b->older)
            if (is_whole(b)) {
                destroy(take_listed(p, at, b));
                return true;
            }
    return false;
}

/* Makes way for a new buffer of size bytes. Smaller idle buffers are freed, because the new one
 * can replace them in the next run, while all buffers together are more than a quarter above the
 * peak and above the bytes that had to be made again after such a buffer was freed. So runs that
 * are alike soon allocate nothing. Then the largest idle buffers are freed while all together
 * are more than twice the peak. */
static void make_way(oc_pool *p, size_t size)
{
    const uint64_t live = (uint64_t)p->live + size, peak = oc_max(p->peak, live);
    const uint64_t missed = (uint64_t)p->missed + (size <= p->replaced ? size : 0);
    p->missed = (size_t)oc_min(missed, oc_min(peak, SIZE_MAX));
    for (size_t at = p->n_idle; at-- > 0 && live + p->idle_bytes > peak / 4 * 5 + p->missed;) {
        oc_buffer *b = p->idle[at].last;
        if (b->size >= size || b->size <= size / WASTE || !is_whole(b))
            continue;
        p->replaced = oc_max(p->replaced, b->size);
        destroy(take_listed(p, at, b));
        at = oc_min(at + 1, p->n_idle);
    }
    while ((live + p->idle_bytes) / 2 > peak && free_largest(p))
        continue;
}

void oc_pool_trim(oc_pool *p)
{
    while (free_largest(p))
        continue;
    if (p->n_idle)
        return;
    oc_memory_free(p->memory, p->idle, p->room * sizeof *p->idle);
    p->idle = NULL;
    p->room = 0;
}

/* Returns how many of the idle sizes are less than size bytes. */
static size_t n_below(const oc_pool *p, size_t size)
{
    size_t first = 0, n = p->n_idle;
    while (n > 0) {
        const size_t half = n / 2;
        if (p->idle[first + half].size < size) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}

static bool has_room(oc_pool *p)
{
    if (p->n_idle < p->room)
        return true;
    const size_t room = p->room ? 2 * p->room : 16, item = sizeof *p->idle;
    oc_idle *larger = oc_memory_resize(p->memory, p->idle, p->room * item, room * item);
    if (!larger)
        return false;
    p->idle = larger;
    p->room = room;
    return true;
}

/* Puts an idle buffer into the pool's list. A part for which the list has no room stays unlisted
 * until it is joined with its neighbours. */
static void put_idle(oc_pool *p, oc_buffer *b)
{
    const size_t at = n_below(p, b->size);
    const bool known = at < p->n_idle && p->idle[at].size == b->size;
    if (!known && !has_room(p)) {
        if (is_whole(b))
            destroy(b);
        return;
    }
    if (!known) {
        memmove(p->idle + at + 1, p->idle + at, (p->n_idle - at) * sizeof *p->idle);
        p->idle[at] = (oc_idle){b->size, NULL};
        p->n_idle++;
    }
    b->older = p->idle[at].last;
    if (b->size >= SPLIT) {
        b->newer = NULL;
        if (b->older)
            b->older->newer = b;
    }
    p->idle[at].last = b;
    b->listed = true;
    p->idle_bytes += b->size;
}

/* ---- parts of a block */

/* Makes an idle buffer of the bytes behind the first `size` bytes of b, if they are enough for
 * one. */
static void split(oc_pool *p, oc_buffer *b, size_t size)
{
    if (size < SPLIT || b->size - size < SPLIT + HEAD)
        return;
    oc_buffer *rest = (void *)((char *)b->data + size);
    *rest = (oc_buffer){.pool = p,
                        .size = b->size - size - HEAD,
                        .data = (char *)rest + HEAD,
                        .before = b,
                        .behind = b->behind};
    if (b->behind)
        b->behind->before = rest;
    b->behind = rest;
    b->size = size;
    put_idle(p, rest);
}

/* Joins b with the idle buffer behind it. Neither is listed then. */
static void join(oc_pool *p, oc_buffer *b, oc_buffer *behind)
{
    oc_buffer *const both[] = {b, behind};
    for (int i = 0; i < 2; i++)
        if (both[i]->listed)
            take_listed(p, n_below(p, both[i]->size), both[i]);
    b->size += HEAD + behind->size;
    b->behind = behind->behind;
    if (b->behind)
        b->behind->before = b;
}

/* Makes b idle, joined with its neighbours if they are idle. */
static void release(oc_pool *p, oc_buffer *b)
{
    if (b->size >= SPLIT && b->behind && b->behind->refs == 0)
        join(p, b, b->behind);
    oc_buffer *before = b->size >= SPLIT ? b->before : NULL;
    if (before && before->refs == 0) {
        join(p, before, b);
        b = before;
    }
    put_idle(p, b);
}

/* Takes the smallest idle buffer of at least size bytes; of several of one size, the one that was
 * released last. Returns NULL when there is none or when it is more than WASTE times as large. */
static oc_buffer *take_idle(oc_pool *p, size_t size)
{
    const size_t at = n_below(p, size);
    if (at == p->n_idle || p->idle[at].size / WASTE > size)
        return NULL;
    oc_buffer *b = take_listed(p, at, p->idle[at].last);
    split(p, b, size);
    return b;
}

static oc_buffer *new_buffer(oc_pool *p, size_t size)
{
    void *block = oc_memory_alloc(p->memory, block_size(size));
    if (!block && p->n_idle) {
        oc_pool_trim(p);
        block = oc_memory_alloc(p->memory, block_size(size));
    }
    if (!block)
        return NULL;
    if (!oc_watch_touch(p->memory->watch, block, block_size(size))) {
        oc_memory_free(p->memory, block, block_size(size));
        p->memory->refusal = OC_REFUSED_BY_WATCH;
        return NULL;
    }
    oc_buffer *b = block;
    const uintptr_t after = (uintptr_t)(b + 1);
    *b = (oc_buffer){.pool = p, .size = size};
    b->data =
        (char *)block + (((after + OC_ALIGN - 1) & ~(uintptr_t)(OC_ALIGN - 1)) - (uintptr_t)block);
    return b;
}

static oc_status get_buffer(oc_pool *p, size_t size, oc_buffer **out, oc_error *e)
{
    size = size < OC_ALIGN ? OC_ALIGN : (size + OC_ALIGN - 1) & ~(size_t)(OC_ALIGN - 1);
    oc_buffer *b = take_idle(p, size);
    if (!b) {
        make_way(p, size);
        b = new_buffer(p, size);
    }
    if (!b)
        return oc_memory_error(p->memory, block_size(size), e);
    oc_fresh(b->data, b->size);
    b->refs = 1;
    b->of_values = false;
    b->count = 0;
    p->live += b->size;
    if (p->live > p->peak)
        p->peak = p->live;
    *out = b;
    return OC_OK;
}

oc_status oc_value_new_tensor(oc_pool *p, oc_type type, const oc_dims *dims, oc_value *v,
                              oc_error *e)
{
    int64_t count;
    size_t bytes;
    char text[OC_DIMS_TEXT];
    if (!oc_dims_bytes(dims, oc_type_size(type), &count, &bytes))
        return oc_error_set(e, OC_SHAPE, "shape %s of %s is negative or too large",
                            oc_dims_text(dims, text), oc_type_name(type));
    oc_buffer *b;
    OC_TRY(get_buffer(p, bytes, &b, e));
    if (dims != &v->dims)
        v->dims = *dims;
    v->kind = OC_TENSOR;
    v->type = type;
    v->key = OC_UNDEFINED;
    v->data = b->data;
    v->buffer = b;
    v->nchw16c = v->owned = v->bound = false;
    return OC_OK;
}

oc_dims oc_value_block_dims(const oc_dims *d)
{
    oc_dims m = *d;
    m.n[1] = oc_div_up(d->n[1], OC_VALUE_BLOCK);
    m.n[m.rank++] = OC_VALUE_BLOCK;
    return m;
}

oc_value oc_value_in_memory(const oc_value *v)
{
    return oc_value_borrow(v->type, oc_value_block_dims(&v->dims), v->data);
}

oc_status oc_value_new_nchw16c(oc_pool *p, oc_value *v, oc_error *e)
{
    const oc_dims in_memory = oc_value_block_dims(&v->dims), as_asked = v->dims;
    OC_TRY(oc_value_new_tensor(p, v->type, &in_memory, v, e));
    v->dims = as_asked;
    v->nchw16c = true;
    return OC_OK;
}

/* Returns the room in bytes for a list of the given size. There are few different rooms: a list
 * that a loop extends is a new value each time, and it can then reuse the buffer of an earlier
 * one. */
static size_t list_room(size_t bytes)
{
    size_t room = OC_ALIGN;
    while (room < bytes && room <= SIZE_MAX / 2)
        room += room / 2;
    return oc_max(room, bytes);
}

enum { LOOK = 1 << 14 }; /* items between two looks at the limits */

oc_status oc_value_new_list(oc_pool *p, oc_kind kind, oc_type type, int64_t n, oc_value *v,
                            oc_error *e)
{
    const oc_dims dims = oc_dims_1d(n);
    int64_t count;
    size_t bytes;
    if (!oc_dims_bytes(&dims, sizeof(oc_value), &count, &bytes))
        return oc_error_set(e, OC_SHAPE, "a sequence of %lld items is too large", (long long)n);
    oc_buffer *b;
    OC_TRY(get_buffer(p, list_room(bytes), &b, e));
    b->of_values = true;
    *v = (oc_value){.kind = kind, .type = type, .dims = dims, .data = b->data, .buffer = b};
    for (int64_t i = 0; i < n; i++) {
        if (i % LOOK == 0 && oc_watch_check(p->memory->watch, e) != OC_OK) {
            oc_value_unref(v);
            return e->code;
        }
        oc_value_items(v)[i] = (oc_value){.type = type, .dims = {1, {0}}};
        b->count = i + 1;
    }
    return OC_OK;
}

oc_status oc_value_new_map(oc_pool *p, oc_type key, oc_type type, oc_value *v, oc_error *e)
{
    OC_TRY(oc_value_new_list(p, OC_MAP, type, 2, v, e));
    v->key = key;
    oc_value_items(v)[0].type = key;
    return OC_OK;
}

oc_value oc_value_ref(const oc_value *v)
{
    if (v->buffer)
        v->buffer->refs++;
    return *v;
}

/* Clears *v. Its dims get rank 0, so their entries are not read. */
static void clear(oc_value *v)
{
    v->kind = OC_TENSOR;
    v->type = v->key = OC_UNDEFINED;
    v->dims.rank = 0;
    v->data = NULL;
    v->buffer = NULL;
    v->nchw16c = v->owned = v->bound = false;
}

void oc_value_unref(oc_value *v)
{
    oc_buffer *b = v->buffer;
    clear(v);
    if (!b || --b->refs > 0)
        return;
    if (b->of_values)
        for (int64_t i = 0; i < b->count; i++)
            oc_value_unref((oc_value *)b->data + i);
    b->pool->live -= b->size;
    if (b->pool->no_reuse)
        destroy(b);
    else
        release(b->pool, b);
}

bool oc_value_can_move(const oc_value *v)
{
    const oc_buffer *b = v->buffer;
    return b && b->refs == 1 && !b->of_values && is_whole(b) &&
           b->size - oc_value_bytes(v) <= b->size / 8;
}

bool oc_value_move(oc_value *v, oc_arena *a)
{
    oc_buffer *b = v->buffer;
    if (!oc_value_can_move(v))
        return false;
    _Static_assert(sizeof *b >= OC_ARENA_BLOCK, "a buffer begins with what becomes the arena's");
    assert(a->memory == b->pool->memory);
    b->pool->live -= b->size;
    v->buffer = NULL;
    oc_arena_take(a, b, block_size(b->size));
    return true;
}

static bool equal_strings(const oc_string *a, const oc_string *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (a[i].size != b[i].size || (a[i].size && memcmp(a[i].data, b[i].data, a[i].size) != 0))
            return false;
    return true;
}

bool oc_value_has_data(const oc_value *v)
{
    const int64_t n = v->dims.rank < 0 ? -1 : oc_value_n(v);
    if (n < 0 || (n > 0 && !v->data))
        return false;
    for (int64_t i = 0; v->kind != OC_TENSOR && i < n; i++)
        if (!oc_value_has_data(&oc_value_items(v)[i]))
            return false;
    return true;
}

bool oc_value_has_characters(const oc_value *v)
{
    const int64_t n = oc_value_n(v);
    for (int64_t i = 0; v->kind != OC_TENSOR && i < n; i++)
        if (!oc_value_has_characters(&oc_value_items(v)[i]))
            return false;
    const oc_string *s = v->kind == OC_TENSOR && v->type == OC_STRING ? v->data : NULL;
    for (int64_t i = 0; s && i < n; i++)
        if (!s[i].data && s[i].size)
            return false;
    return true;
}

bool oc_value_equal(const oc_value *a, const oc_value *b)
{
    if (a->kind != b->kind || a->type != b->type || a->key != b->key ||
        !oc_dims_equal(&a->dims, &b->dims))
        return false;
    const int64_t n = oc_value_n(a);
    if (n == 0)
        return true;
    if (a->kind == OC_TENSOR)
        return a->type == OC_STRING ? equal_strings(a->data, b->data, n)
                                    : memcmp(a->data, b->data, oc_value_bytes(a)) == 0;
    for (int64_t i = 0; i < n; i++)
        if (!oc_value_equal(&oc_value_items(a)[i], &oc_value_items(b)[i]))
            return false;
    return true;
}

const char *oc_value_text(const oc_value *v, char text[OC_VALUE_TEXT])
{
    char dims[OC_DIMS_TEXT];
    const char *name = oc_type_name(v->type);
    oc_dims_text(&v->dims, dims);
    const int64_t n = v->kind == OC_MAP && v->data ? oc_value_n(oc_value_items(v)) : 0;
    switch (v->kind) {
    case OC_MAP:
        snprintf(text, OC_VALUE_TEXT, "map(%s, %s)[%lld]", oc_type_name(v->key), name,
                 (long long)n);
        break;
    case OC_SEQUENCE:
        if (v->key)
            snprintf(text, OC_VALUE_TEXT, "seq(map(%s, %s))%s", oc_type_name(v->key), name, dims);
        else
            snprintf(text, OC_VALUE_TEXT, "seq(%s)%s", name, dims);
        break;
    case OC_OPTIONAL:
        snprintf(text, OC_VALUE_TEXT, "optional(%s)%s", name, dims);
        break;
    default:
        snprintf(text, OC_VALUE_TEXT, "%s%s", name, dims);
    }
    return text;
}
