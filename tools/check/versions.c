/* SPDX-License-Identifier: Apache-2.0
 * versions.c - the opsets and types that an operator is checked in, from the library's tables. */
#include "check/cases.h"
#include "session/op_table.h"

/* Is the version of an operator of the same domain? */
static bool is_near(const oc_op_info *info, const char *op)
{
    const char *colons = strstr(op, "::");
    const size_t size = colons ? (size_t)(colons - op) : 0;
    return strlen(info->domain) == size && memcmp(info->domain, op, size) == 0;
}

/* Inserts an opset into a sorted list unless it is there. Returns the new length. */
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

/* Keeps the versions under which a kernel serves the operator, if it has a kernel at all: ONNX
 * Runtime has some operators earlier than ONNX. Returns how many are kept. */
static int keep_served(const char *op, check_version version[CHECK_OPSETS], int n)
{
    const oc_op_info *info;
    int oldest = INT_MAX, kept = 0;
    for (int i = 0; (info = op_table_at(i)); i++)
        if (strcmp(info->label, op) == 0 && info->version->since < oldest)
            oldest = info->version->since;
    for (int k = 0; k < n; k++)
        if (oldest == INT_MAX || version[k].opset >= oldest)
            version[kept++] = version[k];
    return kept;
}

int check_versions(const char *op, check_version version[CHECK_OPSETS])
{
    int n = 0, newest = 0;
    const oc_op_info *info;
    const char *name;
    for (int i = 0, since; (name = oc_builtin_body(i, &since)); i++)
        if (strcmp(name, op) == 0)
            n = insert(version, n, since);
    n = keep_served(op, version, n);
    const int first = n ? version[0].opset : INT_MAX;
    for (int i = 0; (info = op_table_at(i)); i++) {
        if (strcmp(info->label, op) == 0 && info->version->since >= first)
            n = insert(version, n, info->version->since);
        if (is_near(info, op) && info->version->since > newest)
            newest = info->version->since;
    }
    for (int k = 0; k < n; k++)
        version[k].repeated = false;
    n = n ? insert(version, n, newest) : 0;
    for (int k = 0; k < n; k++) {
        info = op_table_find(op, version[k].opset);
        version[k].types = info && info->n_inputs ? info->input[0].types.tensor : 0;
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
