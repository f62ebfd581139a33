/* SPDX-License-Identifier: Apache-2.0
 * rename.h - new names for values of an inner graph that are named like values around it. */
#pragma once

#include "graph/graph.h"

/* Makes names that no value of a model has. One serves all graphs of the model. */
typedef struct oc_fresh {
    oc_model *model;
    /* maps a name to the number that the next new name made from it tries first */
    oc_name_map next;
} oc_fresh;

/* The new names of one graph's own values, in memory of an arena. */
typedef struct oc_renames {
    oc_name_map index;
    oc_name *to;
    int n;
} oc_renames;

oc_renames oc_renames_new(oc_arena *arena);
/* Gives the value a new name, such as "x_inner_1" for "x", and returns it. Returns NULL when
 * memory runs out; this arena or the model's reports it. */
oc_name oc_renames_add(oc_renames *r, oc_fresh *fresh, oc_name name);
/* Returns the new name of one of the graph's own values; the name itself if it has no new one. */
oc_name oc_renames_get(const oc_renames *r, oc_name name);

/* Renames the values that g defines, in their definitions and declarations; uses of the values
 * are not changed. The model's arena reports a failure. */
void oc_renames_apply(const oc_renames *r, oc_model *m, oc_graph *g);
/* Changes name i of the list *list of n names. *own is NULL before the first change, which
 * copies the list into the model's arena and sets *own and *list to the copy; so a list that
 * needs no change is never written. Returns false when memory runs out. */
bool oc_rename_at(oc_model *m, const oc_name **list, oc_name **own, int n, int i, oc_name name);
