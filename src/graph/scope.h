/* SPDX-License-Identifier: Apache-2.0
 * scope.h - which value does each name mean? Checks single assignment and captures, and sorts
 * nodes. */
#pragma once

#include "graph/graph.h"

/* Checks that every name in g and in the graphs within it is defined once in its graph, and
 * before its use. Sorts nodes that are out of order. A value of an inner graph that is named
 * like a value of a graph around it gets a new name, so that afterwards no name hides another
 * and no other file has to resolve names. A remark tells of each such name that the standard
 * forbids. open: names may be used that nothing defines. In messages, `what` names the graph.
 * Temporary memory comes from arena. */
oc_status oc_scope_check(oc_model *m, oc_graph *g, const char *what, bool open, oc_arena *arena,
                         oc_error *e);
