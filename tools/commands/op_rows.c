/* SPDX-License-Identifier: Apache-2.0
 * op_rows.c - reads the library's rows of operators. */
#include "commands/op_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t op_name_size(const char *signature)
{
    return strcspn(signature, " <(");
}

bool op_same_name(const oc_op *a, const oc_op *b)
{
    const size_t n = op_name_size(a->signature);
    return n == op_name_size(b->signature) && memcmp(a->signature, b->signature, n) == 0;
}

const char *op_type_sets(const oc_op *row)
{
    const char *bar = strchr(row->signature, '|');
    return bar ? bar + 1 + strspn(bar + 1, " ") : "";
}

const char *op_types_text(const oc_op *row, char text[OP_TYPES])
{
    const char *part = op_type_sets(row), *ports = strchr(row->signature, '(');
    text[0] = 0;
    for (size_t at = 0, size; *part && at < OP_TYPES; part += size, part += strspn(part, " ;")) {
        size = strcspn(part, ";");
        if (memchr(part, ':', size))
            at += (size_t)snprintf(text + at, OP_TYPES - at, "%s%.*s", at ? "; " : "", (int)size,
                                   part);
    }
    if (!text[0] && ports)
        snprintf(text, OP_TYPES, "%.*s", (int)(strrchr(ports, ')') + 1 - ports), ports);
    return text;
}

/* Adds the types of one word, as in "all", "seq(all)", "opt(seq(all))" or "map(float)". */
static void add_types(op_type_set *set, const char *text, size_t size)
{
    char word[64];
    if (size >= sizeof word)
        return;
    memcpy(word, text, size);
    word[size] = 0;
    const bool is_sequence = strncmp(word, "seq(", 4) == 0;
    const bool is_optional = strncmp(word, "opt(", 4) == 0;
    const bool is_map = strncmp(word, "map(", 4) == 0;
    char *inner = word + (is_sequence || is_optional || is_map ? 4 : 0);
    if (strncmp(inner, "seq(", 4) == 0)
        inner += 4;
    inner[strcspn(inner, ")")] = 0;
    uint32_t *target = is_sequence   ? &set->sequence
                       : is_optional ? &set->optional
                       : is_map      ? &set->map
                                     : &set->tensor;
    *target |= oc_type_set(inner);
}

bool op_next_set(const char *text, op_type_set *set)
{
    *set = (op_type_set){0};
    const char *colon = NULL;
    for (text += strspn(text, " ;"); *text && !colon; text += colon ? 0 : strspn(text, " ;")) {
        const size_t size = strcspn(text, ";");
        colon = memchr(text, ':', size);
        text += colon ? 0 : size;
    }
    if (!colon)
        return false;
    snprintf(set->variable, sizeof set->variable, "%.*s", (int)(colon - text), text);
    for (text = colon + 1; *text && *text != ';';) {
        text += strspn(text, " ");
        const size_t size = strcspn(text, " ;");
        if (size)
            add_types(set, text, size);
        text += size;
    }
    set->next = text;
    return true;
}

const char *op_versions_text(int i, char text[OP_VERSIONS])
{
    const oc_op *first = oc_builtin_op(i), *row = first;
    text[0] = 0;
    for (size_t at = 0; row && op_same_name(first, row) && at < OP_VERSIONS;) {
        at += (size_t)snprintf(text + at, OP_VERSIONS - at, "%s%d", at ? " " : "", row->since);
        row = oc_builtin_op(++i);
    }
    return text;
}

static int by_name(const void *a, const void *b)
{
    const char *x = oc_builtin_op(*(const int *)a)->signature;
    const char *y = oc_builtin_op(*(const int *)b)->signature;
    const size_t n = op_name_size(x), m = op_name_size(y);
    const int order = memcmp(x, y, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

int *op_sorted(int *n)
{
    int *first = NULL;
    *n = 0;
    for (int i = 0; oc_builtin_op(i); i++) {
        if (i > 0 && op_same_name(oc_builtin_op(i - 1), oc_builtin_op(i)))
            continue;
        first = tool_push(first, (size_t)*n, sizeof *first);
        first[(*n)++] = i;
    }
    if (*n)
        qsort(first, (size_t)*n, sizeof *first, by_name);
    return first;
}
