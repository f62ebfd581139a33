/* SPDX-License-Identifier: Apache-2.0
 * disk_unix.c - mapped files and real paths, which WASI lacks, of the other POSIX systems. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* declares madvise */
#endif
#define _XOPEN_SOURCE 700 /* declares realpath */
#include "loader/disk.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool oc_disk_real_path(const char *path, char real[OC_DISK_PATH])
{
#ifdef PATH_MAX
    _Static_assert(PATH_MAX <= OC_DISK_PATH, "a real path has room");
#endif
    return realpath(path, real) != NULL;
}

void *oc_disk_map(oc_disk_file file, size_t size)
{
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, (int)file, 0);
    if (p == MAP_FAILED)
        p = NULL;
    return p;
}

void oc_disk_unmap(void *bytes, size_t size)
{
    munmap(bytes, size);
}

void oc_disk_leave(OC_UNUSED const void *bytes, OC_UNUSED size_t size)
{
#ifdef __linux__
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)bytes + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)bytes + size) / page * page;
    if (first < end)
        madvise((char *)(uintptr_t)bytes + (first - (uintptr_t)bytes), end - first, MADV_DONTNEED);
#else
#endif
}
