/* SPDX-License-Identifier: Apache-2.0
 * types.h - what is known of the types of values while calls become bodies. */
#ifndef OC_BODIES_TYPES_H
#define OC_BODIES_TYPES_H

#include "graph/graph.h"
#include "ops/kit/sig.h"

/* The type of a tensor's elements, or of the elements of a sequence's or optional's items. */
typedef struct oc_known_type {
    oc_kind kind;
    oc_type type; /* OC_UNDEFINED: nothing is known, the kind neither */
} oc_known_type;

/* Types by the values' names, in the memory of an arena. */
typedef struct oc_types {
    oc_name_map of;
    oc_sig_cache sigs;
    const oc_op *host_ops; /* operators of the host's own; NULL: none */
} oc_types;

oc_types oc_types_new(oc_arena *arena, const oc_op *host_ops);
/* A type that is not known changes nothing. Failed allocations are remembered by the arena. */
void oc_types_put(oc_types *t, oc_name value, oc_known_type type);
/* The type that was put last: graphs beside each other may give a name to different values. */
oc_known_type oc_types_get(const oc_types *t, oc_name value);
/* The type if no other was ever put. */
oc_known_type oc_types_only(const oc_types *t, oc_name value);

/* Puts what is known of the outputs of a node that runs under version opset, from the types of its
 * inputs, of its attributes, and of the outputs of graphs within these. Fails when memory runs
 * out. */
oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e);

/* Puts the types of inputs of a graph, attribute attr of the node, that the graph does not declare
 * and the node's own inputs tell. */
oc_status oc_types_enter(oc_types *types, const oc_node *node, int64_t opset, const char *attr,
                         const oc_graph *g, oc_error *e);

/* What a declaration says. */
oc_known_type oc_known_from(const oc_type_info *declared);

#endif
