/* SPDX-License-Identifier: Apache-2.0
 * inline.h - replaces calls of functions by their bodies, as a rewrite of the graph.
 *
 * Inner values are renamed "call/value" so that names do not clash. Attribute references are bound
 * to the call's attributes or to the function's defaults; an attribute whose reference is bound to
 * nothing is dropped. A missing optional input of the call is a missing input in the body. Nodes of
 * the body get the body's own opset in oc_node.opset. Calls in subgraphs are replaced too. */
#pragma once

#include "bodies/choose.h"

/* *out becomes a new model that has no calls of m's own functions or of functions that the chooser
 * has a body for. chooser may be NULL: then only m's own functions are replaced. *out borrows the
 * text of names, and elements, from m. types, if not NULL, receives what is known of the types of
 * the new model's values. Recursion is refused; the message names the path of calls.
 *
 * A chosen body is parsed for the call: a node within a body has the inputs and attributes that it
 * has in that call. In a chosen body, a node of domain "attribute" calls a graph attribute of the
 * function; its operator is the attribute's name. The nodes of that graph take its place, with the
 * graph's inputs and outputs bound to the node's. */
oc_status oc_model_inline(const oc_model *m, oc_chooser *chooser, oc_types *types, oc_model **out,
                          oc_error *e);
