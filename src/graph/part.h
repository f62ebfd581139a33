/* SPDX-License-Identifier: Apache-2.0
 * part.h - makes a model from the nodes between some values of a main graph and others. */
#pragma once

#include "graph/graph.h"

#include <ocellus_model.h>

/* The values that a part of a model begins with and ends with. */
typedef struct oc_part {
    const oc_cut *from;
    const char *const *to; /* NULL: the part ends with the outputs of the model */
    int n_from, n_to;
} oc_part;

/* *out becomes a new model of the nodes that compute part->to from part->from, with the inputs,
 * initializers, functions, imports and declarations that these nodes use. It borrows from m and
 * shares its names. It is not checked. Its inputs and outputs are declared as m declares these
 * values. part NULL: the new model has all that m has. Declarations are its own. */
oc_status oc_part_extract(const oc_model *m, const oc_part *part, oc_watch *watch, oc_model **out,
                          oc_error *e);

/* ---- which nodes and values does the part need? (need.c) ---- */

typedef struct oc_need {
    const oc_model *model;
    const oc_part *part;
    oc_arena *arena;
    /* maps every value of the main graph to the index of its node, or to OC_GIVEN */
    oc_name_map producer;
    oc_name_map cut; /* maps the values that the part begins with to their indices in part->from */
    oc_name_map needed; /* the values that the part ends with or that its nodes use */
    bool *kept;         /* for each node of the main graph: true when the part has it */
    oc_error *e;
} oc_need;

enum { OC_GIVEN = 1 << 30 }; /* stands for inputs and initializers, which no node produces */

/* Fills need in memory of the arena. It is an error if a value does not exist or is named twice,
 * or if the part has no node. */
oc_status oc_need_find(oc_need *need, const oc_model *m, const oc_part *part, oc_arena *arena,
                       oc_error *e);

static inline bool oc_need_has(const oc_need *need, oc_name name)
{
    return oc_name_map_get(&need->needed, name) >= 0;
}

static inline bool oc_need_cuts(const oc_need *need, oc_name name)
{
    return oc_name_map_get(&need->cut, name) >= 0;
}
