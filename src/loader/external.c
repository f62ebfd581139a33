/* SPDX-License-Identifier: Apache-2.0
 * external.c - how are elements read from files in the model's folder, and from nowhere else?
 *
 * A location is opened one component after another, from the model's folder down. No component may
 * be a link. The file must be regular and must have only one name (hard link), because another name
 * could lie outside the folder. */
#define _POSIX_C_SOURCE 200809L
#include "graph/build.h"
#include "loader/loader.h"
#include "loader/map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static oc_status refuse(const char *location, const char *why, oc_error *e)
{
    return oc_error_set(e, OC_IO, "external data '%s': %s", location, why);
}

/* ---- the way down ---- */

static oc_status check_location(const char *location, oc_error *e)
{
    if (!*location)
        return refuse(location, "the location is empty", e);
    if (*location == '/')
        return refuse(location, "absolute paths are refused", e);
    for (const char *part = location; part;) {
        const char *slash = strchr(part, '/');
        const size_t size = slash ? (size_t)(slash - part) : strlen(part);
        if (size == 2 && memcmp(part, "..", 2) == 0)
            return refuse(location, "'..' is refused", e);
        part = slash ? slash + 1 : NULL;
    }
    return OC_OK;
}

/* Opens the component of size bytes at part in the directory dir, and closes dir. Returns -1 with
 * errno set on failure. */
static int open_below(int dir, const char *part, size_t size, bool last)
{
    char name[256];
    if (size >= sizeof name) {
        close(dir);
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name, part, size);
    name[size] = 0;
    const int kind = last ? O_NONBLOCK : O_DIRECTORY; /* opening a pipe must not block */
    const int below = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    const int why = errno;
    close(dir);
    errno = why;
    return below;
}

static int open_location(const char *folder, const char *location)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *part = location; part && file >= 0;) {
        const char *slash = strchr(part, '/');
        const size_t size = slash ? (size_t)(slash - part) : strlen(part);
        if (size && !(size == 1 && *part == '.'))
            file = open_below(file, part, size, !slash);
        part = slash ? slash + 1 : NULL;
    }
    return file;
}

/* ---- mapping ---- */

typedef struct oc_mapping {
    struct oc_mapping *next;
    const char *location;
    const char *bytes;
    size_t size;
} oc_mapping;

static oc_status map_file(oc_model *m, const char *location, int file, const void **bytes,
                          size_t *size, oc_error *e)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return refuse(location, strerror(errno), e);
    if (!S_ISREG(info.st_mode))
        return refuse(location, "it is not a regular file", e);
    if (info.st_nlink > 1)
        return refuse(location, "it has hard links, which may lie outside the model's folder", e);
    *bytes = "";
    *size = (size_t)info.st_size;
    if (*size == 0)
        return OC_OK;
    OC_TRY(oc_map_file(m, file, *size, bytes, e));
    return *bytes ? OC_OK : refuse(location, strerror(errno), e);
}

static oc_status open_and_map(oc_model *m, const char *location, const void **bytes, size_t *size,
                              oc_error *e)
{
    if (!m->folder && m->options.external) {
        *bytes = "";
        *size = 0;
        if (!m->options.external(m->options.external_ctx, location, bytes, size))
            return refuse(location, "the host refused it", e);
        return OC_OK;
    }
    const char *folder = m->folder ? m->folder : m->options.external_dir;
    if (!folder)
        return refuse(location, "it is refused for a model that comes from no folder", e);
    OC_TRY(check_location(location, e));
    const int file = open_location(folder, location);
    if (file < 0)
        return refuse(location, errno == ELOOP ? "links are refused" : strerror(errno), e);
    const oc_status status = map_file(m, location, file, bytes, size, e);
    close(file);
    return status;
}

static oc_mapping *find_mapping(const oc_model *m, const char *location)
{
    for (oc_mapping *x = m->external; x; x = x->next)
        if (strcmp(x->location, location) == 0)
            return x;
    return NULL;
}

oc_status oc_external_data(oc_model *m, const char *location, int64_t offset, int64_t length,
                           const void **bytes, size_t *size, oc_error *e)
{
    oc_mapping *x = find_mapping(m, location);
    if (!x) {
        const void *all;
        size_t all_size;
        OC_TRY(open_and_map(m, location, &all, &all_size, e));
        x = oc_arena_alloc(&m->arena, sizeof *x);
        const char *copy = oc_arena_text(&m->arena, location, strlen(location));
        OC_TRY(oc_arena_check(&m->arena, e));
        *x = (oc_mapping){m->external, copy, all, all_size};
        m->external = x;
    }
    if (offset < 0 || (uint64_t)offset > x->size)
        return refuse(location, "the offset lies past the end of the file", e);
    const size_t left = x->size - (size_t)offset;
    if (length >= 0 && (uint64_t)length > left)
        return refuse(location, "offset and length reach past the end of the file", e);
    *bytes = x->bytes + offset;
    *size = length < 0 ? left : (size_t)length;
    return OC_OK;
}
