/* SPDX-License-Identifier: Apache-2.0
 * need.h - which nodes and values of the main graph does a part of a model need? */
#ifndef OC_GRAPH_NEED_H
#define OC_GRAPH_NEED_H

#include "graph/graph.h"

#include <ocellus_model.h>

/* The values that a part begins and ends with. */
typedef struct oc_part {
    const oc_cut *from;
    const char *const *to; /* NULL: the outputs of the model */
    int n_from, n_to;
} oc_part;

typedef struct oc_need {
    const oc_model *model;
    const oc_part *part;
    oc_arena *arena;
    oc_name_map producer; /* every value of the main graph, to the index of its node or OC_GIVEN */
    oc_name_map cut;      /* the values that the part begins with, to indices of part->from */
    oc_name_map needed;   /* the values that it ends with, or that its nodes use */
    bool *kept;           /* of each node of the main graph: has the part it? */
    oc_error *e;
} oc_need;

enum { OC_GIVEN = 1 << 30 }; /* stands for the node of inputs and initializers */

/* Fills need, in memory of the arena. A value that is not there, or is named twice, is an error,
 * and so is a part without a node. */
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

#endif
