/* SPDX-License-Identifier: Apache-2.0
 * build_line.c - inspect --build: the smallest build that runs some models. */
#include "inspect/build_line.h"

#include <ocellus_model.h>

static void add_name(build_line *b, const oc_model_operator *o)
{
    char *name =
        *o->domain ? tool_format("%s::%s", o->domain, o->name) : tool_format("%s", o->name);
    if (text_index_find(&b->seen, name) >= 0) {
        free(name);
        return;
    }
    text_index_add(&b->seen, name, b->n);
    b->name = tool_push(b->name, (size_t)b->n, sizeof *b->name);
    b->name[b->n++] = name;
}

static void add_kernels(build_line *b, const oc_model *m)
{
    oc_model_operator o;
    for (int i = 0; oc_model_operator_at(m, i, &o); i++)
        if (o.support == OC_SUPPORT_NATIVE)
            add_name(b, &o);
}

void build_line_add(build_line *b, const oc_model *m, const char *path, oc_error *e)
{
    oc_model_operator o;
    bool has_functions = false;
    if (e->code != OC_OK)
        return;
    for (int i = 0; oc_model_operator_at(m, i, &o); i++) {
        has_functions =
            has_functions || o.support == OC_SUPPORT_BODY || o.support == OC_SUPPORT_FUNCTION;
        if (o.support == OC_SUPPORT_NONE) {
            b->n_missing++;
            tool_say("%s: operator '%s%s%s' is not supported", path, o.domain,
                     *o.domain ? "::" : "", o.name);
        }
    }
    add_kernels(b, m);
    if (!has_functions)
        return;
    oc_model *expanded = oc_model_expand(m, OC_BODY_NATIVE, NULL, e);
    if (expanded)
        add_kernels(b, expanded);
    oc_model_free(expanded);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void build_line_print(const build_line *b, json_writer *j)
{
    if (b->n)
        qsort(b->name, (size_t)b->n, sizeof *b->name, by_text);
    if (j) {
        json_array(j, "ops");
        for (int i = 0; i < b->n; i++)
            json_text(j, NULL, b->name[i]);
        json_close(j);
        return;
    }
    tool_print("meson setup build -Dops=");
    for (int i = 0; i < b->n; i++)
        tool_print("%s%s", i ? "," : "", b->name[i]);
    tool_line("%s", "");
}

void build_line_free(build_line *b)
{
    for (int i = 0; i < b->n; i++)
        free(b->name[i]);
    free(b->name);
    text_index_free(&b->seen);
    *b = (build_line){0};
}
