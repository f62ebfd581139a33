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

/* A position in a graph: the node returned last, and which graph of its attributes is entered next.
 * All of them are entered before the next node. */
typedef struct oc_walk_place {
    const oc_graph *graph;
    int node, attr, index; /* last node (-1: none); its next attribute; that one's next graph */
} oc_walk_place;

typedef struct oc_walk {
    oc_walk_place open[OC_MAX_NESTING + 1]; /* positions in the graphs entered, outermost first */
    int depth;
} oc_walk;

/* Starts a walk over g. Graphs within g must nest no deeper than OC_MAX_NESTING, which
 * oc_scope_check ensures. */
oc_walk oc_walk_new(const oc_graph *g);

/* Returns the next node; NULL when there are no more. A node comes before the nodes of its
 * subgraphs, and those come before the next node of its graph. */
const oc_node *oc_walk_next(oc_walk *w);

#endif
