/* SPDX-License-Identifier: Apache-2.0
 * declarations.h - what does a graph declare about a value, by the value's name? */
#pragma once

#include "graph/graph.h"

/* The lists of a graph that name values. */
typedef enum oc_declarer {
    OC_BY_INPUT,
    OC_BY_OUTPUT,
    OC_BY_VALUE, /* the list oc_graph.value */
    OC_BY_INITIALIZER,
    OC_BY_SPARSE,
    OC_BY_NODE, /* outputs of nodes; nothing else is declared about them */
    OC_N_DECLARERS,
    OC_BY_NOTHING = OC_N_DECLARERS
} oc_declarer;

/* A table of the names in some of a graph's lists. */
typedef struct oc_declarations {
    const oc_graph *graph;
    oc_name_map number_of; /* numbers the places of the lists, one list after the other */
    oc_declarer list[OC_N_DECLARERS];
    int n_list;
} oc_declarations;

/* What a graph declares about one value. */
typedef struct oc_declaration {
    oc_declarer by;
    int i;                     /* place in that list; always 0 for OC_BY_NODE */
    const oc_value_info *info; /* for an input, output or value; else NULL */
    /* The type and dims of an initializer, which may be sparse. For other values they are
     * OC_UNDEFINED and NULL. */
    oc_type type;
    const oc_dims *dims;
} oc_declaration;

/* Makes the table of these n lists in memory of the arena. When a name stands in several lists, the
 * first list counts, and within a list its first place. The arena remembers failed allocations. */
oc_declarations oc_declarations_of(const oc_graph *g, const oc_declarer *list, int n,
                                   oc_arena *arena);
/* Returns what is declared about the name. by is OC_BY_NOTHING when no list has the name, and
 * for "". */
oc_declaration oc_declaration_find(const oc_declarations *t, oc_name name);
