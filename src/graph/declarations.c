/* SPDX-License-Identifier: Apache-2.0
 * declarations.c - a table of the names that the lists of a graph declare. */
#include "graph/declarations.h"

static int length(const oc_graph *g, oc_declarer list)
{
    const int n[OC_N_DECLARERS] = {
        [OC_BY_INPUT] = g->n_input,   [OC_BY_OUTPUT] = g->n_output,
        [OC_BY_VALUE] = g->n_value,   [OC_BY_INITIALIZER] = g->n_initializer,
        [OC_BY_SPARSE] = g->n_sparse, [OC_BY_NODE] = 1};
    return n[list];
}

/* Adds the names of one list, whose first place has this number. The last name is added first,
 * so that the first of two equal names counts. */
static void add_list(oc_declarations *t, oc_declarer list, int number)
{
    const oc_graph *g = t->graph;
    for (int i = length(g, list) - 1; i >= 0; i--)
        switch (list) {
        case OC_BY_INPUT:
            oc_name_map_put(&t->number_of, g->input[i].name, number + i);
            break;
        case OC_BY_OUTPUT:
            oc_name_map_put(&t->number_of, g->output[i].name, number + i);
            break;
        case OC_BY_VALUE:
            oc_name_map_put(&t->number_of, g->value[i].name, number + i);
            break;
        case OC_BY_INITIALIZER:
            oc_name_map_put(&t->number_of, g->initializer[i].name, number + i);
            break;
        case OC_BY_SPARSE:
            oc_name_map_put(&t->number_of, g->sparse[i].values.name, number + i);
            break;
        default:
            for (int n = 0; n < g->n_node; n++)
                for (int k = 0; k < g->node[n].n_out; k++)
                    oc_name_map_put(&t->number_of, g->node[n].out[k], number);
        }
}

oc_declarations oc_declarations_of(const oc_graph *g, const oc_declarer *list, int n,
                                   oc_arena *arena)
{
    oc_declarations t = {.graph = g, .number_of = oc_name_map_new(arena), .n_list = n};
    int number = 0;
    for (int i = 0; i < n; i++) {
        t.list[i] = list[i];
        number += length(g, list[i]);
    }
    for (int i = n - 1; i >= 0; i--)
        add_list(&t, list[i], number -= length(g, list[i]));
    return t;
}

oc_declaration oc_declaration_find(const oc_declarations *t, oc_name name)
{
    const oc_graph *g = t->graph;
    oc_declaration d = {.by = OC_BY_NOTHING};
    int i = *name ? oc_name_map_get(&t->number_of, name) : -1;
    for (int k = 0; i >= 0 && k < t->n_list; i -= length(g, t->list[k++]))
        d = (oc_declaration){.by = t->list[k], .i = i};
    switch (d.by) {
    case OC_BY_INPUT:
        d.info = &g->input[d.i];
        break;
    case OC_BY_OUTPUT:
        d.info = &g->output[d.i];
        break;
    case OC_BY_VALUE:
        d.info = &g->value[d.i];
        break;
    case OC_BY_INITIALIZER:
        d.type = g->initializer[d.i].value.type;
        d.dims = &g->initializer[d.i].value.dims;
        break;
    case OC_BY_SPARSE:
        d.type = g->sparse[d.i].values.value.type;
        d.dims = &g->sparse[d.i].dims;
        break;
    default:
        break;
    }
    return d;
}
