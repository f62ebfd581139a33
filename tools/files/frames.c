/* SPDX-License-Identifier: Apache-2.0
 * frames.c - finds where each picture of a stream ends. */
#include "files/frames.h"

#include "base/int.h"
#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <errno.h>

enum { STEP = 1 << 16 };

/* ---- where a picture ends ---- */

/* What is known of the picture that bytes begin with. */
typedef enum extent {
    EXTENT_WHOLE,  /* it ends at *at */
    EXTENT_MORE,   /* it has at least *at bytes, more than there are */
    EXTENT_STREAM, /* it has all bytes of the stream */
    EXTENT_NONE    /* there is none, and *e says why */
} extent;

static uint32_t big(const unsigned char *at, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

static uint32_t little(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static extent ends_at(uint64_t size, size_t n, size_t *at)
{
    *at = size < SIZE_MAX ? (size_t)size : SIZE_MAX;
    return *at <= n ? EXTENT_WHOLE : EXTENT_MORE;
}

/* Goes to the next mark, 0xff and another byte. Returns that byte; -1 when there are too few. */
static int find_mark(frames *f, const unsigned char *b, size_t n)
{
    while (f->seen + 1 < n) {
        const unsigned char *found = memchr(b + f->seen, 0xff, n - 1 - f->seen);
        f->seen = found ? (size_t)(found - b) : n - 1;
        if (found && found[1] != 0xff)
            return found[1];
        f->seen += found != NULL;
    }
    return -1;
}

/* Most marks begin a segment, which has a size. Between segments are the coded pixels, in which
 * 0xff 0 stands for 0xff, and marks where a decoder may begin anew. A picture without an end ends
 * where the next one begins. */
static extent find_jpeg_end(frames *f, const unsigned char *b, size_t n, size_t *at,
                            const char *where, oc_error *e)
{
    enum { START = 0xd8, END = 0xd9, TEM = 1 };
    for (f->seen = oc_max(f->seen, 2);;) {
        const int mark = find_mark(f, b, n);
        if (mark == START || mark == END)
            return ends_at(f->seen + (mark == END ? 2 : 0), n, at);
        const bool bare = mark >= 0 && (mark <= TEM || (mark & 0xf8) == 0xd0);
        *at = mark < 0 ? n + 1 : f->seen + (bare ? 2 : 4);
        if (*at > n)
            return EXTENT_MORE;
        const uint32_t size = bare ? 0 : big(b + f->seen + 2, 2);
        if (!bare && size < 2) {
            tool_fail(e, OC_FORMAT, "%s: damaged JPEG: a segment has a size of %u", where, size);
            return EXTENT_NONE;
        }
        *at = f->seen + 2 + size;
        if (*at > n)
            return EXTENT_MORE;
        f->seen = *at;
    }
}

/* Chunks have a size, a name, bytes, and a checksum. */
static extent find_png_end(frames *f, const unsigned char *b, size_t n, size_t *at)
{
    enum { MARK = 8, AROUND = 12 };
    for (f->seen = oc_max(f->seen, MARK);; f->seen = *at) {
        if (ends_at(f->seen + AROUND, n, at) == EXTENT_MORE ||
            ends_at(*at + (uint64_t)big(b + f->seen, 4), n, at) == EXTENT_MORE)
            return EXTENT_MORE;
        if (memcmp(b + f->seen + 4, "IEND", 4) == 0)
            return EXTENT_WHOLE;
    }
}

static extent find_pnm_end(const unsigned char *b, size_t n, size_t *at, const char *where,
                           oc_error *e)
{
    enum { LONGEST = 1 << 14 };
    if (b[1] < '4')
        return EXTENT_STREAM;
    const uint64_t size = image_pnm_size(b, n, where, e);
    if (size == 0 && n > LONGEST)
        tool_fail(e, OC_FORMAT, "%s: damaged PNM: a header of more than %d bytes", where, LONGEST);
    return e->code != OC_OK ? EXTENT_NONE : ends_at(size ? size : n + 1, n, at);
}

static extent find_end(frames *f, const unsigned char *b, size_t n, size_t *at, const char *where,
                       oc_error *e)
{
    enum { TOLD = 18 }; /* with fewer bytes the kind may not be known */
    f->kind = kind_of(b, n);
    switch (f->kind) {
    case KIND_JPEG:
        return find_jpeg_end(f, b, n, at, where, e);
    case KIND_PNG:
        return find_png_end(f, b, n, at);
    case KIND_PNM:
        return find_pnm_end(b, n, at, where, e);
    case KIND_WEBP: /* its size is that of what follows the size, and of a byte if that is odd */
        return ends_at(8 + ((uint64_t)little(b + 4) + 1) / 2 * 2, n, at);
    case KIND_BMP: /* some writers leave its size out */
        return little(b + 2) < TOLD ? EXTENT_STREAM : ends_at(little(b + 2), n, at);
    case KIND_GIF:
        return EXTENT_STREAM;
    default:
        if (n < TOLD && !f->ended)
            return ends_at(n + 1, n, at);
        tool_fail(e, OC_FORMAT,
                  "%s: it is %s, expected a picture: PNG, JPEG, WebP, GIF, BMP or PNM", where,
                  kind_told(b, n));
        return EXTENT_NONE;
    }
}

/* ---- the stream ---- */

void frames_begin(frames *f, const oc_reader *in, const char *name, size_t cap)
{
    *f = (frames){.name = name, .in = *in, .file = -1, .cap = oc_min(cap, LIMIT_STREAM)};
}

void frames_open(frames *f, const char *path, size_t cap, oc_error *e)
{
    const int file = io_open(path, e);
    const oc_reader in = io_reader(&f->file);
    frames_begin(f, &in, io_shown(path), cap);
    f->file = file;
    f->ended = file < 0;
}

void frames_close(frames *f)
{
    io_close(f->file);
    io_bytes_free(&f->bytes);
    *f = (frames){.file = -1, .ended = true};
}

/* Reads some of the bytes that are missing up to `wanted`, at least one, and waits for no other. */
static void read_more(frames *f, size_t wanted, const char *where, oc_error *e)
{
    enum { MOST = 1 << 20 };
    io_bytes *b = &f->bytes;
    if (f->at) {
        memmove(b->data, b->data + f->at, b->size - f->at);
        b->size -= f->at;
        f->at = 0;
    }
    const size_t missing = wanted - b->size;
    const size_t step = missing < STEP ? STEP : oc_min(missing, MOST);
    if (!io_bytes_grow(b, step)) {
        data_fail(step, where, e);
        return;
    }
    errno = 0;
    const size_t n = f->in.read(f->in.ctx, b->data + b->size, step);
    if (n == (size_t)-1 && signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    else if (n == (size_t)-1)
        tool_fail(e, OC_IO, "%s: %s", where, strerror(errno));
    else if (n == 0)
        f->ended = true;
    else
        b->size += n;
}

/* Goes to the first byte of the next picture. Returns false at the end of the stream. */
static bool begin_picture(frames *f, const char *where, oc_error *e)
{
    f->seen = 0;
    while (e->code == OC_OK) {
        const io_bytes *b = &f->bytes;
        while (f->n && f->at < b->size && memchr("\0 \t\n\v\f\r", b->data[f->at], 7))
            f->at++;
        if (f->at < b->size || f->ended)
            return f->at < b->size;
        read_more(f, 1, where, e);
    }
    return false;
}

/* Reads until the picture is whole. Returns its size. */
static size_t read_picture(frames *f, const char *where, oc_error *e)
{
    while (e->code == OC_OK) {
        const size_t n = f->bytes.size - f->at;
        size_t size = n;
        const extent found = find_end(f, f->bytes.data + f->at, n, &size, where, e);
        if (found == EXTENT_STREAM)
            size = n + !f->ended;
        if (found == EXTENT_NONE)
            return 0;
        if (size > f->cap)
            tool_fail(e, OC_LIMIT, "%s: more than %zu bytes, the most that is read", where, f->cap);
        else if (size <= n)
            return size;
        else if (f->ended)
            tool_fail(e, OC_FORMAT, "%s: it is cut off", where);
        else
            read_more(f, size, where, e);
    }
    return 0;
}

bool frames_next(frames *f, io_bytes *out, oc_error *e)
{
    if (e->code != OC_OK)
        return false;
    char *where = tool_format("%s: picture %" PRId64, f->name, f->n + 1);
    const bool begun = begin_picture(f, where, e);
    const size_t size = begun ? read_picture(f, where, e) : 0;
    out->size = 0;
    if (size && !io_bytes_grow(out, size)) {
        data_fail(size, where, e);
    } else if (size) {
        memcpy(out->data, f->bytes.data + f->at, size);
        out->size = size;
    }
    f->at += size;
    f->n += begun;
    if (e->code != OC_OK) { /* nothing is read behind an error */
        f->ended = true;
        f->at = f->bytes.size;
    }
    free(where);
    return begun && e->code == OC_OK;
}

/* ---- writing ---- */

void frames_write(const image *m, file_kind kind, io_file *out, oc_error *e)
{
    if (kind == KIND_JPEG)
        image_write_jpeg(m, IMAGE_QUALITY, out, e);
    else if (kind == KIND_PNG)
        image_write_png(m, out, e);
    else
        image_write_pnm(m, out, e);
    io_flush(out);
}
