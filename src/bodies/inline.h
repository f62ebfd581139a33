/* SPDX-License-Identifier: Apache-2.0
 * inline.h - calls of functions replaced by their bodies, as a rewrite of the graph.
 *
 * Inner values are renamed "call/value" so that nothing clashes; attribute references are bound to
 * the call's attributes or the function's defaults (an attribute whose reference is bound to
 * nothing is dropped); missing optional inputs become missing inputs inside; nodes of the body get
 * the body's own opset in oc_node.opset. Works inside subgraphs too. */
#ifndef OC_BODIES_INLINE_H
#define OC_BODIES_INLINE_H

#include "bodies/choose.h"
#include "bodies/types.h"

/* Makes *out, a new model that borrows names' text and elements from m, without calls of m's own
 * functions or of those that the chooser has a body for (NULL: none). types, if not NULL, receives
 * what is known of the new model's values. Recursion is refused, path named.
 *
 * A chosen body is parsed for the call: inputs and attributes of a node within a body are what they
 * are in the call at hand. In such a body a node of domain "attribute" stands for a graph attribute
 * of the function, called as its operator: the nodes of that graph, with its inputs bound to the
 * node's and its outputs to the node's. */
oc_status oc_model_inline(const oc_model *m, oc_chooser *chooser, oc_types *types, oc_model **out,
                          oc_error *e);

#endif
