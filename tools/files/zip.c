/* SPDX-License-Identifier: Apache-2.0
 * zip.c - reads and writes zip archives. */
#include "files/zip.h"

#include "base/int.h"
#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"

#include <zlib.h>

enum {
    LOCAL_HEADER = 30,
    ENTRY = 46, /* bytes of a directory entry; the other sizes are in bytes too */
    END = 22,
    END64 = 56,
    LOCATOR64 = 20
};

static const uint32_t local_magic = 0x04034b50, entry_magic = 0x02014b50, end_magic = 0x06054b50;
static const uint32_t end64_magic = 0x06064b50, locator64_magic = 0x07064b50;

/* Deflate cannot compress more than 1032 to 1. */
static const size_t best_ratio = 1032;

static uint32_t le16(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t le32(const unsigned char *b)
{
    return le16(b) | le16(b + 2) << 16;
}

static uint64_t le64(const unsigned char *b)
{
    return le32(b) | (uint64_t)le32(b + 4) << 32;
}

/* ---- the directory ---- */

typedef struct directory {
    uint64_t n, offset, size;
} directory;

static bool malformed(const zip_archive *z, const char *what, oc_error *e)
{
    tool_fail(e, OC_FORMAT, "%s: malformed zip archive: %s", z->where, what);
    return false;
}

static bool has_locator64(const zip_archive *z, size_t end)
{
    return end >= LOCATOR64 && le32(z->data + end - LOCATOR64) == locator64_magic;
}

static bool find_directory64(const zip_archive *z, size_t end, directory *d, oc_error *e)
{
    const unsigned char *b = z->data;
    if (!has_locator64(z, end))
        return malformed(z, "no zip64 locator", e);
    const uint64_t at = le64(b + end - LOCATOR64 + 8);
    if (z->size < END64 || at > z->size - END64 || le32(b + at) != end64_magic)
        return malformed(z, "no zip64 directory end", e);
    *d = (directory){le64(b + at + 32), le64(b + at + 48), le64(b + at + 40)};
    return true;
}

static bool find_directory(const zip_archive *z, directory *d, oc_error *e)
{
    const unsigned char *b = z->data;
    const size_t longest_comment = 65535;
    for (size_t back = END; back <= z->size && back <= END + longest_comment; back++) {
        const size_t end = z->size - back;
        if (le32(b + end) != end_magic || le16(b + end + 20) != back - END)
            continue;
        *d = (directory){le16(b + end + 10), le32(b + end + 16), le32(b + end + 12)};
        /* 65535 may also be the true number of members. */
        const bool many = d->n == 0xffff && has_locator64(z, end);
        const bool is64 = many || d->offset == 0xffffffff || d->size == 0xffffffff;
        return !is64 || find_directory64(z, end, d, e);
    }
    return malformed(z, "no directory at its end: it is cut off, or no archive", e);
}

/* Replaces each field that is 0xffffffff by the 64-bit value in the entry's extra fields x.
 * Returns false when they are malformed. */
static bool read_extra64(const unsigned char *x, size_t size, uint64_t *field[3])
{
    for (size_t at = 0; at + 4 <= size;) {
        const size_t id = le16(x + at), n = le16(x + at + 2);
        if (n > size - at - 4)
            return false;
        const unsigned char *p = x + at + 4, *end = p + n;
        at += 4 + n;
        if (id != 1)
            continue;
        for (int i = 0; i < 3; i++) {
            if (*field[i] != 0xffffffff)
                continue;
            if (end - p < 8)
                return false;
            *field[i] = le64(p);
            p += 8;
        }
    }
    return true;
}

static bool check_member(const zip_archive *z, const zip_member *m, unsigned flags, oc_error *e)
{
    if (flags & 1 || (m->method != 0 && m->method != 8)) {
        tool_fail(e, OC_UNSUPPORTED, "%s: member '%s' is %s, expected stored or deflated", z->where,
                  m->name, flags & 1 ? "encrypted" : "packed by another method");
        return false;
    }
    if (m->offset > z->size || m->packed > z->size - m->offset)
        return malformed(z, "a member lies outside the file", e);
    if (m->method == 0 && m->packed != m->size)
        return malformed(z, "a stored member has two sizes", e);
    if (m->method == 8 && m->size / best_ratio > m->packed + 1) {
        tool_fail(e, OC_LIMIT, "%s: member '%s' claims to unpack %zu bytes to %zu", z->where,
                  m->name, m->packed, m->size);
        return false;
    }
    return true;
}

/* Appends the member of the directory entry at *at to z->member, which has room for it, and moves
 * *at to the next entry. */
static bool read_entry(zip_archive *z, size_t *at, size_t end, oc_error *e)
{
    const unsigned char *b = z->data + *at;
    if (end - *at < ENTRY || le32(b) != entry_magic)
        return malformed(z, "a directory entry is cut off", e);
    const size_t name = le16(b + 28), extra = le16(b + 30), comment = le16(b + 32);
    if (name + extra + comment > end - *at - ENTRY)
        return malformed(z, "a directory entry is cut off", e);
    uint64_t size = le32(b + 24), packed = le32(b + 20), offset = le32(b + 42);
    uint64_t *const field[3] = {&size, &packed, &offset};
    if (!read_extra64(b + ENTRY + name, extra, (uint64_t **)field))
        return malformed(z, "extra fields", e);
    if (memchr(b + ENTRY, 0, name))
        return malformed(z, "a name with a zero byte", e);
    zip_member *m = &z->member[z->n++];
    *m = (zip_member){.name = tool_format("%.*s", (int)name, (const char *)b + ENTRY),
                      .method = (int)le16(b + 10),
                      .crc = le32(b + 16),
                      .offset = (size_t)offset,
                      .packed = (size_t)packed,
                      .size = (size_t)size};
    *at += ENTRY + name + extra + comment;
    if (size > SIZE_MAX / 2 || packed > z->size || offset > z->size)
        return malformed(z, "a member lies outside the file", e);
    return check_member(z, m, le16(b + 8), e);
}

void zip_open(zip_archive *z, const void *bytes, size_t size, size_t cap, const char *where,
              oc_error *e)
{
    *z = (zip_archive){.data = bytes, .size = size, .where = where};
    directory d = {0};
    size_t total = 0;
    if (e->code != OC_OK || !find_directory(z, &d, e))
        return;
    if (d.offset > size || d.size > size - d.offset) {
        malformed(z, "the directory lies outside the file", e);
        return;
    }
    if (d.n > LIMIT_MEMBERS) {
        tool_fail(e, OC_LIMIT, "%s: more than %d members", where, LIMIT_MEMBERS);
        return;
    }
    if (d.n > d.size / ENTRY) {
        malformed(z, "a directory entry is cut off", e);
        return;
    }
    z->member = tool_alloc((size_t)d.n, sizeof *z->member);
    size_t at = (size_t)d.offset;
    for (uint64_t i = 0; i < d.n; i++) {
        if (!read_entry(z, &at, (size_t)(d.offset + d.size), e))
            return;
        const size_t more = z->member[z->n - 1].size;
        if (more > cap - total) {
            tool_fail(e, OC_LIMIT,
                      "%s: the archive unpacks to more than %zu bytes, the most that is read",
                      where, cap);
            return;
        }
        total += more;
    }
}

void zip_close(zip_archive *z)
{
    for (int i = 0; i < z->n; i++)
        free(z->member[i].name);
    free(z->member);
    *z = (zip_archive){0};
}

/* ---- members ---- */

/* Bytes that zlib reads or writes in one call, between two looks for SIGINT. */
static const size_t piece = 1 << 24;

/* Unpacks a deflated member, which must give exactly size bytes. */
static bool unpack(const unsigned char *src, size_t packed, unsigned char *dst, size_t size)
{
    z_stream s = {0};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
        return false;
    unsigned char spare; /* receives a byte beyond the declared size, if there is one */
    int status = Z_OK;
    s.next_in = (Bytef *)(uintptr_t)src;
    size_t in = packed, out = size;
    s.next_out = size ? dst : &spare;
    while (status == Z_OK && !signals_cancelled(NULL)) {
        if (s.avail_in == 0) {
            s.avail_in = (uInt)oc_min(in, piece);
            in -= s.avail_in;
        }
        if (s.avail_out == 0) {
            if (out == 0)
                s.next_out = &spare;
            s.avail_out = out == 0 ? 1 : (uInt)(out < piece ? out : piece);
            out -= out == 0 ? 0 : s.avail_out;
        }
        const uLong before_in = s.total_in, before_out = s.total_out;
        status = inflate(&s, Z_NO_FLUSH);
        if (s.total_out > size || (s.total_in == before_in && s.total_out == before_out))
            break;
    }
    const bool good = status == Z_STREAM_END && s.total_out == size;
    inflateEnd(&s);
    return good;
}

/* After SIGINT the result is meaningless. */
static uint32_t checksum(const unsigned char *b, size_t size)
{
    uLong crc = crc32(0, NULL, 0);
    for (size_t at = 0; at < size && !signals_cancelled(NULL);) {
        const size_t n = size - at < piece ? size - at : piece;
        crc = crc32(crc, b + at, (uInt)n);
        at += n;
    }
    return (uint32_t)crc;
}

void zip_read(const zip_archive *z, int i, io_bytes *out, oc_error *e)
{
    *out = (io_bytes){0};
    if (e->code != OC_OK)
        return;
    const zip_member *m = &z->member[i];
    const unsigned char *local = z->data + m->offset;
    if (z->size - m->offset < LOCAL_HEADER || le32(local) != local_magic) {
        malformed(z, "a member without a header", e);
        return;
    }
    const size_t skip = LOCAL_HEADER + le16(local + 26) + le16(local + 28);
    if (skip > z->size - m->offset || m->packed > z->size - m->offset - skip) {
        malformed(z, "a member is cut off", e);
        return;
    }
    out->data = data_alloc(m->size, z->where, e);
    if (!out->data)
        return;
    out->size = out->room = m->size;
    bool good = true;
    if (m->method == 8)
        good = unpack(local + skip, m->packed, out->data, m->size);
    else if (m->size)
        memcpy(out->data, local + skip, m->size);
    good = good && checksum(out->data, m->size) == m->crc;
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", z->where);
    else if (!good)
        tool_fail(e, OC_FORMAT, "%s: member '%s' is damaged", z->where, m->name);
    if (e->code != OC_OK)
        io_bytes_free(out);
}

/* ---- writing ---- */

static void put16(unsigned char *b, size_t n)
{
    b[0] = (unsigned char)n;
    b[1] = (unsigned char)(n >> 8);
}

static void put32(unsigned char *b, uint64_t n)
{
    put16(b, (size_t)(n & 0xffff));
    put16(b + 2, (size_t)(n >> 16 & 0xffff));
}

zip_writer zip_begin(io_file *file)
{
    return (zip_writer){.file = file};
}

static void put(zip_writer *z, const void *bytes, size_t size)
{
    io_put(z->file, bytes, size);
    z->at += size;
}

/* Writes the 26 bytes that local headers and directory entries share: version to extra size. */
static void put_common(unsigned char *b, const zip_member *m)
{
    put16(b, 20);       /* version of zip needed to read the member: 2.0 */
    put16(b + 8, 0x21); /* always 1 January 1980, so that equal results give equal files */
    put32(b + 10, m->crc);
    put32(b + 14, m->packed);
    put32(b + 18, m->size);
    put16(b + 22, strlen(m->name));
}

void zip_add(zip_writer *z, const char *name, const void *bytes, size_t size, oc_error *e)
{
    unsigned char header[LOCAL_HEADER] = {0};
    if (e->code != OC_OK)
        return;
    if (size > 0xfffffffe || z->at + size > 0xf0000000 || z->n == LIMIT_MEMBERS ||
        strlen(name) > 65535) {
        tool_fail(e, OC_LIMIT,
                  "member '%s': more than this archive can hold, which is 65535 "
                  "members and 3.75 GiB; a folder has no such limit",
                  name);
        return;
    }
    z->member = tool_push(z->member, (size_t)z->n, sizeof *z->member);
    zip_member *m = &z->member[z->n++];
    *m = (zip_member){.name = tool_format("%s", name),
                      .crc = checksum(bytes, size),
                      .offset = (size_t)z->at,
                      .packed = size,
                      .size = size};
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "member '%s': cancelled", name);
    put32(header, local_magic);
    put_common(header + 4, m);
    put(z, header, sizeof header);
    put(z, name, strlen(name));
    put(z, bytes, size);
}

void zip_end(zip_writer *z, oc_error *e)
{
    const uint64_t start = z->at;
    for (int i = 0; i < z->n; i++) {
        zip_member *m = &z->member[i];
        unsigned char entry[ENTRY] = {0};
        put32(entry, entry_magic);
        put16(entry + 4, 20);
        put_common(entry + 6, m);
        put32(entry + 42, m->offset);
        if (e->code == OC_OK) {
            put(z, entry, sizeof entry);
            put(z, m->name, strlen(m->name));
        }
        free(m->name);
    }
    free(z->member);
    unsigned char end[END] = {0};
    put32(end, end_magic);
    put16(end + 8, (size_t)z->n);
    put16(end + 10, (size_t)z->n);
    put32(end + 12, z->at - start);
    put32(end + 16, start);
    if (e->code == OC_OK)
        put(z, end, sizeof end);
}
