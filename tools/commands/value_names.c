/* SPDX-License-Identifier: Apache-2.0
 * value_names.c - finds values of a model by name, and suggests a name for a mistyped one. */
#include "commands/value_names.h"

#include "common/nearest.h"

#include <ocellus_model.h>

static void add(value_names *x, const char *name)
{
    if (!*name || text_index_find(&x->number, name) >= 0)
        return;
    x->item = tool_push(x->item, (size_t)x->n, sizeof *x->item);
    text_index_add(&x->number, name, x->n);
    x->item[x->n++] = name;
}

static void add_outputs(value_names *x, const oc_node_info *node)
{
    for (int i = 0; i < node->n_out; i++)
        add(x, node->out[i].name);
}

static void add_main(void *ctx, const oc_node_info *node)
{
    if (node->depth == 0)
        add_outputs(ctx, node);
}

static void add_inner(void *ctx, const oc_node_info *node)
{
    if (node->depth > 0)
        add_outputs(ctx, node);
}

void value_names_read(value_names *x, const oc_model *m, oc_error *e)
{
    oc_weight weight;
    *x = (value_names){.n = 0};
    for (int i = 0; i < oc_model_n_inputs(m); i++)
        add(x, oc_model_input(m, i).name);
    for (int i = 0; oc_model_weight_at(m, i, &weight); i++)
        add(x, weight.name);
    oc_model_visit(m, NULL, add_main, x, e);
    x->n_main = x->n;
    oc_model_visit(m, NULL, add_inner, x, e);
}

void value_names_free(value_names *x)
{
    free(x->item);
    text_index_free(&x->number);
}

static const char *find(const value_names *x, const char *option, const char *name, oc_error *e)
{
    char hint[NEAREST_TEXT];
    nearest near = {.text = name};
    const int i = text_index_find(&x->number, name);
    if (i >= 0 && i < x->n_main)
        return x->item[i];
    if (i >= 0) {
        tool_fail(e, OC_ARGUMENT,
                  "%s %s: a graph within a node has this value, expected one of the main graph",
                  option, name);
        return NULL;
    }
    for (int k = 0; k < x->n_main; k++)
        nearest_try(&near, x->item[k]);
    tool_fail(e, OC_ARGUMENT, "%s %s: the model has no such value%s", option, name,
              nearest_hint(&near, hint));
    return NULL;
}

static void take(const value_names *x, const char *option, const char *name, const char ***list,
                 int *n, oc_error *e)
{
    const char *found = find(x, option, name, e);
    for (int i = 0; found && i < *n; i++)
        if ((*list)[i] == found) {
            tool_fail(e, OC_ARGUMENT, "%s %s: the value is named twice", option, name);
            return;
        }
    if (!found)
        return;
    *list = tool_push(*list, (size_t)*n, sizeof **list);
    (*list)[(*n)++] = found;
}

void value_names_take(const value_names *x, const char *option, const args_list *given,
                      const char ***list, int *n, oc_error *e)
{
    for (int i = 0; i < given->n; i++) {
        const char *text = given->item[i];
        if (text_index_find(&x->number, text) >= 0) {
            take(x, option, text, list, n, e);
            continue;
        }
        for (const char *end; text; text = *end ? end + 1 : NULL) {
            end = text + strcspn(text, ",");
            char *name = tool_format("%.*s", (int)(end - text), text);
            take(x, option, name, list, n, e);
            free(name);
        }
    }
}
