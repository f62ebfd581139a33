/* SPDX-License-Identifier: Apache-2.0
 * op_table.c - the descriptions of the library's versions, made once. */
#include "session/op_table.h"

static struct {
    const oc_op_info **item;
    int n; /* -1: not all versions have been read yet */
} table = {.n = -1};

static void read_rows(void)
{
    oc_error e = {0};
    const oc_op *version;
    int n = 0;
    for (; (version = oc_builtin_op(n)) != NULL; n++) {
        table.item = tool_push(table.item, (size_t)n, sizeof *table.item);
        table.item[n] = oc_op_describe(version, &e);
        if (e.code != OC_OK) /* memory ran out; nothing else can fail */
            exit(tool_report(&e, false));
    }
    table.n = n;
}

const oc_op_info *op_table_at(int i)
{
    if (table.n < 0)
        read_rows();
    return i >= 0 && i < table.n ? table.item[i] : NULL;
}

const oc_op_info *op_table_find(const char *op, int version)
{
    const oc_op_info *info, *best = NULL;
    for (int i = 0; (info = op_table_at(i)) != NULL; i++)
        if (strcmp(info->label, op) == 0 && info->version->since <= version &&
            (!best || info->version->since > best->version->since))
            best = info;
    return best;
}
