/* SPDX-License-Identifier: Apache-2.0
 * types.h - which types of values are known while bodies replace calls? */
#pragma once

#include "types/known.h"

/* The known types of all graphs, in one table in the memory of an arena. */
typedef struct oc_types {
    oc_type_table of;
    oc_sig_cache sigs;
    const oc_op *host_ops; /* the host's own operators; NULL: there are none */
} oc_types;

oc_types oc_types_new(oc_arena *arena, const oc_op *host_ops);

/* Stores the types of the outputs of a node that runs under version opset, as far as the node's
 * inputs, its attributes and the outputs of its graphs determine them. Fails when memory runs
 * out. */
oc_status oc_types_follow(oc_types *types, const oc_node *node, int64_t opset, oc_error *e);

/* Stores the types of a graph's inputs. The graph is attribute attr of the node. An input for
 * which the graph declares no type gets the type of the node's input that it takes. */
oc_status oc_types_enter(oc_types *types, const oc_node *node, int64_t opset, const char *attr,
                         const oc_graph *g, oc_error *e);
