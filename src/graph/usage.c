/* SPDX-License-Identifier: Apache-2.0
 * usage.c - counts how often a model uses each operator. */
#include "graph/ports.h"

#include "graph/opkey.h"
#include "graph/walk.h"

typedef struct counter {
    oc_model *model;
    oc_opkey_map entries;   /* maps operators to indices in model->usage */
    oc_opkey_map functions; /* maps functions to indices in model->function */
} counter;

static void count_node(counter *c, const oc_node *n, const oc_opsets *opsets)
{
    oc_model *m = c->model;
    const int64_t opset = n->opset ? n->opset : oc_opsets_find(opsets, n->domain);
    const oc_opkey key = {n->domain, n->op_type, n->overload, opset};
    int i = oc_opkey_map_get(&c->entries, key);
    if (i < 0) {
        i = m->n_usage;
        oc_usage *u = OC_PUSH(&m->arena, m->usage, m->n_usage);
        if (!u || !oc_opkey_map_put(&c->entries, key, i))
            return; /* the arena records the failure */
        *u = (oc_usage){.domain = n->domain,
                        .op_type = n->op_type,
                        .overload = n->overload,
                        .opset = opset,
                        .function = oc_opkey_map_get(&c->functions, oc_opkey_of_call(n))};
    }
    m->usage[i].count++;
}

static void count_graph(counter *c, const oc_graph *g, const oc_opsets *opsets)
{
    oc_walk w = oc_walk_new(g);
    for (const oc_node *n; (n = oc_walk_next(&w));)
        count_node(c, n, opsets);
}

oc_status oc_model_count_usage(oc_model *m, oc_error *e)
{
    oc_arena scratch = oc_arena_new(&m->memory);
    counter c = {m, oc_opkey_map_new(&scratch), oc_opkey_map_new(&scratch)};
    m->n_usage = 0;
    for (int i = 0; i < m->n_function; i++)
        oc_opkey_map_put(&c.functions, oc_opkey_of_function(&m->function[i]), i);
    count_graph(&c, &m->graph, &m->opsets);
    for (int i = 0; i < m->n_function; i++)
        count_graph(&c, &m->function[i].body, &m->function[i].opsets);
    const oc_status status = oc_arena_check(&scratch, e);
    oc_arena_free(&scratch);
    return status == OC_OK ? oc_arena_check(&m->arena, e) : status;
}
