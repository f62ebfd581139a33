/* SPDX-License-Identifier: Apache-2.0
 * call_text.h - how messages name a node that a function body replaces. */
#pragma once

#include "graph/node_text.h"

/* Writes oc_node_text of a call that runs under this opset version of its domain, and returns
 * text. The version in the text is that of the built-in operator that serves the call, else that
 * of the built-in body. When there is neither, the text has no version. */
const char *oc_call_text(const oc_node *call, int64_t opset, char text[OC_NODE_TEXT]);
