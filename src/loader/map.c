/* SPDX-License-Identifier: Apache-2.0
 * map.c - maps files, and leaves their pages to the system where nobody reads them soon. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "loader/map.h"

#include "graph/build.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static void unmap(void *ctx, size_t size)
{
    munmap(ctx, size);
}

/* The pages that lie within n bytes need no memory: who reads them finds them in the file again. */
static void leave(const void *bytes, size_t n)
{
#ifdef __linux__
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)bytes + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)bytes + n) / page * page;
    if (first < end)
        madvise((char *)(uintptr_t)bytes + (first - (uintptr_t)bytes), end - first, MADV_DONTNEED);
#else
    (void)bytes;
    (void)n;
#endif
}

oc_status oc_map_file(oc_model *m, int file, size_t size, const void **bytes, oc_error *e)
{
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    *bytes = NULL;
    if (p == MAP_FAILED)
        return OC_OK;
    oc_status status = oc_model_on_free(m, unmap, p, size, e);
    if (status != OC_OK)
        munmap(p, size);
    else
        status = oc_model_may_leave(m, p, size, leave, e);
    *bytes = p;
    return status;
}
