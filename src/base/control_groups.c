/* SPDX-License-Identifier: Apache-2.0
 * control_groups.c - the control groups (cgroups, versions 1 and 2) of Linux that hold this
 * process. */
#include "base/control_groups.h"

#include "base/int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATH = 4200 };

void oc_group_numbers(const char *folder, const char *name, int64_t number[2])
{
    char path[MOST_PATH + 64], text[64] = "", *at = text;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    if (f) {
        text[fread(text, 1, sizeof text - 1, f)] = 0;
        fclose(f);
    }
    for (int i = 0; i < 2; i++) {
        char *end;
        const long long n = strtoll(at, &end, 10); /* numbers beyond LLONG_MAX become LLONG_MAX */
        number[i] = end > at ? n : INT64_MAX;
        at = end;
    }
}

/* Returns the least limit of the group at folder and of the groups around it. top is the length
 * of the path of the outermost group. */
static int64_t least_of(char *folder, size_t top, int version,
                        int64_t (*limit)(const char *folder, int version))
{
    int64_t least = INT64_MAX;
    for (char *slash = folder;; *slash = 0) {
        const int64_t n = limit(folder, version);
        least = oc_min(n, least);
        slash = strrchr(folder + top, '/');
        if (!slash)
            return least;
    }
}

/* Does the list, whose items are separated by commas, contain the word? */
static bool lists(const char *list, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, word, size) == 0 && (at[size] == ',' || at[size] == 0))
            return true;
    return false;
}

/* A line of /proc/self/cgroup is "number:controllers:/group". In version 2 the list of
 * controllers is empty, and one folder serves all controllers. A container sees its own group at
 * the top, but version 1 may tell it the path outside of the container: a folder that does not
 * exist sets no limit. */
int64_t oc_group_limit(const char *root, const char *controller,
                       int64_t (*limit)(const char *folder, int version))
{
    char line[MOST_PATH], folder[MOST_PATH];
    int64_t least = INT64_MAX;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *f = fopen(line, "re");
    while (f && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
        if (!group)
            continue;
        *list++ = *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        if (*list && !lists(list, controller))
            continue;
        const int top = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%s", root,
                                 *list ? "/" : "", *list ? controller : "");
        if (top < 0 || (size_t)top + strlen(group) >= sizeof folder)
            continue;
        memcpy(folder + top, group, strlen(group) + 1);
        const int64_t n = least_of(folder, (size_t)top, *list ? 1 : 2, limit);
        least = oc_min(n, least);
    }
    if (f)
        fclose(f);
    return least;
}

/* The quota is the processor time in microseconds that the group may use in each period. Where
 * there is no quota, version 2 writes "max" and version 1 writes -1. */
static int64_t processors_of(const char *folder, int version)
{
    int64_t time[2];
    if (version == 2) {
        oc_group_numbers(folder, "cpu.max", time);
    } else {
        int64_t period[2];
        oc_group_numbers(folder, "cpu.cfs_quota_us", time);
        oc_group_numbers(folder, "cpu.cfs_period_us", period);
        time[1] = period[0];
    }
    if (time[0] <= 0 || time[0] == INT64_MAX || time[1] <= 0 || time[1] == INT64_MAX)
        return INT64_MAX;
    return (time[0] - 1) / time[1] + 1;
}

int64_t oc_group_processors(const char *root)
{
    return oc_group_limit(root, "cpu", processors_of);
}
