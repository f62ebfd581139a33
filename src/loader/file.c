/* SPDX-License-Identifier: Apache-2.0
 * file.c - gets a model's bytes from a mapped file, a stream or memory, and detects their
 * format. */
#include "base/utf8.h"
#include "loader/loader.h"
#include "loader/file_bytes.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

/* ---- what the bytes are ---- */

static bool is_gzip(const uint8_t *b, size_t size)
{
    return size >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

static bool has_byte_order_mark(const uint8_t *b, size_t size)
{
    return size >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf;
}

typedef enum form { BINARY, TEXT, GZIP } form;

/* Bytes that do not begin like a binary model are text if they look like text, else a damaged
 * binary model. */
static form form_of(const uint8_t *b, size_t size)
{
    if (is_gzip(b, size))
        return GZIP;
    if (oc_is_onnx(b, size))
        return BINARY;
    for (size_t i = 0; i < size && i < 16; i++)
        if (b[i] < ' ' && b[i] != '\n' && b[i] != '\r' && b[i] != '\t')
            return BINARY;
    return TEXT;
}

/* Do the bytes begin neither like a binary model, which may be cut off, nor like text? Then a
 * stream is refused early. */
static bool is_neither(const uint8_t *b, size_t size)
{
    /* IR_VERSION is the key of the field that most writers write first */
    enum { LOOK_AT = 64, IR_VERSION = 1 << 3 };
    if (b[0] == IR_VERSION || oc_is_onnx(b, size))
        return false;
    for (size_t i = 0, n; i < size && i < LOOK_AT; i += n) {
        n = isspace(b[i]) ? 1 : oc_utf8_shown(b + i, size - i);
        if (n == 0)
            return true;
    }
    return false;
}

static oc_status load_text(oc_model *m, const char *bytes, size_t size, oc_error *e)
{
    const size_t skip = has_byte_order_mark((const uint8_t *)bytes, size) ? 3 : 0;
    const oc_status status = oc_load_text(m, bytes + skip, size - skip, e);
    return status == OC_OK || m->path ? status : oc_error_in(e, "text");
}

static oc_status load_gzip(oc_model *m, const void *bytes, size_t size, oc_error *e)
{
    void *plain;
    size_t plain_size;
    OC_TRY(oc_gunzip(m, bytes, size, &plain, &plain_size, e));
    if (is_gzip(plain, plain_size))
        return oc_error_set(e, OC_FORMAT, "the model is compressed twice");
    return oc_load_bytes(m, plain, plain_size, e);
}

oc_status oc_bytes_fit(uint64_t size, oc_error *e)
{
    return size <= PTRDIFF_MAX
               ? OC_OK
               : oc_error_set(e, OC_LIMIT, "it has %" PRIu64 " bytes, this processor addresses %td",
                              size, (ptrdiff_t)PTRDIFF_MAX);
}

static oc_status load_as(oc_model *m, form f, const void *bytes, size_t size, oc_error *e)
{
    if (size == 0)
        return oc_error_set(e, OC_FORMAT, "the model is empty");
    OC_TRY(oc_bytes_fit(size, e));
    const oc_status status = f == GZIP   ? load_gzip(m, bytes, size, e)
                             : f == TEXT ? load_text(m, bytes, size, e)
                                         : oc_load_onnx(m, bytes, size, e);
    const char *other = status == OC_FORMAT ? oc_foreign_format(bytes, size) : NULL;
    if (!other)
        return status == OC_FORMAT && f != GZIP && is_neither(bytes, size)
                   ? oc_error_in(e, "neither an ONNX model nor ONNX text")
                   : status;
    *e = (oc_error){0};
    return oc_error_set(e, OC_FORMAT, "not an ONNX model (looks like %s)", other);
}

oc_status oc_load_bytes(oc_model *m, const void *bytes, size_t size, oc_error *e)
{
    return load_as(m, form_of(bytes, size), bytes, size, e);
}

oc_status oc_load_stream(oc_model *m, const oc_reader *in, oc_error *e)
{
    const void *bytes;
    size_t size;
    OC_TRY(oc_read_stream(m, in, 0, &bytes, &size, e));
    return oc_load_bytes(m, bytes, size, e);
}

/* ---- files ---- */

static oc_status read_open_file(oc_model *m, oc_disk_file file, size_t expected, oc_error *e)
{
    const void *bytes;
    size_t size;
    OC_TRY(oc_read_open_file(m, file, expected, &bytes, &size, e));
    return oc_load_bytes(m, bytes, size, e);
}

/* Maps a regular file. These are read instead: pipes and other files without a length, files
 * that cannot be mapped, and text, because its parser looks at bytes more than once and a mapped
 * file may change meanwhile. */
static oc_status load_open_file(oc_model *m, oc_disk_file file, oc_error *e)
{
    oc_disk_info info;
    if (!oc_disk_describe(file, &info))
        return oc_error_set(e, OC_IO, "%s", strerror(errno));
    if (info.is_folder)
        return oc_error_set(e, OC_IO, "it is a folder, expected a model file");
    OC_TRY(oc_bytes_fit(info.size, e));
    const size_t size = (size_t)info.size;
    const void *bytes = NULL;
    if (size && !m->options.no_map)
        OC_TRY(oc_map_file(m, file, size, &bytes, e));
    const form f = bytes ? form_of(bytes, size) : TEXT;
    return f == TEXT ? read_open_file(m, file, size, e) : load_as(m, f, bytes, size, e);
}

static oc_status set_path(oc_model *m, const char *path, oc_error *e)
{
    const size_t folder = oc_disk_folder_size(path);
    m->path = oc_arena_text(&m->arena, path, strlen(path));
    m->folder = folder ? oc_arena_text(&m->arena, path, folder) : oc_arena_text(&m->arena, "./", 2);
    return oc_arena_check(&m->arena, e);
}

/* Opens the file. For a pipe it waits for a writer, until a signal lets the watch end the wait. */
static oc_disk_file open_file(const oc_model *m, const char *path)
{
    oc_disk_file file;
    do
        file = oc_disk_open(path);
    while (file < 0 && errno == EINTR && oc_watch_ask(m->memory.watch));
    return file;
}

oc_status oc_load_file(oc_model *m, const char *path, oc_error *e)
{
    OC_TRY(set_path(m, path, e));
    const oc_disk_file file = open_file(m, path);
    const int reason = errno;
    if (file < 0) {
        OC_TRY(oc_watch_check(m->memory.watch, e));
        return oc_error_set(e, OC_IO, "it cannot be opened: %s", strerror(reason));
    }
    const oc_status status = load_open_file(m, file, e);
    oc_disk_close(file);
    return status;
}
