/* SPDX-License-Identifier: Apache-2.0
 * resources.c - limits how much memory, time and files this process may use from now on. */
#define _XOPEN_SOURCE 700
#include "common/resources.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static rlim_t lower(rlim_t now, rlim_t most)
{
    return now == RLIM_INFINITY || now > most ? most : now;
}

/* Lowers a limit to `most`, and its upper bound to `most` plus grace. A limit that is lower
 * already stays. */
static void limit(int resource, rlim_t most, rlim_t grace)
{
    struct rlimit r;
    if (getrlimit(resource, &r) != 0)
        return;
    r.rlim_cur = lower(r.rlim_cur, most);
    r.rlim_max = lower(r.rlim_max, most + grace);
    (void)setrlimit(resource, &r);
}

/* Returns the bytes of memory that RLIMIT_DATA counts now, which leaves out mapped files; 0 when
 * they are not known. */
static size_t data_now(void)
{
    enum { BEFORE = 5 }; /* numbers of the line before the wanted one */
    char text[256] = "", *at = text;
    unsigned long long data = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fgets(text, sizeof text, f))
        for (int i = 0; i <= BEFORE; i++)
            data = strtoull(at, &at, 10);
    if (f)
        fclose(f);
    return (size_t)data * (size_t)sysconf(_SC_PAGESIZE);
}

void resources_limit(size_t memory, double seconds)
{
    /* When its limit of time is over, a process gets a signal, and SECONDS_TO_END later it is
     * killed. */
    enum { MOST_FILES = 64, SECONDS_TO_END = 5 };
    const size_t now = data_now();
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_NOFILE, MOST_FILES, 0);
    if (now && memory < SIZE_MAX / 2 - now)
        limit(RLIMIT_DATA, now + memory, 0);
    if (seconds > 0 && seconds < 1e9)
        limit(RLIMIT_CPU, (rlim_t)seconds + 1, SECONDS_TO_END);
}
