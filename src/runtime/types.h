/* SPDX-License-Identifier: Apache-2.0
 * types.h - what types a node's outputs have, by its operator's signature. */
#ifndef OC_RUNTIME_TYPES_H
#define OC_RUNTIME_TYPES_H

#include <ocellus.h>

#include "graph/types.h"
#include "ops/kit/sig.h"

/* Puts what is known of the outputs of a node that runs under version opset, from the types of its
 * inputs, of its attributes, and of the outputs of graphs within these. Fails when memory runs
 * out. */
oc_status oc_note_types(oc_sig_cache *sigs, const oc_op *host_ops, oc_types *types,
                        const oc_node *node, int64_t opset, oc_error *e);

#endif
