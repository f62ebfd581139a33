/* SPDX-License-Identifier: Apache-2.0
 * row_compatible.h - do two versions of an operator mean the same for a node? */
#ifndef OC_BODIES_ROW_COMPATIBLE_H
#define OC_BODIES_ROW_COMPATIBLE_H

#include "bodies/types.h"

/* Would the node, which row a serves, mean the same to row b? Either row may be NULL: then not.
 * Where the type of a value is not known, all that a takes count. */
bool oc_row_compatible(const oc_op *a, const oc_op *b, const oc_node *n, oc_types *types);

#endif
