/* SPDX-License-Identifier: Apache-2.0
 * machine_posix.c - finds out how much memory this process may use. */
#define _POSIX_C_SOURCE 200809L
#include "base/control_groups.h"
#include "common/machine.h"

#include <sys/resource.h>
#include <unistd.h>

static int64_t memory_of(const char *folder, int version)
{
    int64_t number[2];
    oc_group_numbers(folder, version == 2 ? "memory.max" : "memory.limit_in_bytes", number);
    return number[0];
}

size_t machine_memory_share(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct rlimit space;
    const int64_t limit = oc_group_limit("", "memory", memory_of);
    size_t least = (uint64_t)limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
    if (pages > 0 && page > 0 && (size_t)pages < least / (size_t)page)
        least = (size_t)pages * (size_t)page;
    /* A browser reports 0 bytes. */
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur > 0 && space.rlim_cur < least)
        least = (size_t)space.rlim_cur;
    return least / 4 * 3;
}
