/* SPDX-License-Identifier: Apache-2.0
 * nodes.c - inspect --nodes: every node with its values and attributes. */
#include "inspect/view.h"

enum { MOST_TEXT = 200, MOST_JSON = 4000 }; /* most characters of an attribute */

typedef struct list {
    const view *view;
    int n;
} list;

/* ---- text ---- */

static void print_ports(const oc_port *port, int n)
{
    for (int i = 0; i < n; i++)
        tool_print("%s%s", i ? ", " : "", port[i].name);
}

static void print_node(void *ctx, const oc_node_info *node)
{
    list *l = ctx;
    char *op = view_operator(node);
    tool_print("%6d  %*s%-*s ", l->n++, 2 * node->depth, "",
               24 - (node->depth < 8 ? 2 * node->depth : 16), op);
    if (*node->name)
        tool_print("'%s' ", node->name);
    if (node->graph)
        tool_print("in %s of %d ", node->graph, node->parent);
    printf("(");
    print_ports(node->in, node->n_in);
    printf(") -> (");
    print_ports(node->out, node->n_out);
    printf(")%s", node->n_attr ? "  <" : "");
    for (int i = 0; i < node->n_attr; i++) {
        char *text = view_attribute(node, i, MOST_TEXT);
        tool_print("%s%s", i ? ", " : "", text);
        free(text);
    }
    printf("%s\n", node->n_attr ? ">" : "");
    free(op);
}

/* ---- JSON ---- */

static void json_names(json_writer *j, const char *key, const oc_port *port, int n)
{
    json_array(j, key);
    for (int i = 0; i < n; i++)
        json_text(j, NULL, port[i].name);
    json_close(j);
}

static void json_attribute(json_writer *j, const oc_node_info *node, int i)
{
    const oc_attribute a = oc_node_attribute(node, i);
    char *text = view_attribute(node, i, MOST_JSON);
    json_object(j, NULL);
    json_text(j, "name", a.name);
    json_text(j, "kind", a.kind);
    json_text(j, "text", text);
    json_close(j);
    free(text);
}

static void json_node(void *ctx, const oc_node_info *node)
{
    list *l = ctx;
    json_writer *j = l->view->j;
    json_object(j, NULL);
    json_int(j, "number", l->n++);
    json_text(j, "name", node->name);
    json_text(j, "domain", node->domain);
    json_text(j, "op_type", node->op_type);
    json_int(j, "opset", node->opset);
    json_int(j, "since", node->since);
    json_text(j, "runs_as", view_support(node->support));
    json_int(j, "depth", node->depth);
    if (node->graph) {
        json_int(j, "parent", node->parent);
        json_text(j, "graph", node->graph);
    }
    json_names(j, "inputs", node->in, node->n_in);
    json_names(j, "outputs", node->out, node->n_out);
    json_array(j, "attributes");
    for (int i = 0; i < node->n_attr; i++)
        json_attribute(j, node, i);
    json_close(j);
    json_close(j);
}

void view_nodes(const view *v, oc_error *e)
{
    list l = {.view = v};
    if (!v->j) {
        printf("number  operator\n");
        oc_model_visit(v->model, v->inputs, print_node, &l, e);
        return;
    }
    json_array(v->j, "nodes");
    oc_model_visit(v->model, v->inputs, json_node, &l, e);
    json_close(v->j);
}
