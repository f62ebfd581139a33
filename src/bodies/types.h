/* SPDX-License-Identifier: Apache-2.0
 * types.h - which types of values are known while bodies replace calls. */
#ifndef OC_BODIES_TYPES_H
#define OC_BODIES_TYPES_H

#include "graph/graph.h"
#include "ops/kit/sig_types.h"

#include <ocellus_op.h>

/* Known types by the names of values, in the memory of an arena. */
typedef struct oc_types {
    oc_name_map of;
    oc_sig_cache sigs;
    const oc_op *host_ops; /* the host's own operators; NULL: none */
} oc_types;

oc_types oc_types_new(oc_arena *arena, const oc_op *host_ops);
/* Remembers a value's type. A type that is not known changes nothing. The arena remembers failed
 * allocations. */
void oc_types_put(oc_types *t, oc_name value, oc_known_type type);
/* The type that was put last. Graphs beside each other may give one name to different values. */
oc_known_type oc_types_get(const oc_types *t, oc_name value);
/* The value's type if only one type was ever put for it; else not known. */
oc_known_type oc_types_only(const oc_types *t, oc_name value);

/* Puts the types of the outputs of a node that runs under version opset, as far as its inputs, its
 * attributes and the outputs of its graphs tell them. Fails when memory runs out. */
oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e);

/* Puts the types of a graph's inputs. The graph is attribute attr of the node. An input for which
 * the graph declares no type gets the type of the node's input that it takes. */
oc_status oc_types_enter(oc_types *types, const oc_node *node, int64_t opset, const char *attr,
                         const oc_graph *g, oc_error *e);

/* The type that a declaration gives. */
oc_known_type oc_known_from(const oc_type_info *declared);

#endif
