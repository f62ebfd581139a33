/* SPDX-License-Identifier: Apache-2.0
 * types.h - what is known of the types of values while a graph is rewritten. */
#ifndef OC_GRAPH_TYPES_H
#define OC_GRAPH_TYPES_H

#include "graph/graph.h"

/* The type of a tensor's elements, or of the elements of a sequence's or optional's items. */
typedef struct oc_known_type {
    oc_kind kind;
    oc_type type; /* OC_UNDEFINED: nothing is known, the kind neither */
} oc_known_type;

/* Types by the values' names. */
typedef struct oc_types {
    oc_name_map of;
} oc_types;

oc_types oc_types_new(oc_arena *arena);
/* A type that is not known changes nothing. Failed allocations are remembered by the arena. */
void oc_types_put(oc_types *t, oc_name value, oc_known_type type);
/* The type that was put last: graphs beside each other may give a name to different values. */
oc_known_type oc_types_get(const oc_types *t, oc_name value);
/* The type if no other was ever put. */
oc_known_type oc_types_only(const oc_types *t, oc_name value);

/* What a declaration says. */
oc_known_type oc_known_from(const oc_type_info *declared);

#endif
