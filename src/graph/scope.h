/* SPDX-License-Identifier: Apache-2.0
 * scope.h - which value does each name mean? Single assignment, captures, and the order of
 * nodes. */
#ifndef OC_GRAPH_SCOPE_H
#define OC_GRAPH_SCOPE_H

#include "graph/graph.h"

/* Checks that every name in g and in the graphs within it is defined once and before its use. Sorts
 * nodes that are out of order. what names the graph in messages; temporary memory comes from
 * arena. */
oc_status oc_scope_check(oc_graph *g, const char *what, oc_arena *arena, oc_error *e);

#endif
