/* SPDX-License-Identifier: Apache-2.0
 * stream.c - reads all of a stream into memory. */
#include "loader/file_bytes.h"

#include "base/int.h"
#include "graph/build.h"

#include <errno.h>

typedef struct block {
    oc_memory *memory;
    char *bytes;
    size_t size, room, most;
} block;

static void free_block(void *ctx, OC_UNUSED size_t size)
{
    block *b = ctx;
    oc_memory_free(b->memory, b->bytes, b->room);
}

static oc_status make_room(block *b, size_t room, oc_error *e)
{
    char *p = oc_memory_resize(b->memory, b->bytes, b->room, room);
    if (!p)
        return oc_memory_error(b->memory, room, e);
    b->bytes = p;
    b->room = room;
    return OC_OK;
}

static oc_status read_all(const oc_reader *in, block *b, oc_error *e)
{
    enum { PIECE = 1 << 24 }; /* bytes between two looks at the limits */
    for (;;) {
        if (b->size > b->most)
            return oc_error_set(e, OC_LIMIT,
                                "it has more than %d GiB, the most that is read of a model that is "
                                "no regular file",
                                OC_MAX_STREAM_GIB);
        if (b->size == b->room) /* one byte more than allowed shows that the limit is exceeded */
            OC_TRY(make_room(b, b->room <= b->most / 2 ? b->room * 2 : b->most + 1, e));
        const size_t left = b->room - b->size, most = oc_min(left, PIECE);
        const size_t n = in->read(in->ctx, b->bytes + b->size, most);
        OC_TRY(oc_watch_check(b->memory->watch, e));
        if (n == (size_t)-1 || n > most)
            return oc_error_set(e, OC_IO, "the model cannot be read from its stream");
        if (n == 0)
            return OC_OK;
        b->size += n;
    }
}

oc_status oc_read_stream(oc_model *m, const oc_reader *in, size_t expected, const void **bytes,
                         size_t *size, oc_error *e)
{
    enum { FIRST_ROOM = 1 << 16 };
    const int64_t gib = INT64_C(1) << 30;
    block *b = oc_arena_alloc(&m->arena, sizeof *b);
    OC_TRY(oc_arena_check(&m->arena, e));
    b->memory = &m->memory;
    b->most = expected ? PTRDIFF_MAX - 1 : (size_t)oc_min(OC_MAX_STREAM_GIB * gib, PTRDIFF_MAX - 1);
    OC_TRY(oc_model_on_free(m, free_block, b, 0, e));
    /* There is room for one more byte than expected, because the read that finds the end needs
     * room too. */
    OC_TRY(make_room(b, expected && expected < PTRDIFF_MAX ? expected + 1 : FIRST_ROOM, e));
    OC_TRY(read_all(in, b, e));
    *bytes = b->bytes;
    *size = b->size;
    return OC_OK;
}

typedef struct open_file {
    oc_disk_file file;
    oc_watch *watch; /* asked when a signal ends the wait for bytes */
} open_file;

static size_t read_file(void *ctx, void *buffer, size_t size)
{
    const open_file *f = ctx;
    size_t n;
    do
        n = oc_disk_read(f->file, buffer, size);
    while (n == (size_t)-1 && errno == EINTR && oc_watch_ask(f->watch));
    return n;
}

oc_status oc_read_open_file(oc_model *m, oc_disk_file file, size_t expected, const void **bytes,
                            size_t *size, oc_error *e)
{
    open_file f = {file, m->memory.watch};
    return oc_read_stream(m, &(oc_reader){read_file, &f}, expected, bytes, size, e);
}
