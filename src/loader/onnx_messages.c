/* SPDX-License-Identifier: Apache-2.0
 * onnx_messages.c - the names of the wire schema's messages, whose descriptors have none, and
 * which messages keep fields that the schema does not declare. */
#include "loader/wire_scan.h"

#include "onnx.pb-c.h"

static const struct {
    const ProtobufCMessageDescriptor *type;
    const char *name;
} messages[] = {
#define OC_MESSAGE(descriptor, name) {&descriptor, name},
#include "onnx_messages.def"
#undef OC_MESSAGE
};

bool oc_message_keeps_rest(const ProtobufCMessageDescriptor *type)
{
    return type == &onnx__model_proto__descriptor || type == &onnx__graph_proto__descriptor ||
           type == &onnx__node_proto__descriptor || type == &onnx__tensor_proto__descriptor ||
           type == &onnx__value_info_proto__descriptor || type == &onnx__function_proto__descriptor;
}

const char *oc_message_name(const ProtobufCMessageDescriptor *type)
{
    int i = 0;
    while (messages[i].type != type) /* every message has an entry */
        i++;
    return messages[i].name;
}
