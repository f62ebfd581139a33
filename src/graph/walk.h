/* SPDX-License-Identifier: Apache-2.0
 * walk.h - every node of a graph and of the graphs within its nodes' attributes.
 *
 *     oc_walk w = oc_walk_new(&model->graph);
 *     for (const oc_node *n; (n = oc_walk_next(&w));)
 *         ...
 */
#pragma once

#include "graph/graph.h"

/* A position in a graph: the node that was returned last, and the graph in its attributes that
 * is entered next. All graphs of a node are entered before the next node is returned. */
typedef struct oc_walk_place {
    const oc_graph *graph;
    /* last node (-1: none), its next attribute, and that attribute's next graph */
    int node, attr, index;
} oc_walk_place;

typedef struct oc_walk {
    /* positions in the graphs that were entered, outermost first */
    oc_walk_place open[OC_MAX_NESTING + 1];
    int depth;
} oc_walk;

/* Starts a walk over g. Graphs within g must nest no deeper than OC_MAX_NESTING, which
 * oc_scope_check ensures. */
oc_walk oc_walk_new(const oc_graph *g);

/* Returns the next node; NULL when there are no more. A node comes before the nodes of its
 * subgraphs, and those come before the next node of its graph. */
const oc_node *oc_walk_next(oc_walk *w);
