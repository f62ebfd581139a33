/* SPDX-License-Identifier: Apache-2.0
 * graph_values.c - the values that the nodes of a model's main graph give, in its order, and what
 * each node computes them from. */
#include "model_check/graph_values.h"

typedef struct visitor {
    graph_values *g;
    int *main; /* for each node visited, the node of the main graph that it is or is within */
    int n;
} visitor;

static void add_input(graph_node *n, const char *name)
{
    for (int i = 0; i < n->n_in; i++)
        if (strcmp(n->in[i].name, name) == 0)
            return;
    n->in = tool_push(n->in, (size_t)n->n_in, sizeof *n->in);
    n->in[n->n_in++] = (graph_input){tool_format("%s", name), -1};
}

static void add_value(graph_values *g, const oc_port *port)
{
    text_index_add(&g->names, port->name, g->n);
    g->item = tool_push(g->item, (size_t)g->n, sizeof *g->item);
    g->item[g->n++] = (graph_value){.name = tool_format("%s", port->name),
                                    .node = g->n_node - 1,
                                    .is_tensor = port->kind == OC_TENSOR};
}

static void add_node(graph_values *g, const oc_node_info *info)
{
    const char *domain = info->domain;
    g->node = tool_push(g->node, (size_t)g->n_node, sizeof *g->node);
    g->node[g->n_node++] = (graph_node){
        .name = tool_format("%s", info->name),
        .op = tool_format("%s%s%s", domain, *domain ? "::" : "", info->op_type),
    };
}

static void visit(void *ctx, const oc_node_info *info)
{
    visitor *v = ctx;
    graph_values *g = v->g;
    const bool is_main = info->depth == 0;
    if (is_main)
        add_node(g, info);
    const int node = is_main ? g->n_node - 1 : v->main[info->parent];
    v->main = tool_push(v->main, (size_t)v->n, sizeof *v->main);
    v->main[v->n++] = node;
    for (int i = 0; i < info->n_in; i++)
        if (*info->in[i].name && (is_main || text_index_find(&g->names, info->in[i].name) >= 0))
            add_input(&g->node[node], info->in[i].name);
    for (int i = 0; i < info->n_out; i++) {
        if (*info->out[i].name && is_main)
            add_value(g, &info->out[i]);
        g->n_inner += *info->out[i].name && !is_main;
    }
}

graph_values graph_values_new(const oc_model *m, oc_error *e)
{
    graph_values g = {0};
    visitor v = {.g = &g};
    oc_model_visit(m, NULL, visit, &v, e);
    free(v.main);
    for (int i = 0; i < g.n_node; i++)
        for (int k = 0; k < g.node[i].n_in; k++)
            g.node[i].in[k].value = text_index_find(&g.names, g.node[i].in[k].name);
    for (int i = 0; i < oc_model_n_outputs(m); i++) {
        const int at = text_index_find(&g.names, oc_model_output(m, i).name);
        if (at >= 0)
            g.item[at].is_output = true;
    }
    return g;
}

void graph_values_free(graph_values *g)
{
    for (int i = 0; i < g->n_node; i++) {
        for (int k = 0; k < g->node[i].n_in; k++)
            free(g->node[i].in[k].name);
        free(g->node[i].in);
        free(g->node[i].name);
        free(g->node[i].op);
    }
    for (int i = 0; i < g->n; i++)
        free(g->item[i].name);
    free(g->node);
    free(g->item);
    text_index_free(&g->names);
}
