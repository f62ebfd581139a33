/* SPDX-License-Identifier: Apache-2.0
 * rename.c - gives values of an inner graph new names when an outer value has their name. */
#include "graph/rename.h"

#include "base/int.h"
#include "graph/build.h"

oc_renames oc_renames_new(oc_arena *arena)
{
    return (oc_renames){.index = oc_name_map_new(arena)};
}

/* Returns a name that the model does not have: the names of all its values are in one table. */
static oc_name make_fresh(oc_fresh *f, oc_name name)
{
    oc_model *m = f->model;
    int number = oc_name_map_get(&f->next, name);
    const char *text;
    do {
        number = oc_max(number, 1);
        text = oc_arena_printf(f->next.arena, "%s_inner_%d", name, number++);
    } while (text && oc_names_find(&m->names, text, strlen(text)));
    if (!text || !oc_name_map_put(&f->next, name, number))
        return NULL;
    return oc_model_name(m, text);
}

oc_name oc_renames_add(oc_renames *r, oc_fresh *fresh, oc_name name)
{
    const oc_name made = make_fresh(fresh, name);
    oc_name *last = made ? OC_PUSH(r->index.arena, r->to, r->n) : NULL;
    if (!last || !oc_name_map_put(&r->index, name, r->n - 1))
        return NULL;
    *last = made;
    return made;
}

oc_name oc_renames_get(const oc_renames *r, oc_name name)
{
    const int i = oc_name_map_get(&r->index, name);
    return i >= 0 ? r->to[i] : name;
}

bool oc_rename_at(oc_model *m, const oc_name **list, oc_name **own, int n, int i, oc_name name)
{
    if ((*list)[i] == name)
        return true;
    if (!*own) {
        *own = oc_arena_array(&m->arena, (size_t)n, sizeof **own);
        if (!*own)
            return false;
        memcpy(*own, *list, (size_t)n * sizeof **own);
        *list = *own;
    }
    (*own)[i] = name;
    return true;
}

static void rename_infos(const oc_renames *r, oc_model *m, oc_value_info **infos, int n)
{
    oc_value_info *copy = oc_arena_array(&m->arena, (size_t)n, sizeof *copy);
    for (int i = 0; copy && i < n; i++) {
        copy[i] = (*infos)[i];
        copy[i].name = oc_renames_get(r, copy[i].name);
    }
    *infos = copy ? copy : *infos;
}

static void rename_nodes(const oc_renames *r, oc_model *m, const oc_graph *g)
{
    for (int i = 0; i < g->n_node; i++) {
        oc_node *n = &g->node[i];
        oc_name *own = NULL;
        for (int k = 0; k < n->n_out; k++)
            oc_rename_at(m, &n->out, &own, n->n_out, k, oc_renames_get(r, n->out[k]));
    }
}

/* The parameters are texts that name tensors. */
static void rename_parameters(const oc_renames *r, oc_model *m, oc_pairs *pairs)
{
    oc_pair *copy = oc_arena_array(&m->arena, (size_t)pairs->n, sizeof *copy);
    for (int i = 0; copy && i < pairs->n; i++) {
        const oc_name tensor =
            oc_names_find(&m->names, pairs->item[i].value, strlen(pairs->item[i].value));
        copy[i] = pairs->item[i];
        copy[i].value = tensor ? oc_renames_get(r, tensor) : copy[i].value;
    }
    pairs->item = copy ? copy : pairs->item;
}

static void rename_quantization(const oc_renames *r, oc_model *m, oc_graph *g)
{
    oc_quantization *copy = oc_arena_array(&m->arena, (size_t)g->n_quantization, sizeof *copy);
    for (int i = 0; copy && i < g->n_quantization; i++) {
        copy[i] = g->quantization[i];
        copy[i].tensor = oc_renames_get(r, copy[i].tensor);
        rename_parameters(r, m, &copy[i].parameters);
    }
    g->quantization = copy ? copy : g->quantization;
}

void oc_renames_apply(const oc_renames *r, oc_model *m, oc_graph *g)
{
    if (r->n == 0)
        return;
    rename_infos(r, m, &g->input, g->n_input);
    rename_infos(r, m, &g->value, g->n_value);
    for (int i = 0; i < g->n_initializer; i++)
        g->initializer[i].name = oc_renames_get(r, g->initializer[i].name);
    for (int i = 0; i < g->n_sparse; i++)
        g->sparse[i].values.name = oc_renames_get(r, g->sparse[i].values.name);
    rename_nodes(r, m, g);
    rename_quantization(r, m, g);
}
