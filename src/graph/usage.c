/* SPDX-License-Identifier: Apache-2.0
 * usage.c - counts the operators of a model. */
#include "graph/usage.h"

typedef struct counter {
    oc_model *model;
    oc_name_map first; /* op_type to its first entry in usage */
} counter;

static oc_usage *find(const oc_model *m, int i, const oc_node *n, int64_t opset)
{
    for (; i >= 0; i = m->usage[i].next) {
        oc_usage *u = &m->usage[i];
        if (u->domain == n->domain && u->overload == n->overload && u->opset == opset)
            return u;
    }
    return NULL;
}

static void count_node(counter *c, const oc_node *n, const oc_opsets *opsets)
{
    oc_model *m = c->model;
    const int64_t opset = n->opset ? n->opset : oc_opsets_find(opsets, n->domain);
    const int first = oc_name_map_get(&c->first, n->op_type);
    oc_usage *u = find(m, first, n, opset);
    if (!u) {
        const int index = m->n_usage;
        u = OC_PUSH(&m->arena, m->usage, m->n_usage);
        if (!u || !oc_name_map_put(&c->first, n->op_type, index))
            return; /* the arena remembers */
        *u = (oc_usage){n->domain, n->op_type, n->overload, opset, 0, first};
    }
    u->count++;
}

static void count_graph(counter *c, const oc_graph *g, const oc_opsets *opsets)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        count_node(c, n, opsets);
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0;
                 (n->attr[a].kind == OC_ATTR_GRAPH || n->attr[a].kind == OC_ATTR_GRAPHS) &&
                 !n->attr[a].ref && k < n->attr[a].n;
                 k++)
                count_graph(c, n->attr[a].u.g[k], opsets);
    }
}

oc_status oc_model_count_usage(oc_model *m, oc_error *e)
{
    counter c = {m, oc_name_map_new(&m->arena)};
    m->n_usage = 0;
    count_graph(&c, &m->graph, &m->opsets);
    for (int i = 0; i < m->n_function; i++)
        count_graph(&c, &m->function[i].body, &m->function[i].opsets);
    return oc_arena_check(&m->arena, e);
}
