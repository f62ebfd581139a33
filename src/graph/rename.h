/* SPDX-License-Identifier: Apache-2.0
 * rename.h - new names for values of an inner graph that are named like values around it. */
#ifndef OC_GRAPH_RENAME_H
#define OC_GRAPH_RENAME_H

#include "graph/graph.h"

/* Makes names that no value of a model has; for all graphs of one model. */
typedef struct oc_fresh {
    oc_model *model;
    oc_name_map next; /* a name to the number that the next one made of it tries */
} oc_fresh;

/* The new names of one graph's own values, in the memory of an arena. */
typedef struct oc_renames {
    oc_name_map index;
    oc_name *to;
    int n;
} oc_renames;

oc_renames oc_renames_new(oc_arena *arena);
/* Gives the value a new name, "x_inner_1" for "x", and returns it; NULL: out of memory, which the
 * arena or that of the model reports. */
oc_name oc_renames_add(oc_renames *r, oc_fresh *fresh, oc_name name);
/* The new name of an own value; the name itself if it has none. */
oc_name oc_renames_get(const oc_renames *r, oc_name name);

/* Gives the new names to the values that g defines, and to what it declares of them. Uses keep
 * theirs. The model's arena reports a failure. */
void oc_renames_apply(const oc_renames *r, oc_model *m, oc_graph *g);
/* Makes name i of a list of n another. The first change, before which *own is NULL, makes *own of
 * it, a copy in the model's arena, which *list becomes; a list without a change stays untouched.
 * false: out of memory. */
bool oc_rename_at(oc_model *m, const oc_name **list, oc_name **own, int n, int i, oc_name name);

#endif
