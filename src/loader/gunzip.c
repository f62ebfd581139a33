/* SPDX-License-Identifier: Apache-2.0
 * gunzip.c - decompresses models under the model's memory cap. */
#include "graph/build.h"
#include "loader/loader.h"

#include <zlib.h>

enum {
    FIRST_OUTPUT = 1 << 16,
    PIECE = 1 << 20 /* bytes read or written between two looks at the limits */
};

typedef struct output {
    oc_memory *memory;
    unsigned char *bytes;
    size_t size, room;
} output;

static void free_output(void *ctx, OC_UNUSED size_t size)
{
    output *o = ctx;
    oc_memory_free(o->memory, o->bytes, o->room);
}

/* zlib frees a block without telling its size, so a header before each block holds the size. */
enum { BLOCK_HEADER = 16 };

static voidpf take(voidpf memory, uInt n, uInt size)
{
    const size_t whole = (size_t)n * size + BLOCK_HEADER;
    char *block = oc_memory_alloc(memory, whole);
    if (!block)
        return NULL;
    memcpy(block, &whole, sizeof whole);
    return block + BLOCK_HEADER;
}

static void give_back(voidpf memory, voidpf p)
{
    size_t whole;
    char *block = (char *)p - BLOCK_HEADER;
    memcpy(&whole, block, sizeof whole);
    oc_memory_free(memory, block, whole);
}

static oc_status zlib_failed(const oc_memory *memory, oc_error *e)
{
    return oc_memory_error(memory, (size_t)1 << MAX_WBITS, e);
}

static oc_status make_room(output *o, oc_error *e)
{
    const size_t larger = o->room ? o->room * 2 : FIRST_OUTPUT;
    unsigned char *p = oc_memory_resize(o->memory, o->bytes, o->room, larger);
    if (!p) {
        oc_memory_error(o->memory, larger, e);
        return oc_error_in(e, "unpacking the compressed model");
    }
    o->bytes = p;
    o->room = larger;
    return OC_OK;
}

/* Decodes one gzip member that begins at z->next_in, and moves z->next_in behind it. */
static oc_status inflate_member(z_stream *z, const unsigned char *end, output *o, oc_error *e)
{
    for (int result = Z_OK; result != Z_STREAM_END;) {
        if (o->size == o->room)
            OC_TRY(make_room(o, e));
        const size_t in = (size_t)(end - z->next_in), out = o->room - o->size;
        OC_TRY(oc_watch_check(o->memory->watch, e));
        z->avail_in = in < PIECE ? (unsigned)in : PIECE;
        z->next_out = o->bytes + o->size;
        z->avail_out = out < PIECE ? (unsigned)out : PIECE;
        const unsigned room = z->avail_out;
        result = inflate(z, Z_NO_FLUSH);
        o->size += room - z->avail_out;
        if (result == Z_MEM_ERROR)
            return zlib_failed(o->memory, e);
        if (result != Z_OK && result != Z_STREAM_END)
            return oc_error_set(e, OC_FORMAT, "the compressed model is %s",
                                result == Z_BUF_ERROR ? "cut off" : "damaged");
    }
    return OC_OK;
}

static oc_status inflate_all(z_stream *z, const unsigned char *end, output *o, oc_error *e)
{
    while (z->next_in < end) {
        if (inflateReset(z) != Z_OK)
            return oc_error_set(e, OC_FORMAT, "the compressed model is damaged");
        OC_TRY(inflate_member(z, end, o, e));
    }
    return OC_OK;
}

oc_status oc_gunzip(oc_model *m, const void *bytes, size_t size, void **out, size_t *out_size,
                    oc_error *e)
{
    enum { GZIP_ONLY = 16 };
    output *o = oc_arena_alloc(&m->arena, sizeof *o);
    OC_TRY(oc_arena_check(&m->arena, e));
    o->memory = &m->memory;
    OC_TRY(oc_model_on_free(m, free_output, o, 0, e));
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes,
                  .zalloc = take,
                  .zfree = give_back,
                  .opaque = &m->memory};
    if (inflateInit2(&z, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return zlib_failed(&m->memory, e);
    const oc_status status = inflate_all(&z, (const unsigned char *)bytes + size, o, e);
    inflateEnd(&z);
    OC_TRY(status);
    *out = o->bytes;
    *out_size = o->size;
    return OC_OK;
}
