/* SPDX-License-Identifier: Apache-2.0
 * onnx_messages.c - what is a message of the wire schema called? Its descriptor has no name. */
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

const char *oc_message_name(const ProtobufCMessageDescriptor *type)
{
    int i = 0;
    while (messages[i].type != type) /* every message has a line */
        i++;
    return messages[i].name;
}
