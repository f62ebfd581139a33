/* SPDX-License-Identifier: Apache-2.0
 * versions.c - the opsets and types that an operator is checked in, from the library's tables. */
#include "check/cases.h"
#include "session/session_args.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Is the row of an operator of the same domain? */
static bool is_near(const oc_op *row, const char *op)
{
    const char *mine = strstr(op, "::"), *other = strstr(row->signature, "::");
    const size_t size = mine ? (size_t)(mine - op) + 2 : 0;
    return mine ? strncmp(row->signature, op, size) == 0 : !other;
}

/* Inserts an opset into a sorted list unless it is there; returns the new length. */
static int insert(check_version *v, int n, int opset)
{
    int at = n;
    while (at > 0 && v[at - 1].opset >= opset)
        at--;
    if ((at < n && v[at].opset == opset) || n == CHECK_OPSETS)
        return n;
    memmove(v + at + 1, v + at, (size_t)(n - at) * sizeof *v);
    v[at] = (check_version){.opset = opset, .repeated = true};
    return n + 1;
}

/* The types of a variable in "T: all; U: index"; other names are sets of types. */
static uint32_t types_of(const char *sets, const char *variable)
{
    char word[64];
    bool found = false, mine = false;
    uint32_t types = 0;
    for (const char *p = sets; p && *p; p += strspn(p, " ;")) {
        const size_t size = strcspn(p, " ;");
        snprintf(word, sizeof word, "%.*s", (int)size, p);
        if (size && p[size - 1] == ':') {
            word[size - 1] = 0;
            mine = strcmp(word, variable) == 0;
            found |= mine;
        } else if (mine) {
            types |= oc_type_set(word);
        }
        p += size;
    }
    return found ? types : oc_type_set(variable);
}

/* The types of a row's first input. */
static uint32_t first_types(const oc_op *row)
{
    const char *ports = strstr(row->signature, " ("), *bar = strchr(row->signature, '|');
    char variable[64];
    if (!ports)
        return 0;
    snprintf(variable, sizeof variable, "%.*s", (int)strcspn(ports + 2, " "), ports + 2);
    return types_of(bar ? bar + 1 + strspn(bar + 1, " ") : NULL, variable);
}

/* Keeps the versions under which a kernel serves the operator, if it has a kernel at all: ONNX
 * Runtime has operators before ONNX does. Returns how many are kept. */
static int keep_served(const char *op, check_version version[CHECK_OPSETS], int n)
{
    const oc_op *row;
    int oldest = INT_MAX, kept = 0;
    for (int i = 0; (row = oc_builtin_op(i)); i++)
        if (session_is_row_of(row, op) && row->since < oldest)
            oldest = row->since;
    for (int k = 0; k < n; k++)
        if (oldest == INT_MAX || version[k].opset >= oldest)
            version[kept++] = version[k];
    return kept;
}

int check_versions(const char *op, check_version version[CHECK_OPSETS])
{
    int n = 0, newest = 0;
    int served[CHECK_OPSETS] = {0}; /* since of the row that serves each opset */
    const oc_op *row;
    const char *name;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)); i++)
        if (strcmp(name, op) == 0)
            n = insert(version, n, since);
    n = keep_served(op, version, n);
    const int first = n ? version[0].opset : INT_MAX;
    for (int i = 0; (row = oc_builtin_op(i)); i++) {
        if (session_is_row_of(row, op) && row->since >= first)
            n = insert(version, n, row->since);
        if (is_near(row, op) && row->since > newest)
            newest = row->since;
    }
    for (int k = 0; k < n; k++)
        version[k].repeated = false;
    n = n ? insert(version, n, newest) : 0;
    for (int i = 0; (row = oc_builtin_op(i)); i++)
        for (int k = 0; k < n && session_is_row_of(row, op); k++)
            if (row->since <= version[k].opset && row->since > served[k]) {
                served[k] = row->since;
                version[k].types = first_types(row);
            }
    return n;
}

int check_family_versions(const check_family *family, check_version version[CHECK_OPSETS])
{
    if (!family->spec.opset)
        return check_versions(family->op, version);
    version[0] = (check_version){.opset = family->spec.opset};
    return 1;
}
