/* SPDX-License-Identifier: Apache-2.0
 * no_files.c - a module has no files: what the loader asks of the system about them fails.
 *
 * The linker takes these functions in place of the library's own, so that a module imports nothing
 * of a file system. */
#include "loader/disk.h"

#include <errno.h>

static intptr_t fail(void)
{
    errno = ENOSYS;
    return -1;
}

size_t oc_disk_folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool oc_disk_real_path(OC_UNUSED const char *path, OC_UNUSED char real[OC_DISK_PATH])
{
    return fail() >= 0;
}

oc_disk_file oc_disk_open(OC_UNUSED const char *path)
{
    return fail();
}

const char *oc_disk_refuses(OC_UNUSED const char *component, OC_UNUSED size_t size)
{
    return "this module has no files";
}

oc_disk_file oc_disk_open_below(OC_UNUSED const char *folder, OC_UNUSED const char *location)
{
    return fail();
}

bool oc_disk_describe(OC_UNUSED oc_disk_file file, OC_UNUSED oc_disk_info *out)
{
    return fail() >= 0;
}

size_t oc_disk_read(OC_UNUSED oc_disk_file file, OC_UNUSED void *buffer, OC_UNUSED size_t size)
{
    return (size_t)fail();
}

void oc_disk_close(OC_UNUSED oc_disk_file file) {}

bool oc_disk_is_special(OC_UNUSED const char *path)
{
    return false;
}

FILE *oc_disk_create(OC_UNUSED const char *path, OC_UNUSED bool anew)
{
    fail();
    return NULL;
}

bool oc_disk_replace(OC_UNUSED const char *from, OC_UNUSED const char *to)
{
    return fail() >= 0;
}

void oc_disk_remove(OC_UNUSED const char *path) {}

void *oc_disk_map(OC_UNUSED oc_disk_file file, OC_UNUSED size_t size)
{
    fail();
    return NULL;
}

void oc_disk_unmap(OC_UNUSED void *bytes, OC_UNUSED size_t size) {}

void oc_disk_leave(OC_UNUSED const void *bytes, OC_UNUSED size_t size) {}
