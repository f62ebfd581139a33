/* SPDX-License-Identifier: Apache-2.0
 * stems.c - counts files by their names without endings. */
#include "map/stems.h"

stems stems_new(int n)
{
    return (stems){.count = tool_alloc((size_t)n, sizeof(int))};
}

void stems_free(stems *s)
{
    text_index_free(&s->first);
    free(s->count);
    *s = (stems){0};
}

void stems_cut(char *name)
{
    char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    char *dot = strrchr(base, '.');
    if (dot && dot != base)
        *dot = 0;
}

void stems_add(stems *s, const char *name, int i)
{
    int count;
    const int first = stems_find(s, name, &count);
    char *stem = tool_format("%s", name);
    stems_cut(stem);
    text_index_add(&s->first, stem, i); /* keeps the first of a name */
    s->count[first < 0 ? i : first]++;
    free(stem);
}

int stems_find(const stems *s, const char *name, int *count)
{
    char *stem = tool_format("%s", name);
    stems_cut(stem);
    const int first = text_index_find(&s->first, stem);
    *count = first < 0 ? 0 : s->count[first];
    free(stem);
    return first;
}
