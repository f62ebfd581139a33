/* SPDX-License-Identifier: Apache-2.0
 * inline.h - calls of functions replaced by their bodies, as a rewrite of the graph.
 *
 * Inner values are renamed "call/value" so that nothing clashes; attribute references are bound to
 * the call's attributes or the function's defaults (an attribute whose reference is bound to
 * nothing is dropped); missing optional inputs become missing inputs inside; nodes of the body get
 * the body's own opset in oc_node.opset. Works inside subgraphs too. */
#ifndef OC_GRAPH_INLINE_H
#define OC_GRAPH_INLINE_H

#include "graph/graph.h"

/* Tells which function replaces the node (which runs under version opset of its domain); NULL to
 * keep the node. Attributes and missing inputs of a node within a body are what they are in the
 * call at hand. Model-local functions are found by the inliner itself, before this is asked. */
typedef const oc_function *oc_body_fn(void *ctx, const oc_node *node, int64_t opset);

/* Makes *out, a new model that borrows names' text and elements from m, without calls of m's own
 * functions or of those body_of gives. body_of may be NULL. Recursion is refused, path named. */
oc_status oc_model_inline(const oc_model *m, oc_body_fn *body_of, void *ctx, oc_model **out,
                          oc_error *e);

#endif
