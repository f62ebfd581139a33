/* SPDX-License-Identifier: Apache-2.0
 * file.c - where do a model's bytes come from (mapped file, stream, memory), and in which format
 * are they? */
#define _POSIX_C_SOURCE 200809L
#include "graph/build.h"
#include "loader/loader.h"
#include "loader/map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what the bytes are ---- */

static bool is_gzip(const uint8_t *b, size_t size)
{
    return size >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

static bool has_byte_order_mark(const uint8_t *b, size_t size)
{
    return size >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf;
}

/* Bytes that do not begin like a binary model are text if they look like text, and otherwise a
 * damaged binary model. */
static bool is_text(const uint8_t *b, size_t size)
{
    if (oc_is_onnx(b, size))
        return false;
    for (size_t i = 0; i < size && i < 16; i++)
        if (b[i] < ' ' && b[i] != '\n' && b[i] != '\r' && b[i] != '\t')
            return false;
    return true;
}

oc_status oc_load_bytes(oc_model *m, const void *bytes, size_t size, oc_error *e)
{
    if (size == 0)
        return oc_error_set(e, OC_FORMAT, "the model is empty");
    if (is_gzip(bytes, size)) {
        void *plain;
        size_t plain_size;
        OC_TRY(oc_gunzip(m, bytes, size, &plain, &plain_size, e));
        if (is_gzip(plain, plain_size))
            return oc_error_set(e, OC_FORMAT, "the model is compressed twice");
        return oc_load_bytes(m, plain, plain_size, e);
    }
    if (!is_text(bytes, size))
        return oc_load_onnx(m, bytes, size, e);
    const size_t skip = has_byte_order_mark(bytes, size) ? 3 : 0;
    const oc_status status = oc_load_text(m, (const char *)bytes + skip, size - skip, e);
    return status == OC_OK || m->path ? status : oc_error_in(e, "text");
}

/* ---- streams ---- */

typedef struct block {
    oc_memory *memory;
    char *bytes;
    size_t size, room;
} block;

static void free_block(void *ctx, size_t size)
{
    (void)size;
    block *b = ctx;
    oc_memory_free(b->memory, b->bytes, b->room);
}

static oc_status read_all(const oc_reader *in, block *b, oc_error *e)
{
    for (;;) {
        if (b->size == b->room) {
            const size_t larger = b->room ? b->room * 2 : 1 << 16;
            char *p = oc_memory_resize(b->memory, b->bytes, b->room, larger);
            if (!p)
                return oc_memory_error(b->memory, larger, e);
            b->bytes = p;
            b->room = larger;
        }
        const size_t n = in->read(in->ctx, b->bytes + b->size, b->room - b->size);
        if (n == (size_t)-1 || n > b->room - b->size)
            return oc_error_set(e, OC_IO, "the model cannot be read from its stream");
        if (n == 0)
            return OC_OK;
        b->size += n;
    }
}

oc_status oc_load_stream(oc_model *m, const oc_reader *in, oc_error *e)
{
    block *b = oc_arena_alloc(&m->arena, sizeof *b);
    OC_TRY(oc_arena_check(&m->arena, e));
    b->memory = &m->memory;
    OC_TRY(oc_model_on_free(m, free_block, b, 0, e));
    OC_TRY(read_all(in, b, e));
    return oc_load_bytes(m, b->bytes, b->size, e);
}

/* ---- files ---- */

static size_t read_file(void *ctx, void *buffer, size_t size)
{
    ssize_t n;
    do
        n = read(*(const int *)ctx, buffer, size);
    while (n < 0 && errno == EINTR);
    return n < 0 ? (size_t)-1 : (size_t)n;
}

/* Maps a regular file. Reads pipes and other files without a length as a stream. */
static oc_status load_open_file(oc_model *m, int file, oc_error *e)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return oc_error_set(e, OC_IO, "%s", strerror(errno));
    if (S_ISDIR(info.st_mode))
        return oc_error_set(e, OC_IO, "it is a folder, expected a model file");
    if (!S_ISREG(info.st_mode) || info.st_size == 0)
        return oc_load_stream(m, &(oc_reader){read_file, &file}, e);
    const size_t size = (size_t)info.st_size;
    const void *bytes;
    OC_TRY(oc_map_file(m, file, size, &bytes, e));
    if (!bytes) /* some file systems cannot map files */
        return oc_load_stream(m, &(oc_reader){read_file, &file}, e);
    return oc_load_bytes(m, bytes, size, e);
}

static oc_status set_path(oc_model *m, const char *path, oc_error *e)
{
    const char *slash = strrchr(path, '/');
    m->path = oc_arena_text(&m->arena, path, strlen(path));
    m->folder = slash ? oc_arena_text(&m->arena, path, (size_t)(slash - path) + 1)
                      : oc_arena_text(&m->arena, "./", 2);
    return oc_arena_check(&m->arena, e);
}

oc_status oc_load_file(oc_model *m, const char *path, oc_error *e)
{
    OC_TRY(set_path(m, path, e));
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return oc_error_set(e, OC_IO, "it cannot be opened: %s", strerror(errno));
    const oc_status status = load_open_file(m, file, e);
    close(file);
    return status;
}
