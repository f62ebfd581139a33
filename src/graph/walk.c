/* SPDX-License-Identifier: Apache-2.0
 * walk.c - a loop over every node of a graph and of the graphs within it. */
#include "graph/walk.h"

#include <assert.h>

oc_walk oc_walk_new(const oc_graph *g)
{
    oc_walk w;
    w.depth = 0;
    w.open[0] = (oc_walk_place){.graph = g, .node = -1};
    return w;
}

/* Returns the next graph in the attributes of p's current node; NULL when there are no more. */
static const oc_graph *next_inner(oc_walk_place *p)
{
    const oc_node *n = p->node >= 0 ? &p->graph->node[p->node] : NULL;
    for (; n && p->attr < n->n_attr; p->attr++, p->index = 0)
        if (p->index < oc_attr_n_graphs(&n->attr[p->attr]))
            return n->attr[p->attr].u.g[p->index++];
    return NULL;
}

const oc_node *oc_walk_next(oc_walk *w)
{
    for (;;) {
        oc_walk_place *p = &w->open[w->depth];
        const oc_graph *inner = next_inner(p);
        if (inner) {
            assert(w->depth < OC_MAX_NESTING);
            w->open[++w->depth] = (oc_walk_place){.graph = inner, .node = -1};
        } else if (p->node + 1 < p->graph->n_node) {
            p->node++;
            p->attr = p->index = 0;
            return &p->graph->node[p->node];
        } else if (w->depth == 0) {
            return NULL;
        } else {
            w->depth--;
        }
    }
}
