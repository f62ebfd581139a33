/* SPDX-License-Identifier: Apache-2.0
 * ports.c - the inputs and outputs of a model by name, and which inputs have a default. */
#include "graph/ports.h"

static void note_default(oc_model *m, oc_name initializer)
{
    const int input = oc_name_map_get(&m->inputs, initializer);
    if (input >= 0)
        m->has_default[input] = true;
}

oc_status oc_model_index_ports(oc_model *m, oc_error *e)
{
    const oc_graph *g = &m->graph;
    m->inputs = oc_name_map_new(&m->arena);
    m->outputs = oc_name_map_new(&m->arena);
    m->has_default = oc_arena_array(&m->arena, (size_t)g->n_input, sizeof *m->has_default);
    for (int i = 0; i < g->n_input; i++)
        oc_name_map_put(&m->inputs, g->input[i].name, i);
    for (int i = g->n_output - 1; i >= 0; i--)
        oc_name_map_put(&m->outputs, g->output[i].name, i);
    OC_TRY(oc_arena_check(&m->arena, e));
    for (int i = 0; i < g->n_initializer; i++)
        note_default(m, g->initializer[i].name);
    for (int i = 0; i < g->n_sparse; i++)
        note_default(m, g->sparse[i].values.name);
    return OC_OK;
}

static int find(const oc_model *m, const oc_name_map *ports, const char *text)
{
    const oc_name name = oc_names_find(&m->names, text, strlen(text));
    return name ? oc_name_map_get(ports, name) : -1;
}

int oc_model_find_input(const oc_model *m, const char *name)
{
    return find(m, &m->inputs, name);
}

int oc_model_find_output(const oc_model *m, const char *name)
{
    return find(m, &m->outputs, name);
}
