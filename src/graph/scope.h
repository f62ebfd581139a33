/* SPDX-License-Identifier: Apache-2.0
 * scope.h - which value does each name mean? Single assignment, captures, and the order of
 * nodes. */
#ifndef OC_GRAPH_SCOPE_H
#define OC_GRAPH_SCOPE_H

#include "graph/graph.h"

/* Checks that every name in g and in the graphs within it is defined once in its graph, and before
 * its use. Sorts nodes that are out of order. A value of an inner graph that is named like one of a
 * graph around it gets a name of its own, so that no other file has to know which of the two a name
 * means: within the model a name hides no other. Remarks tell of those that the standard does not
 * allow. open: names that nothing defines may be used. what names the graph in messages; temporary
 * memory comes from arena. */
oc_status oc_scope_check(oc_model *m, oc_graph *g, const char *what, bool open, oc_arena *arena,
                         oc_error *e);

#endif
