/* SPDX-License-Identifier: Apache-2.0
 * need.c - finds the nodes of a part by going from the values that it ends with back to those
 * that it begins with.
 *
 * Inner graphs hide no value of the main graph (check.h), so a name in an inner graph that the
 * main graph defines means the main graph's value. */
#include "graph/part.h"

static oc_status find_producers(oc_need *x)
{
    const oc_graph *g = &x->model->graph;
    for (int i = 0; i < g->n_input; i++)
        oc_name_map_put(&x->producer, g->input[i].name, OC_GIVEN);
    for (int i = 0; i < g->n_initializer; i++)
        oc_name_map_put(&x->producer, g->initializer[i].name, OC_GIVEN);
    for (int i = 0; i < g->n_sparse; i++)
        oc_name_map_put(&x->producer, g->sparse[i].values.name, OC_GIVEN);
    for (int i = 0; i < g->n_node; i++)
        for (int k = 0; k < g->node[i].n_out; k++)
            if (*g->node[i].out[k])
                oc_name_map_put(&x->producer, g->node[i].out[k], i);
    return oc_arena_check(x->arena, x->e);
}

/* Maps the value called text to number. */
static oc_status name_end(oc_need *x, oc_name_map *map, const char *text, int number)
{
    const oc_name name = text && *text ? oc_names_find(&x->model->names, text, strlen(text)) : NULL;
    if (!name || oc_name_map_get(&x->producer, name) < 0)
        return oc_error_set(x->e, OC_ARGUMENT, "the main graph has no value '%s'",
                            text ? text : "");
    if (oc_name_map_get(map, name) >= 0)
        return oc_error_set(x->e, OC_ARGUMENT, "value '%s' is named twice", name);
    oc_name_map_put(map, name, number);
    return oc_arena_check(x->arena, x->e);
}

static oc_status name_ends(oc_need *x)
{
    const oc_graph *g = &x->model->graph;
    for (int i = 0; i < x->part->n_from; i++)
        OC_TRY(name_end(x, &x->cut, x->part->from[i].name, i));
    for (int i = 0; x->part->to && i < x->part->n_to; i++)
        OC_TRY(name_end(x, &x->needed, x->part->to[i], 0));
    for (int i = 0; !x->part->to && i < g->n_output; i++)
        oc_name_map_put(&x->needed, g->output[i].name, 0);
    return oc_arena_check(x->arena, x->e);
}

static void need(oc_need *x, oc_name name)
{
    if (*name && oc_name_map_get(&x->producer, name) >= 0)
        oc_name_map_put(&x->needed, name, 0);
}

static void need_graph(oc_need *x, const oc_graph *g);

static void need_node(oc_need *x, const oc_node *n)
{
    for (int i = 0; i < n->n_in; i++)
        need(x, n->in[i]);
    for (int a = 0; a < n->n_attr; a++)
        for (int k = 0; k < oc_attr_n_graphs(&n->attr[a]); k++)
            need_graph(x, n->attr[a].u.g[k]);
}

/* Marks what an inner graph captures as needed. */
static void need_graph(oc_need *x, const oc_graph *g)
{
    for (int i = 0; i < g->n_node; i++)
        need_node(x, &g->node[i]);
    for (int i = 0; i < g->n_output; i++)
        need(x, g->output[i].name);
}

/* Goes backwards, because nodes stand behind those whose outputs they use. */
static oc_status choose_nodes(oc_need *x)
{
    const oc_graph *g = &x->model->graph;
    bool any = false;
    x->kept = oc_arena_array(x->arena, (size_t)g->n_node, sizeof *x->kept);
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (int i = g->n_node - 1; i >= 0; i--) {
        const oc_node *n = &g->node[i];
        for (int k = 0; k < n->n_out; k++)
            x->kept[i] |= oc_need_has(x, n->out[k]) && !oc_need_cuts(x, n->out[k]);
        if (x->kept[i])
            need_node(x, n);
        any |= x->kept[i];
        OC_TRY(oc_arena_check(x->arena, x->e));
    }
    return any ? OC_OK
               : oc_error_set(x->e, OC_ARGUMENT,
                              "there is no node between where the part begins and where it ends");
}

oc_status oc_need_find(oc_need *need, const oc_model *m, const oc_part *part, oc_arena *arena,
                       oc_error *e)
{
    *need = (oc_need){.model = m,
                      .part = part,
                      .arena = arena,
                      .producer = oc_name_map_new(arena),
                      .cut = oc_name_map_new(arena),
                      .needed = oc_name_map_new(arena),
                      .e = e};
    OC_TRY(find_producers(need));
    OC_TRY(name_ends(need));
    return choose_nodes(need);
}
