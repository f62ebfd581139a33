/* SPDX-License-Identifier: Apache-2.0
 * op_list.c - reads the library's versions of operators. */
#include "commands/op_list.h"

const char *op_types_text(const oc_op_info *op, char text[OP_TYPES])
{
    size_t at = 0;
    snprintf(text, OP_TYPES, "%s", op->n_variables ? "" : op->ports);
    for (int i = 0; i < op->n_variables && at < OP_TYPES; i++)
        at += (size_t)snprintf(text + at, OP_TYPES - at, "%s%s", at ? "; " : "",
                               op->variable[i].text);
    return text;
}

void op_forms(const oc_type_sets *sets, op_types form[OP_FORMS])
{
    form[0] = (op_types){"", "tensor", sets->tensor};
    form[1] = (op_types){"  sequences of", "sequence", sets->sequence};
    form[2] = (op_types){"  optionals of", "optional", sets->optional | sets->opt_sequence};
    form[3] = (op_types){"  maps to", "map", sets->map};
}

void op_print_forms(const oc_type_sets *sets, bool tight)
{
    op_types form[OP_FORMS];
    op_forms(sets, form);
    for (int i = 0; i < OP_FORMS; i++) {
        if (form[i].types)
            printf("%s", form[i].title + (tight && *form[i].title));
        for (int t = 1; t < OC_N_TYPES; t++)
            if (form[i].types >> t & 1)
                printf(" %s", oc_type_name((oc_type)t));
    }
}

const char *op_versions_text(int i, char text[OP_VERSIONS])
{
    const oc_op_info *first = op_table_at(i), *op = first;
    text[0] = 0;
    for (size_t at = 0; op && strcmp(op->label, first->label) == 0 && at < OP_VERSIONS;) {
        at += (size_t)snprintf(text + at, OP_VERSIONS - at, "%s%d", at ? " " : "",
                               op->version->since);
        op = op_table_at(++i);
    }
    return text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(op_table_at(*(const int *)a)->label, op_table_at(*(const int *)b)->label);
}

int *op_sorted(int *n)
{
    int *first = NULL;
    *n = 0;
    for (int i = 0; op_table_at(i); i++) {
        if (i > 0 && strcmp(op_table_at(i - 1)->label, op_table_at(i)->label) == 0)
            continue;
        first = tool_push(first, (size_t)*n, sizeof *first);
        first[(*n)++] = i;
    }
    if (*n)
        qsort(first, (size_t)*n, sizeof *first, by_name);
    return first;
}
