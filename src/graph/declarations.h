/* SPDX-License-Identifier: Apache-2.0
 * declarations.h - what a graph declares of its values, by name. */
#ifndef OC_GRAPH_DECLARATIONS_H
#define OC_GRAPH_DECLARATIONS_H

#include "graph/graph.h"

/* The lists of a graph that name values. */
typedef enum oc_declarer {
    OC_BY_INPUT,
    OC_BY_OUTPUT,
    OC_BY_VALUE, /* oc_graph.value */
    OC_BY_INITIALIZER,
    OC_BY_SPARSE,
    OC_BY_NODE, /* outputs of nodes, of which nothing else is declared */
    OC_N_DECLARERS,
    OC_BY_NOTHING = OC_N_DECLARERS
} oc_declarer;

/* A table of names, which lists only some of the lists. */
typedef struct oc_declarations {
    const oc_graph *graph;
    oc_name_map number_of; /* the lists stand one behind the other */
    oc_declarer list[OC_N_DECLARERS];
    int n_list;
} oc_declarations;

/* What is declared of one value. */
typedef struct oc_declaration {
    oc_declarer by;
    int i;                     /* its place in that list; of OC_BY_NODE always 0 */
    const oc_value_info *info; /* of an input, output or value; else NULL */
    oc_type type;              /* of an initializer, sparse or not, as are its dims; */
    const oc_dims *dims;       /* else OC_UNDEFINED and NULL */
} oc_declaration;

/* The table of these n lists in the memory of an arena. Where several lists have a name, the first
 * counts, and in a list its first place. The arena remembers failed allocations. */
oc_declarations oc_declarations_of(const oc_graph *g, const oc_declarer *list, int n,
                                   oc_arena *arena);
/* OC_BY_NOTHING where no list has the name, and for "". */
oc_declaration oc_declaration_find(const oc_declarations *t, oc_name name);

#endif
