/* SPDX-License-Identifier: Apache-2.0
 * disk_posix.c - files of POSIX systems, WASI among them. */
#define _XOPEN_SOURCE 700 /* declares openat and fdopen */
#include "loader/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

size_t oc_disk_folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

oc_disk_file oc_disk_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

const char *oc_disk_refuses(OC_UNUSED const char *component, OC_UNUSED size_t size)
{
    return NULL;
}

/* Opens the component in the directory dir, and closes dir. */
static int open_component(int dir, const oc_disk_part *part)
{
    char name[256];
    if (part->size >= sizeof name) {
        close(dir);
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name, part->name, part->size);
    name[part->size] = 0;
    const int kind = part->is_last ? O_NONBLOCK : O_DIRECTORY; /* opening a pipe must not wait */
    const int below = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    const int why = errno;
    close(dir);
    errno = why;
    return below;
}

oc_disk_file oc_disk_open_below(const char *folder, const char *location)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *at = location; at && file >= 0;) {
        const oc_disk_part part = oc_disk_take_part(&at);
        if (!part.is_here)
            file = open_component(file, &part);
    }
    return file;
}

bool oc_disk_describe(oc_disk_file file, oc_disk_info *out)
{
    struct stat info;
    if (fstat((int)file, &info) != 0)
        return false;
    *out = (oc_disk_info){.is_regular = S_ISREG(info.st_mode),
                          .is_folder = S_ISDIR(info.st_mode),
                          .size = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0,
                          .device = (uint64_t)info.st_dev,
                          .number = (uint64_t)info.st_ino,
                          .links = (uint64_t)info.st_nlink};
    return true;
}

size_t oc_disk_read(oc_disk_file file, void *buffer, size_t size)
{
    const ssize_t n = read((int)file, buffer, size);
    return n < 0 ? (size_t)-1 : (size_t)n;
}

void oc_disk_close(oc_disk_file file)
{
    close((int)file);
}

bool oc_disk_is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

FILE *oc_disk_create(const char *path, bool anew)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC | (anew ? O_CREAT | O_EXCL : 0), 0666);
    return file < 0 ? NULL : fdopen(file, "wb");
}

bool oc_disk_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void oc_disk_remove(const char *path)
{
    unlink(path);
}
