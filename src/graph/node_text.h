/* SPDX-License-Identifier: Apache-2.0
 * node_text.h - what every message calls a node. */
#ifndef OC_GRAPH_NODE_TEXT_H
#define OC_GRAPH_NODE_TEXT_H

#include "graph/graph.h"

enum { OC_NODE_TEXT = 400 }; /* bytes that every node's text fits in */

/* "node 'cat_3' (Concat-13)"; for a node without a name "node of 'y' (Concat-13)", where 'y' is the
 * first output that it has; for one without outputs too "node without a name (Concat-13)". A domain
 * other than ONNX's is shown: "node 'f1' (my.f-2)". version is that of the operator, which a
 * version of the domain serves for long; 0: it is not known, and left out. Long names lose their
 * middle, and keep both ends. Returns text. */
const char *oc_node_text(const oc_node *n, int64_t version, char text[OC_NODE_TEXT]);

#endif
