/* SPDX-License-Identifier: Apache-2.0
 * node_text.h - the text by which every message names a node. */
#pragma once

#include "graph/graph.h"

enum { OC_NODE_TEXT = 400 }; /* room for every node's text */

/* Writes "node 'cat_3' (Concat-13)". A node without a name is called by its first output: "node
 * of 'y' (Concat-13)"; a node that has no outputs either is "node without a name (Concat-13)". A
 * domain other than ONNX's is shown: "node 'f1' (my.f-2)". version is the first opset version of
 * this form of the operator, not the imported version; with 0 the text omits it. The middle of a
 * long name is replaced by "...". Returns text. */
const char *oc_node_text(const oc_node *n, int64_t version, char text[OC_NODE_TEXT]);
