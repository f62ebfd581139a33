/* SPDX-License-Identifier: Apache-2.0
 * io.c - reads whole files into memory, and writes files that are complete or not there. */
#define _POSIX_C_SOURCE 200809L
#include "files/io.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

static bool grow(io_bytes *b, size_t size)
{
    if (size > SIZE_MAX - b->size)
        return false;
    const size_t need = b->size + size;
    if (need <= b->room)
        return true;
    const size_t twice = b->room > SIZE_MAX / 2 ? SIZE_MAX : 2 * b->room;
    const size_t room = twice > need ? twice : need;
    unsigned char *data = realloc(b->data, room ? room : 1);
    if (!data)
        return false;
    b->data = data;
    b->room = room;
    return true;
}

/* Returns false, with *e untouched, when there is no more memory; sets *e for every other error. */
static bool read_stream(FILE *in, const char *name, size_t cap, io_bytes *out, oc_error *e)
{
    size_t chunk = 1 << 16;
    for (;;) {
        if (!grow(out, chunk))
            return false;
        const size_t n = fread(out->data + out->size, 1, chunk, in);
        out->size += n;
        if (out->size > cap) {
            tool_fail(e, OC_LIMIT, "%s: more than %zu bytes, the most that is read", name, cap);
            return true;
        }
        if (n < chunk)
            break;
        chunk = out->size > 1 << 16 ? out->size : chunk;
    }
    if (ferror(in))
        tool_fail(e, OC_IO, "%s: %s", name, strerror(errno));
    return true;
}

void io_read(const char *path, size_t cap, io_bytes *out, oc_error *e)
{
    *out = (io_bytes){0};
    if (e->code != OC_OK)
        return;
    const bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *in = standard ? stdin : fopen(path, "rb");
    if (!in) {
        tool_fail(e, OC_IO, "%s: %s", name, strerror(errno));
        return;
    }
    if (!read_stream(in, name, cap, out, e))
        tool_fail(e, OC_NOMEM, "%s: no memory after %zu bytes", name, out->size);
    if (!standard)
        fclose(in);
    if (e->code != OC_OK)
        io_bytes_free(out);
}

void io_bytes_free(io_bytes *b)
{
    free(b->data);
    *b = (io_bytes){0};
}

static bool append(void *ctx, const void *bytes, size_t size)
{
    io_bytes *b = ctx;
    if (!grow(b, size))
        return false;
    if (size)
        memcpy(b->data + b->size, bytes, size);
    b->size += size;
    return true;
}

oc_writer io_bytes_writer(io_bytes *b)
{
    return (oc_writer){append, b};
}

/* ---- writing ---- */

/* Opens a new file in the folder of path and returns its descriptor; -1 on failure. */
static int open_temp(const char *path, char **temp)
{
    for (int i = 0; i < 100; i++) {
        *temp = tool_format("%s.%ld.%d.part", path, (long)getpid(), i);
        const int fd = open(*temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
        free(*temp);
        *temp = NULL;
    }
    return -1;
}

void io_create(io_file *f, const char *path, oc_error *e)
{
    *f = (io_file){0};
    if (e->code != OC_OK)
        return;
    f->path = tool_format("%s", path);
    if (strcmp(path, "-") == 0) {
        f->stream = stdout;
        return;
    }
    struct stat st;
    const bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    const int fd = special ? open(path, O_WRONLY | O_CLOEXEC) : open_temp(path, &f->temp);
    f->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!f->stream) {
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
    }
}

void io_put(io_file *f, const void *bytes, size_t size)
{
    if (!f->stream || f->failure)
        return;
    errno = 0;
    if (size && fwrite(bytes, 1, size, f->stream) != size)
        f->failure = errno ? errno : EIO;
}

static bool put(void *ctx, const void *bytes, size_t size)
{
    io_file *f = ctx;
    io_put(f, bytes, size);
    return f->failure == 0;
}

oc_writer io_writer(io_file *f)
{
    return (oc_writer){put, f};
}

void io_commit(io_file *f, oc_error *e)
{
    const char *name = f->stream == stdout ? "standard output" : f->path;
    if (f->stream) {
        errno = 0;
        if (fflush(f->stream) != 0 && !f->failure)
            f->failure = errno ? errno : EIO;
        if (f->stream != stdout && fclose(f->stream) != 0 && !f->failure)
            f->failure = errno ? errno : EIO;
        if (f->failure && (e->code == OC_OK || e->code == OC_IO)) {
            e->code = OC_OK; /* replaces an OC_IO of the writer, which does not know the errno */
            tool_fail(e, OC_IO, "%s: %s", name, strerror(f->failure));
        }
        if (f->failure && f->stream == stdout)
            clearerr(stdout); /* the error is in *e now, so tool_finish must not report it again */
    }
    if (f->temp) {
        if (e->code == OC_OK && f->stream && rename(f->temp, f->path) != 0)
            tool_fail(e, OC_IO, "%s: %s", name, strerror(errno));
        if (e->code != OC_OK)
            unlink(f->temp);
    }
    free(f->temp);
    free(f->path);
    *f = (io_file){0};
}

/* ---- names and folders ---- */

void io_make_dir(const char *path, oc_error *e)
{
    if (e->code != OC_OK)
        return;
    char *part = tool_format("%s", path);
    for (char *s = part + 1; *part && *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        mkdir(part, 0777); /* if this fails, the mkdir of the whole path below reports it */
        *s = '/';
    }
    if (mkdir(part, 0777) != 0 && !(errno == EEXIST && io_is_dir(part)))
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
    free(part);
}

bool io_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool io_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool io_ends_with(const char *path, const char *ending)
{
    const size_t size = strlen(path), n = strlen(ending);
    if (n > size)
        return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)path[size - n + i]) != tolower((unsigned char)ending[i]))
            return false;
    return true;
}

char *io_safe_name(const char *name)
{
    enum { LONGEST = 120 };
    char *safe = tool_alloc(LONGEST + 1, 1);
    size_t n = 0;
    for (; name[n] && n < LONGEST; n++) {
        const unsigned char c = (unsigned char)name[n];
        const bool good = isalnum(c) || c >= 0x80 || strchr("_-+.,=@", c);
        safe[n] = good && !(n == 0 && (c == '.' || c == '-')) ? (char)c : '_';
    }
    if (n == 0)
        safe[0] = '_';
    return safe;
}
