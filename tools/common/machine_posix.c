/* SPDX-License-Identifier: Apache-2.0
 * machine_posix.c - how much memory and how many processors may this process use? */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/int.h"
#include "common/machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_PATH = 4200 };

/* The number that a file holds; SIZE_MAX when there is no such file, or the word "max" in it. */
static size_t read_number(const char *path)
{
    char text[64] = "", *end;
    FILE *f = fopen(path, "r");
    const bool is_there = f && fgets(text, sizeof text, f);
    const unsigned long long n = strtoull(text, &end, 10);
    if (f)
        fclose(f);
    return is_there && end > text && n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}

/* The least limit of a control group and those around it, whose files of this name lie under
 * root. */
static size_t least_of_groups(const char *root, char *group, const char *name)
{
    char path[MAX_PATH];
    size_t least = SIZE_MAX;
    for (;;) {
        snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        const size_t n = read_number(path);
        least = oc_min(n, least);
        char *slash = strrchr(group, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

/* A line of /proc/self/cgroup is "number:controllers:/group"; of v2 there is one, "0::/group". */
static size_t limit_of_group(char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return SIZE_MAX;
    *controllers++ = *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    if (!*controllers)
        return least_of_groups("/sys/fs/cgroup", group, "memory.max");
    return strcmp(controllers, "memory") == 0
               ? least_of_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
               : SIZE_MAX;
}

static size_t limit_of_groups(void)
{
    char line[MAX_PATH];
    size_t least = SIZE_MAX;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(line, sizeof line, f)) {
        const size_t n = limit_of_group(line);
        least = oc_min(n, least);
    }
    if (f)
        fclose(f);
    return least;
}

size_t machine_memory_share(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct rlimit space;
    size_t least = limit_of_groups();
    if (pages > 0 && page > 0 && (size_t)pages < least / (size_t)page)
        least = (size_t)pages * (size_t)page;
    /* A browser tells of 0 bytes. */
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur > 0 && space.rlim_cur < least)
        least = (size_t)space.rlim_cur;
    return least / 4 * 3;
}

int machine_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
