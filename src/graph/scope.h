/* SPDX-License-Identifier: Apache-2.0
 * scope.h - which name means which value: single assignment, captures, order of nodes. */
#ifndef OC_GRAPH_SCOPE_H
#define OC_GRAPH_SCOPE_H

#include "graph/graph.h"

/* Checks that every name in the graph and the graphs within is defined once and before its use, and
 * sorts nodes that are out of order. what names the graph in messages; temporary memory comes from
 * arena. */
oc_status oc_scope_check(oc_graph *g, const char *what, oc_arena *arena, oc_error *e);

#endif
