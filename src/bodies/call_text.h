/* SPDX-License-Identifier: Apache-2.0
 * call_text.h - what messages call a node that becomes its body. */
#ifndef OC_BODIES_CALL_TEXT_H
#define OC_BODIES_CALL_TEXT_H

#include "graph/node_text.h"

/* oc_node_text of a call under that opset version of its domain, with the version of the built-in
 * operator that serves it, else of the built-in body; without one where there is neither. */
const char *oc_call_text(const oc_node *call, int64_t opset, char text[OC_NODE_TEXT]);

#endif
