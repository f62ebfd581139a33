/* SPDX-License-Identifier: Apache-2.0
 * dot.c - inspect --dot: the graph for Graphviz, with graphs within nodes as clusters. */
#include "base/utf8.h"
#include "inspect/graph.h"
#include "inspect/view.h"

/* Writes text within a quoted string of dot, so that no name can end the string or have a
 * special meaning. */
static void put_text(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t size = strlen(text), n; size; s += n, size -= n) {
        n = oc_utf8_size(s, size);
        if (n == 0 || oc_utf8_shown(s, size) == 0)
            fputs(n ? " " : "\xef\xbf\xbd", stdout);
        else if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if (*s == '&')
            fputs("&amp;", stdout);
        else
            fwrite(s, 1, n, stdout);
        n = n ? n : 1;
    }
}

static void put_box(const graph_box *box, int i)
{
    static const char *const colours[] = {"#dcefe2", "#dbe8f8", "#ebe0f6", "#f8d7d4"};
    printf("b%d [label=\"", i);
    put_text(box->title);
    if (*box->name) {
        fputs("\\n", stdout);
        put_text(box->name);
    }
    if (box->kind == BOX_NODE)
        printf("\", fillcolor=\"%s\"];\n", colours[box->support]);
    else
        fputs("\", shape=ellipse, fillcolor=\"#f4f1ea\"];\n", stdout);
}

/* Writes the boxes of part p, then the parts that its nodes hold, which inner[p] and beside[]
 * list. */
static void put_part(const graph *g, int p, const int *inner, const int *beside)
{
    if (p > 0) {
        printf("subgraph cluster_%d { label=\"", p);
        put_text(g->part[p].name);
        fputs("\";\n", stdout);
    }
    for (int i = g->part[p].first; i >= 0; i = g->box[i].next)
        put_box(&g->box[i], i);
    for (int k = inner[p]; k >= 0; k = beside[k])
        put_part(g, k, inner, beside);
    if (p > 0)
        fputs("}\n", stdout);
}

static void put_line(const graph *g, const graph_line *line)
{
    printf("b%d -> b%d [label=\"", line->from, line->to);
    put_text(g->box[line->from].note);
    fputs("\", tooltip=\"", stdout);
    put_text(line->name);
    printf("\"%s];\n", line->within ? ", style=dashed" : "");
}

static void put_graph(const graph *g)
{
    int *inner = tool_alloc((size_t)g->n_part, sizeof *inner);
    int *beside = tool_alloc((size_t)g->n_part, sizeof *beside);
    for (int p = g->n_part - 1; p >= 0; p--)
        inner[p] = -1;
    for (int p = g->n_part - 1; p > 0; p--) {
        const int outer = g->box[g->part[p].holder].part;
        beside[p] = inner[outer];
        inner[outer] = p;
    }
    fputs("digraph model {\ngraph [fontname=\"Helvetica\", color=\"#b9b2a4\", style=rounded];\n"
          "node [shape=box, style=\"rounded,filled\", color=\"#8a8478\", fontname=\"Helvetica\", "
          "fontsize=11];\nedge [color=\"#8a8478\", fontname=\"Helvetica\", fontsize=9, "
          "arrowsize=0.6];\n",
          stdout);
    put_part(g, 0, inner, beside);
    for (int i = 0; i < g->n_line; i++)
        put_line(g, &g->line[i]);
    fputs("}\n", stdout);
    free(inner);
    free(beside);
}

static void take_node(void *ctx, const oc_node_info *node)
{
    graph_add(ctx, node);
}

void view_dot(const view *v, oc_error *e)
{
    weight_list weights = weight_list_of(v->model, e);
    graph g = graph_new(v->model, v->inputs, &weights);
    oc_model_visit(v->model, v->inputs, take_node, &g, e);
    graph_end(&g);
    if (e->code == OC_OK)
        put_graph(&g);
    graph_free(&g);
    weight_list_free(&weights);
}
