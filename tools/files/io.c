/* SPDX-License-Identifier: Apache-2.0
 * io.c - reads whole files into memory, and writes files so that they are complete or absent. */
#define _POSIX_C_SOURCE 200809L
#include "files/io.h"

#include "base/int.h"
#include "common/data.h"
#include "common/limits.h"
#include "common/signals.h"
#include "common/system.h"
#include "base/utf8.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

/* Doubles the room if there is memory, so that many small calls copy little. */
bool io_bytes_grow(io_bytes *b, size_t size)
{
    if (size > SIZE_MAX / 2 - b->size)
        return false;
    const size_t need = b->size + size;
    if (need <= b->room)
        return true;
    size_t room = 2 * b->room > need ? 2 * b->room : need;
    unsigned char *data = data_resize(b->data, room);
    if (!data && room > need)
        data = data_resize(b->data, room = need);
    if (!data)
        return false;
    b->data = data;
    b->room = room;
    return true;
}

static size_t read_some(int file, void *buffer, size_t size)
{
    const unsigned most = size < 1u << 30 ? (unsigned)size : 1u << 30;
    ssize_t n;
    do {
        signals_wait(file);
        if (signals_cancelled(NULL))
            return (size_t)-1;
        n = read(file, buffer, most);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? (size_t)-1 : (size_t)n;
}

/* Reports a failed system call by errno, unless SIGINT ended it. */
static void report_call(const char *name, oc_error *e)
{
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", name);
    else
        tool_fail(e, OC_IO, "%s: %s", name, strerror(errno));
}

/* Asks *check, once, when enough is read. Returns true when it refuses the file. */
static bool is_refused(const char *name, const io_bytes *b, bool whole, io_check **check,
                       oc_error *e)
{
    if (!*check || (!whole && b->size < IO_HEAD))
        return false;
    (*check)(name, b->data, b->size, e);
    *check = NULL;
    return e->code != OC_OK;
}

static void read_all(int file, const char *name, size_t cap, io_check *check, io_bytes *out,
                     oc_error *e)
{
    enum { STEP = 1 << 20 };
    struct stat st;
    const bool regular = fstat(file, &st) == 0 && S_ISREG(st.st_mode);
    const size_t most = regular || cap < LIMIT_STREAM ? cap : LIMIT_STREAM;
    /* One byte more than the file has, so that the read finds its end. */
    size_t step = !regular ? 1 << 16 : (uint64_t)st.st_size < most ? (size_t)st.st_size + 1 : most;
    for (bool ended = regular && (uint64_t)st.st_size > most; !ended;) {
        if (!io_bytes_grow(out, step)) {
            data_fail(step, name, e);
            return;
        }
        const size_t left = out->room - out->size;
        const size_t n = read_some(file, out->data + out->size, oc_min(left, STEP));
        if (n == (size_t)-1 || signals_cancelled(NULL)) {
            report_call(name, e);
            return;
        }
        out->size += n;
        if (is_refused(name, out, n == 0, &check, e) || n == 0)
            return;
        ended = out->size > most;
        step = out->size < out->room ? 0 : STEP;
    }
    tool_fail(e, OC_LIMIT, "%s: more than %zu bytes, the most that is read%s", name, most,
              regular ? "" : " of what is no regular file");
}

const char *io_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int io_open(const char *path, oc_error *e)
{
    if (e->code != OC_OK)
        return -1;
    const int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | SYSTEM_OPEN);
    if (file < 0)
        report_call(path, e);
    return file;
}

void io_close(int file)
{
    if (file >= 0 && file != STDIN_FILENO)
        close(file);
}

void io_read_checked(const char *path, size_t cap, io_check *check, io_bytes *out, oc_error *e)
{
    *out = (io_bytes){0};
    if (e->code != OC_OK)
        return;
    const int file = io_open(path, e);
    if (file < 0)
        return;
    read_all(file, io_shown(path), cap, check, out, e);
    io_close(file);
    if (e->code != OC_OK)
        io_bytes_free(out);
}

void io_read(const char *path, size_t cap, io_bytes *out, oc_error *e)
{
    io_read_checked(path, cap, NULL, out, e);
}

static size_t read_open(void *ctx, void *buffer, size_t size)
{
    const int *file = ctx;
    return read_some(*file, buffer, size);
}

oc_reader io_reader(const int *file)
{
    return (oc_reader){read_open, (void *)file};
}

oc_reader io_standard_input(void)
{
    static const int standard = STDIN_FILENO;
    return io_reader(&standard);
}

void io_bytes_free(io_bytes *b)
{
    data_free(b->data);
    *b = (io_bytes){0};
}

static bool append(void *ctx, const void *bytes, size_t size)
{
    enum { STEP = 1 << 24 };
    io_bytes *b = ctx;
    if (!io_bytes_grow(b, size))
        return false;
    for (size_t at = 0; at < size; at += STEP) {
        const size_t left = size - at, n = oc_min(left, STEP);
        if (signals_cancelled(NULL))
            return false;
        memcpy(b->data + b->size, (const char *)bytes + at, n);
        b->size += n;
    }
    return true;
}

oc_writer io_bytes_writer(io_bytes *b)
{
    return (oc_writer){append, b};
}

/* ---- writing ---- */

/* Opens a new file in the folder of path and returns its descriptor; -1 on failure. Its name is
 * guarded before the file exists, so that no signal comes too early. */
static int open_temp(const char *path, char **temp)
{
    for (int i = 0; i < 100; i++) {
        char *name = tool_format("%s.%ld.%d.part", path, (long)getpid(), i);
        if (!signals_guard(name)) {
            free(name);
            errno = EMFILE;
            return -1;
        }
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | SYSTEM_OPEN, 0666);
        if (fd >= 0) {
            *temp = name;
            return fd;
        }
        const int reason = errno;
        signals_release(name);
        errno = reason;
        if (reason != EEXIST)
            return -1;
    }
    return -1;
}

/* Cuts ".123" off the name of size bytes. Returns the bytes left; 0 when the name has no such
 * end. */
static size_t cut_number(const char *name, size_t size)
{
    const size_t whole = size;
    while (size && isdigit((unsigned char)name[size - 1]))
        size--;
    return size > 1 && size < whole && name[size - 1] == '.' ? size - 1 : 0;
}

char *io_part_of(const char *name)
{
    static const char end[] = ".part";
    const size_t size = strlen(name), n = sizeof end - 1;
    if (size <= n || strcmp(name + size - n, end) != 0)
        return NULL;
    const size_t left = cut_number(name, cut_number(name, size - n));
    return left ? tool_format("%.*s", (int)left, name) : NULL;
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
    system_file there;
    const bool special =
        system_describe(path, true, &there) && !there.is_regular && !there.is_folder;
    const int fd = special ? open(path, O_WRONLY | SYSTEM_OPEN) : open_temp(path, &f->temp);
    f->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!f->stream) {
        report_call(path, e);
        if (fd >= 0)
            close(fd);
    }
}

void io_put(io_file *f, const void *bytes, size_t size)
{
    enum { STEP = 1 << 22 };
    const unsigned char *at = bytes;
    if (f->to && !f->failure && !f->to->write(f->to->ctx, bytes, size))
        f->failure = EIO;
    for (size_t n; size && f->stream && !f->failure; at += n, size -= n) {
        n = oc_min(size, STEP);
        errno = 0;
        if (signals_cancelled(NULL) && !f->outlives)
            f->failure = EINTR;
        else if (fwrite(at, 1, n, f->stream) != n)
            f->failure = errno ? errno : EIO;
    }
}

void io_flush(io_file *f)
{
    errno = 0;
    if (f->stream && fflush(f->stream) != 0 && !f->failure)
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

void io_report(const io_file *f, oc_error *e)
{
    const char *name = f->stream == stdout ? "standard output" : f->path;
    if (e->code != OC_OK && e->code != OC_IO)
        return;
    *e = (oc_error){0};
    if (f->failure == EINTR)
        tool_fail(e, OC_CANCELLED, "%s: cancelled", name);
    else
        tool_fail(e, OC_IO, "%s: %s", name, strerror(f->failure));
}

void io_commit(io_file *f, oc_error *e)
{
    const char *name = f->stream == stdout ? "standard output" : f->path;
    if (f->stream) {
        io_flush(f);
        if (ferror(f->stream) && !f->failure) /* for bytes that were written without io_put */
            f->failure = EIO;
        if (f->stream != stdout && fclose(f->stream) != 0 && !f->failure)
            f->failure = errno ? errno : EIO;
        if (f->failure)
            io_report(f, e);
        if (f->failure && f->stream == stdout)
            clearerr(stdout); /* the error is in *e now, so tool_finish must not report it again */
    }
    if (f->temp) {
        if (e->code == OC_OK && f->stream && !system_replace(f->temp, f->path))
            tool_fail(e, OC_IO, "%s: %s", name, strerror(errno));
        if (e->code != OC_OK)
            unlink(f->temp);
        signals_release(f->temp);
    }
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
        if (!system_is_slash(*s))
            continue;
        const char slash = *s;
        *s = 0;
        system_make_dir(part); /* if this fails, the call for the whole path below reports it */
        *s = slash;
    }
    if (!system_make_dir(part)) {
        const int why = errno;
        if (!io_is_dir(part))
            tool_fail(e, OC_IO, "%s: %s", path, strerror(why));
    }
    free(part);
}

char *io_folder_of(const char *path)
{
    const char *slash = system_last_slash(path);
    const int size = slash ? (int)(slash - path) : 0;
    return !slash ? tool_format(".") : size ? tool_format("%.*s", size, path) : tool_format("/");
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

io_names io_list_dir(const char *path, oc_error *e)
{
    io_names names = {0};
    DIR *folder = e->code == OC_OK ? opendir(path) : NULL;
    if (!folder) {
        tool_fail(e, OC_IO, "%s: %s", path, strerror(errno));
        return names;
    }
    for (const struct dirent *item; (item = readdir(folder)) != NULL;) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        names.name = tool_push(names.name, (size_t)names.n, sizeof *names.name);
        names.name[names.n++] = tool_format("%s", item->d_name);
    }
    closedir(folder);
    if (names.n)
        qsort(names.name, (size_t)names.n, sizeof *names.name, by_bytes);
    return names;
}

void io_names_free(io_names *names)
{
    for (int i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    *names = (io_names){0};
}

bool io_is_dir(const char *path)
{
    system_file file;
    return system_describe(path, true, &file) && file.is_folder;
}

bool io_exists(const char *path)
{
    system_file file;
    return system_describe(path, true, &file);
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
    size_t n = 0, left = strlen(name);
    for (size_t more; left && n < LONGEST; n += more, left -= more) {
        const unsigned char *c = (const unsigned char *)name + n;
        more = oc_utf8_shown(c, left);
        const bool ascii = *c < 0x80 && (isalnum(*c) || strchr("_-+.,=@", *c));
        const bool good = n == 0 && (*c == '.' || *c == '-') ? false : ascii || more > 1;
        if (good && more > LONGEST - n)
            break;
        more = good ? more : 1;
        safe[n] = '_';
        if (good)
            memcpy(safe + n, c, more);
    }
    if (n == 0)
        safe[0] = '_';
    return safe;
}
