/* SPDX-License-Identifier: Apache-2.0
 * walk.h - every node of a graph and of the graphs within its nodes' attributes.
 *
 *     oc_walk w = oc_walk_new(&model->graph);
 *     for (const oc_node *n; (n = oc_walk_next(&w));)
 *         ...
 */
#ifndef OC_GRAPH_WALK_H
#define OC_GRAPH_WALK_H

#include "graph/graph.h"

/* A place in a graph: the attributes of node `node` come before the next node. */
typedef struct oc_walk_place {
    const oc_graph *graph;
    int node, attr, index; /* the node given last; the attribute, and the graph of it, to enter */
} oc_walk_place;

typedef struct oc_walk {
    oc_walk_place open[OC_MAX_NESTING + 1]; /* graphs around the node given last, outermost first */
    int depth;
} oc_walk;

/* Graphs within g nest no deeper than OC_MAX_NESTING, as oc_scope_check makes sure. */
oc_walk oc_walk_new(const oc_graph *g);

/* The next node: a node comes before those of its graphs, these before its neighbour. NULL: there
 * are no more. */
const oc_node *oc_walk_next(oc_walk *w);

#endif
