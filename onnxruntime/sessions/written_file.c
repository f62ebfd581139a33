/* SPDX-License-Identifier: Apache-2.0
 * written_file.c - begins a file of another name in the same folder, and renames it. */
#define _XOPEN_SOURCE 700 /* realpath, fdopen, fchmod */

#include "sessions/written_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static OrtStatus *fail(const char *path, int reason)
{
    return ort_fail(ORT_FAIL, "%s: it cannot be written: %s", path, strerror(reason));
}

/* Creates a file with a new name beside path and returns its descriptor, or -1 on failure. It gets
 * the mode of old, the file that now has that path; NULL where none has. */
static int open_part(const char *path, const struct stat *old, char *part, size_t size)
{
    int fd = -1;
    for (int i = 0; fd < 0 && i < 100; i++) {
        snprintf(part, size, "%s.%ld.%d.part", path, (long)getpid(), i);
        fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0 && old && fchmod(fd, old->st_mode & 0777) != 0)
        errno = 0; /* the new file has the mode of new files */
    return fd;
}

static OrtStatus *open_file(ort_replacing *f)
{
    struct stat old;
    const bool there = stat(f->path, &old) == 0, plain = !there || S_ISREG(old.st_mode);
    const size_t size = strlen(f->path) + 64;
    int fd;
    if (plain) {
        ORT_TRY(ort_new(size, &f->part));
        fd = open_part(f->path, there ? &old : NULL, f->part, size);
    } else {
        fd = open(f->path, O_WRONLY | O_CLOEXEC);
    }
    const int reason = errno;
    f->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (f->stream)
        return NULL;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && f->part)
        unlink(f->part);
    return fail(f->path, fd < 0 ? reason : errno);
}

static void clear(ort_replacing *f)
{
    free(f->path);
    free(f->part);
    *f = (ort_replacing){0};
}

OrtStatus *ort_replace_begin(const char *path, ort_replacing *out)
{
    *out = (ort_replacing){.path = realpath(path, NULL)};
    OrtStatus *status = out->path ? NULL : ort_copy_text(path, &out->path);
    if (!status)
        status = open_file(out);
    if (status)
        clear(out);
    return status;
}

bool ort_replace_write(void *ctx, const void *bytes, size_t size)
{
    ort_replacing *f = ctx;
    errno = 0;
    const bool written = fwrite(bytes, 1, size, f->stream) == size;
    if (!written && !f->reason)
        f->reason = errno ? errno : EIO;
    return written;
}

OrtStatus *ort_replace_end(ort_replacing *f)
{
    OrtStatus *status = NULL;
    errno = 0;
    const bool written = fflush(f->stream) == 0 && !ferror(f->stream);
    const bool closed = fclose(f->stream) == 0;
    const int reason = f->reason ? f->reason : errno ? errno : EIO;
    if (!written || !closed)
        status = fail(f->path, reason);
    else if (f->part && rename(f->part, f->path) != 0)
        status = fail(f->path, errno);
    if (status && f->part)
        unlink(f->part);
    clear(f);
    return status;
}

void ort_replace_drop(ort_replacing *f)
{
    if (!f->stream)
        return;
    fclose(f->stream);
    if (f->part)
        unlink(f->part);
    clear(f);
}
