/* SPDX-License-Identifier: Apache-2.0
 * known.h - the types of values that are known before a run, and the types that a node gives its
 * outputs. */
#pragma once

#include "graph/graph.h"
#include "ops/signature/sig_types.h"

/* Maps the names of values to their known types. */
typedef struct oc_type_table {
    oc_name_map of;
    const struct oc_type_table *outer; /* table of the graph around this one; NULL: there is none */
} oc_type_table;

oc_type_table oc_type_table_new(oc_arena *arena, const oc_type_table *outer);
/* Stores a value's type. A type that is not known changes nothing. The arena remembers failed
 * allocations. */
void oc_type_put(oc_type_table *t, oc_name value, oc_known_type type);
/* Returns the type that was stored last for the value, in this table or in the nearest one
 * around it. When one table serves several graphs, two sibling graphs may give one name to
 * different values. */
oc_known_type oc_type_get(const oc_type_table *t, oc_name value);
/* Returns the value's type if only one type was stored for it in this table; else a type that is
 * not known. */
oc_known_type oc_type_only(const oc_type_table *t, oc_name value);
/* Returns the type that a declaration gives. */
oc_known_type oc_type_declared(const oc_type_info *declared);

/* A node whose output types are wanted. */
typedef struct oc_typed_node {
    const oc_node *node;
    const oc_sig *sig;
    const oc_type_table *types; /* types in the node's own graph */
    /* Returns the types in the graph that attribute a of sig holds. NULL: that graph's types are
     * in `types`. */
    const oc_type_table *(*within)(const void *ctx, int a);
    const void *ctx;
    /* true: a type counts when all graphs of the node give it. false: a type counts when one
     * graph gives it, and an output about which nothing is known gets the element type of the
     * first input. */
    bool certain;
    oc_known_type bound[OC_SIG_VARS]; /* filled by oc_typed_inputs */
} oc_typed_node;

/* Reads the types of the node's inputs. Returns whether they agree with the signature's
 * variables. */
bool oc_typed_inputs(oc_typed_node *n);
/* Returns the type of output i, as far as inputs, attributes and graphs determine it. */
oc_known_type oc_typed_output(const oc_typed_node *n, int i);
