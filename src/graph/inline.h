/* SPDX-License-Identifier: Apache-2.0
 * inline.h - calls of functions replaced by their bodies, as a rewrite of the graph.
 *
 * Inner values are renamed "call/value" so that nothing clashes; attribute references are bound to
 * the call's attributes or the function's defaults (an attribute whose reference is bound to
 * nothing is dropped); missing optional inputs become missing inputs inside; nodes of the body get
 * the body's own opset in oc_node.opset. Works inside subgraphs too. */
#ifndef OC_GRAPH_INLINE_H
#define OC_GRAPH_INLINE_H

#include "graph/types.h"

/* Where bodies come from, and what nodes give. */
typedef struct oc_body_source {
    void *ctx;
    /* Which function replaces the node (which runs under version opset of its domain); NULL to keep
     * the node. Inputs and attributes of a node within a body are what they are in the call at
     * hand; types has what is known of its inputs. Model-local functions are found by the inliner
     * itself, before this is asked. NULL: no node is replaced. */
    const oc_function *(*body_of)(void *ctx, const oc_node *node, int64_t opset,
                                  const oc_types *types);
    /* Puts the types of a kept node's outputs; those of graphs within its attributes are in types
     * already. NULL: types are those that models declare. */
    oc_status (*note_types)(void *ctx, oc_types *types, const oc_node *node, int64_t opset);
    oc_types *types; /* where to keep what is known of the new model's values; NULL: nowhere */
} oc_body_source;

/* Makes *out, a new model that borrows names' text and elements from m, without calls of m's own
 * functions or of those that source has (NULL: none). Recursion is refused, path named.
 *
 * In a body of source, a node of domain "attribute" stands for a graph attribute of the function,
 * called as its operator: the nodes of that graph, with its inputs bound to the node's and its
 * outputs to the node's. */
oc_status oc_model_inline(const oc_model *m, const oc_body_source *source, oc_model **out,
                          oc_error *e);

#endif
