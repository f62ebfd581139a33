/* SPDX-License-Identifier: Apache-2.0
 * recorded_names.c - how a recorded run names the files beside it. */
#include "session/recorded_names.h"

#include "common/system.h"
#include "files/io.h"

/* Is a path that may begin with "C:" of this system? */
static bool has_drives(void)
{
    return system_is_slash('\\');
}

bool recorded_name_fits(const char *name)
{
    if (has_drives() && strchr(name, ':'))
        return false;
    for (const char *at = name;; at++) {
        size_t n = 0;
        while (at[n] && !system_is_slash(at[n]))
            n++;
        if (n == 0 || (n == 1 && *at == '.') || (n == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        at += n;
        if (!*at)
            return true;
    }
}

/* Returns what stands behind the folder in the path; NULL when the path does not begin with it. */
static const char *behind(const char *folder, const char *path)
{
    const size_t n = strlen(folder);
    if (strcmp(folder, ".") == 0)
        return path;
    if (strncmp(folder, path, n) != 0)
        return NULL;
    return n && system_is_slash(folder[n - 1]) ? path + n
           : system_is_slash(path[n])          ? path + n + 1
                                               : NULL;
}

char *recorded_name(const char *record, const char *path)
{
    char *folder = io_folder_of(record);
    const char *below = behind(folder, path), *last = system_last_slash(path);
    while (below && below[0] == '.' && system_is_slash(below[1]))
        below += 2;
    char *name = tool_format("%s", below && recorded_name_fits(below) ? below
                                   : last                             ? last + 1
                                                                      : path);
    for (char *c = name; *c; c++)
        if (system_is_slash(*c))
            *c = '/';
    free(folder);
    return name;
}

char *recorded_path(const char *folder, const char *name)
{
    if (strcmp(folder, ".") == 0)
        return tool_format("%s", name);
    const bool ends = system_is_slash(folder[strlen(folder) - 1]); /* the root */
    return tool_format("%s%s%s", folder, ends ? "" : "/", name);
}
