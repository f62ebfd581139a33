/* SPDX-License-Identifier: Apache-2.0
 * targets.c - checks that all files that a command is about to write are different. */
#define _XOPEN_SOURCE 700
#include "files/targets.h"

#include "common/system.h"

#include <search.h>

/* place is equal for equal files: the numbers of the file, or those of the nearest existing
 * folder and the names below it. */
typedef struct target {
    char *place, *path;
} target;

static char *numbers(const system_file *file)
{
    return tool_format("%llu:%llu", (unsigned long long)file->device,
                       (unsigned long long)file->number);
}

/* Turns path into the path of its folder, with "." or "/" at the end, and returns the name that
 * was cut off. */
static char *cut_name(char **path)
{
    char *whole = *path;
    size_t size = strlen(whole);
    while (size > 1 && system_is_slash(whole[size - 1]))
        whole[--size] = 0;
    char *slash = system_last_slash(whole);
    char *name = tool_format("%s", slash ? slash + 1 : whole);
    *path = !slash ? tool_format(".")
                   : tool_format("%.*s", slash == whole ? 1 : (int)(slash - whole), whole);
    free(whole);
    return name;
}

static bool is_top(const char *path)
{
    return strcmp(path, ".") == 0 || (system_is_slash(path[0]) && !path[1]);
}

/* Returns the place of a path that does not exist. It is walked upwards, and ".." takes back the
 * name before it. */
static char *place_below(const char *path)
{
    system_file file;
    char *folder = tool_format("%s", path), *below = tool_alloc(1, 1);
    int n_up = 0;
    while (!system_describe(folder, true, &file) && !is_top(folder)) {
        char *name = cut_name(&folder);
        if (strcmp(name, "..") == 0) {
            n_up++;
        } else if (n_up && *name && strcmp(name, ".") != 0) {
            n_up--;
        } else if (*name && strcmp(name, ".") != 0) {
            char *longer = tool_format("/%s%s", name, below);
            free(below);
            below = longer;
        }
        free(name);
    }
    for (; n_up > 0; n_up--) {
        char *up = tool_format("%s/..", folder);
        free(folder);
        folder = up;
    }
    system_describe(folder, true, &file);
    char *start = numbers(&file), *place = tool_format("%s%s", start, below);
    free(start);
    free(folder);
    free(below);
    return place;
}

static int by_place(const void *a, const void *b)
{
    return strcmp(((const target *)a)->place, ((const target *)b)->place);
}

void targets_add(targets *t, const char *path, oc_error *e)
{
    system_file file;
    const bool exists = system_describe(path, true, &file);
    if (e->code != OC_OK || (exists && !file.is_regular))
        return;
    target *new = tool_alloc(1, sizeof *new);
    *new = (target){exists ? numbers(&file) : place_below(path), tool_format("%s", path)};
    t->item = tool_push(t->item, (size_t)t->n, sizeof(*t->item));
    t->item[t->n++] = new;
    target *const *found = tsearch(new, &t->tree, by_place);
    if (!found)
        tool_fail(e, OC_NOMEM, "%s: out of memory", path);
    else if (*found != new)
        tool_fail(e, OC_ARGUMENT, "%s and %s are the same file, expected one for each output",
                  (*found)->path, path);
}

void targets_free(targets *t)
{
    for (int i = 0; i < t->n; i++)
        /* of two equal items the first is found both times */
        tdelete(t->item[i], &t->tree, by_place);
    for (int i = 0; i < t->n; i++) {
        free(t->item[i]->place);
        free(t->item[i]->path);
        free(t->item[i]);
    }
    free(t->item);
    *t = (targets){0};
}
