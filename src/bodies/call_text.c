/* SPDX-License-Identifier: Apache-2.0
 * call_text.c - how messages name a node that a function body replaces. */
#include "bodies/call_text.h"

#include "bodies/table.h"
#include "ops/kit/registry.h"

const char *oc_call_text(const oc_node *call, int64_t opset, char text[OC_NODE_TEXT])
{
    int oldest;
    const oc_op *version = oc_op_find(NULL, call->domain, call->op_type, opset, &oldest);
    const oc_body *body = oc_body_find(call->domain, call->op_type, opset);
    return oc_node_text(call, version ? version->since : body ? body->since : 0, text);
}
