/* SPDX-License-Identifier: Apache-2.0
 * disk_wasi.c - real paths on WebAssembly's system interface (WASI), which maps no files. */
#define _XOPEN_SOURCE 700 /* declares readlink */
#include "loader/disk.h"

#include <errno.h>
#include <unistd.h>

enum { MOST_LINKS = 40 /* that one path may lead through */ };

/* A path on its way to the real one. */
typedef struct walk {
    char *real;              /* what has been walked, without links; "" at first */
    char rest[OC_DISK_PATH]; /* what is still to be walked */
    int links;
} walk;

static bool fail(int why)
{
    errno = why;
    return false;
}

/* Puts a link's target in front of what is still to be walked. */
static bool follow(walk *w, const char *target, size_t size)
{
    if (++w->links > MOST_LINKS)
        return fail(ELOOP);
    const size_t left = strlen(w->rest) + 1;
    if (size + 1 + left > sizeof w->rest)
        return fail(ENAMETOOLONG);
    memmove(w->rest + size + 1, w->rest, left);
    memcpy(w->rest, target, size);
    w->rest[size] = '/';
    if (*target == '/')
        strcpy(w->real, "/");
    return true;
}

/* Takes the last component off the real path. */
static void leave(walk *w)
{
    char *slash = strrchr(w->real, '/');
    if (slash)
        slash[slash == w->real] = 0;
    else
        *w->real = 0;
}

static bool enter(walk *w, const char *name, size_t size)
{
    char target[OC_DISK_PATH];
    const size_t before = strlen(w->real);
    if (before + 1 + size >= OC_DISK_PATH)
        return fail(ENAMETOOLONG);
    const char *slash = before && w->real[before - 1] != '/' ? "/" : "";
    snprintf(w->real + before, OC_DISK_PATH - before, "%s%.*s", slash, (int)size, name);
    const ssize_t n = readlink(w->real, target, sizeof target);
    if (n < 0)
        return errno == EINVAL; /* it is no link */
    leave(w);
    return follow(w, target, (size_t)n);
}

/* Walks over the first component of what is left. */
static bool take_step(walk *w)
{
    char name[OC_DISK_PATH];
    const char *at = w->rest;
    const oc_disk_part part = oc_disk_take_part(&at);
    memcpy(name, part.name, part.size);
    memmove(w->rest, at ? at : "", at ? strlen(at) + 1 : 1);
    if (part.is_here)
        return true;
    if (part.size == 2 && memcmp(name, "..", 2) == 0 && *w->real) {
        leave(w);
        return true;
    }
    return enter(w, name, part.size);
}

bool oc_disk_real_path(const char *path, char real[OC_DISK_PATH])
{
    walk w = {.real = real};
    if (strlen(path) >= sizeof w.rest)
        return fail(ENAMETOOLONG);
    strcpy(w.rest, path);
    strcpy(real, *path == '/' ? "/" : "");
    while (*w.rest)
        if (!take_step(&w))
            return false;
    if (!*real)
        strcpy(real, ".");
    return true;
}

/* ---- maps: files are read instead ---- */

void *oc_disk_map(OC_UNUSED oc_disk_file file, OC_UNUSED size_t size)
{
    errno = ENOSYS;
    return NULL;
}

void oc_disk_unmap(OC_UNUSED void *bytes, OC_UNUSED size_t size) {}

void oc_disk_leave(OC_UNUSED const void *bytes, OC_UNUSED size_t size) {}
