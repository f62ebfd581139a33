/* SPDX-License-Identifier: Apache-2.0
 * same_row.h - do two versions of an operator mean the same for a node? */
#ifndef OC_RUNTIME_SAME_ROW_H
#define OC_RUNTIME_SAME_ROW_H

#include <ocellus.h>

#include "graph/types.h"
#include "ops/kit/sig.h"

/* Would the node, which row a serves, mean the same to row b? Either row may be NULL: then not.
 * Where the type of a value is not known, all that a takes count. */
bool oc_row_replaces(const oc_op *a, const oc_op *b, const oc_node *n, const oc_types *types,
                     oc_sig_cache *sigs);

#endif
