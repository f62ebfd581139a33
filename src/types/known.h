/* SPDX-License-Identifier: Apache-2.0
 * known.h - the types of values that are known before anything runs, and those that a node gives
 * its outputs. */
#ifndef OC_TYPES_KNOWN_H
#define OC_TYPES_KNOWN_H

#include "graph/graph.h"
#include "ops/signature/sig_types.h"

/* Known types by the names of values. */
typedef struct oc_type_table {
    oc_name_map of;
    const struct oc_type_table *outer; /* of the graph around; NULL: none */
} oc_type_table;

oc_type_table oc_type_table_new(oc_arena *arena, const oc_type_table *outer);
/* Remembers a value's type. A type that is not known changes nothing. The arena remembers failed
 * allocations. */
void oc_type_put(oc_type_table *t, oc_name value, oc_known_type type);
/* The type that was put last, in this table or the nearest around it. In a table of several graphs
 * two that stand beside each other may give one name to different values. */
oc_known_type oc_type_get(const oc_type_table *t, oc_name value);
/* The value's type if this table had only one type put for it; else not known. */
oc_known_type oc_type_only(const oc_type_table *t, oc_name value);
/* The type that a declaration gives. */
oc_known_type oc_type_declared(const oc_type_info *declared);

/* A node whose types are followed. */
typedef struct oc_typed_node {
    const oc_node *node;
    const oc_sig *sig;
    const oc_type_table *types; /* of the graph that the node is in */
    /* The types in the graph of attribute a of sig. NULL: they are in the same table. */
    const oc_type_table *(*within)(const void *ctx, int a);
    const void *ctx;
    /* true: what graphs give counts where all of them give the same. false: what one gives counts,
     * and where nothing else is known the output has the elements of the first input. */
    bool certain;
    oc_known_type bound[OC_SIG_VARS]; /* by oc_typed_inputs */
} oc_typed_node;

/* Takes the types of the node's inputs. Returns whether they agree with the signature's variables.
 */
bool oc_typed_inputs(oc_typed_node *n);
/* The type of output i, as far as inputs, attributes and graphs tell it. */
oc_known_type oc_typed_output(const oc_typed_node *n, int i);

#endif
