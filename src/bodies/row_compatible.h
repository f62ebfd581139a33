/* SPDX-License-Identifier: Apache-2.0
 * row_compatible.h - do two versions of an operator mean the same for a node? */
#pragma once

#include "bodies/types.h"

/* Would the node, which version a serves, mean the same if version b served it? The answer is no
 * if a or b is NULL. If the type of a value is unknown, b must accept every type that a accepts. */
bool oc_row_compatible(const oc_op *a, const oc_op *b, const oc_node *n, oc_types *types);
