/* SPDX-License-Identifier: Apache-2.0
 * gunzip.c - compressed models, decoded under the model's memory cap. */
#include "graph/build.h"
#include "loader/loader.h"

#include <limits.h>
#include <zlib.h>

enum { FIRST_OUTPUT = 1 << 16 };

typedef struct output {
    oc_memory *memory;
    unsigned char *bytes;
    size_t size, room;
} output;

static void free_output(void *ctx, size_t size)
{
    (void)size;
    output *o = ctx;
    oc_memory_free(o->memory, o->bytes, o->room);
}

static oc_status make_room(output *o, oc_error *e)
{
    const size_t larger = o->room ? o->room * 2 : FIRST_OUTPUT;
    unsigned char *p = oc_memory_resize(o->memory, o->bytes, o->room, larger);
    if (!p)
        return oc_memory_error(o->memory, larger, e);
    o->bytes = p;
    o->room = larger;
    return OC_OK;
}

/* One gzip member; z->next_in moves to what follows it. */
static oc_status inflate_member(z_stream *z, const unsigned char *end, output *o, oc_error *e)
{
    for (int result = Z_OK; result != Z_STREAM_END;) {
        if (o->size == o->room)
            OC_TRY(make_room(o, e));
        const size_t in = (size_t)(end - z->next_in), out = o->room - o->size;
        z->avail_in = in < UINT_MAX ? (unsigned)in : UINT_MAX;
        z->next_out = o->bytes + o->size;
        z->avail_out = out < UINT_MAX ? (unsigned)out : UINT_MAX;
        const unsigned room = z->avail_out;
        result = inflate(z, Z_NO_FLUSH);
        o->size += room - z->avail_out;
        if (result == Z_MEM_ERROR)
            return oc_error_set(e, OC_NOMEM, "out of memory while decompressing the model");
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
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes};
    if (inflateInit2(&z, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return oc_error_nomem(e, sizeof z);
    const oc_status status = inflate_all(&z, (const unsigned char *)bytes + size, o, e);
    inflateEnd(&z);
    OC_TRY(status);
    *out = o->bytes;
    *out_size = o->size;
    return OC_OK;
}
