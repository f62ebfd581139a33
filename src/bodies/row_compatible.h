/* SPDX-License-Identifier: Apache-2.0
 * row_compatible.h - do two versions of an operator mean the same for a node? */
#ifndef OC_BODIES_ROW_COMPATIBLE_H
#define OC_BODIES_ROW_COMPATIBLE_H

#include "bodies/types.h"

/* Would the node, which version a serves, mean the same if version b served it? No if either
 * version is NULL. If the type of a value is not known, b must take every type that a takes. */
bool oc_row_compatible(const oc_op *a, const oc_op *b, const oc_node *n, oc_types *types);

#endif
