/* SPDX-License-Identifier: Apache-2.0
 * fuzz_wire.c - any bytes as a message, whose kind the first byte tells: refused by the scan, or a
 * skeleton that the decoder takes, with payloads within the bytes. */
#include "harness.h"
#include "loader/wire_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ProtobufCMessageDescriptor onnx__model_proto__descriptor,
    onnx__graph_proto__descriptor, onnx__tensor_proto__descriptor,
    onnx__attribute_proto__descriptor, onnx__type_proto__descriptor,
    onnx__sequence_proto__descriptor, onnx__optional_proto__descriptor;

static const ProtobufCMessageDescriptor *const kinds[] = {
    &onnx__model_proto__descriptor,   &onnx__graph_proto__descriptor,
    &onnx__tensor_proto__descriptor,  &onnx__attribute_proto__descriptor,
    &onnx__type_proto__descriptor,    &onnx__sequence_proto__descriptor,
    &onnx__optional_proto__descriptor};

enum { MEMORY_CAP = 64 << 20 };

static void check(const ProtobufCMessageDescriptor *type, const oc_skeleton *s,
                  const uint8_t *bytes, size_t size)
{
    size_t elements = 0;
    for (size_t i = 0; i < s->n_payload; i++) {
        const oc_payload *p = &s->payload[i];
        const size_t at = (size_t)(p->bytes - bytes);
        if (at > size || p->size > size - at)
            abort();
        elements += p->size;
    }
    if (elements + s->plain != size)
        abort();
    ProtobufCMessage *m =
        protobuf_c_message_unpack(type, NULL, s->size, s->bytes ? s->bytes : (const uint8_t *)"");
    if (!m) {
        fprintf(stderr, "a %s that was scanned cannot be decoded\n", oc_message_name(type));
        abort();
    }
    protobuf_c_message_free_unpacked(m, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {OC_OK, ""};
    oc_skeleton s;
    if (size == 0)
        return 0;
    const ProtobufCMessageDescriptor *type = kinds[bytes[0] % (sizeof kinds / sizeof *kinds)];
    oc_memory memory = oc_memory_new(NULL, MEMORY_CAP);
    if (oc_scan(&memory, bytes + 1, size - 1, type, &onnx__tensor_proto__descriptor, &s, &e) ==
        OC_OK) {
        check(type, &s, bytes + 1, size - 1);
        oc_skeleton_free(&s);
    } else if (!*e.text) {
        abort();
    }
    if (memory.live)
        abort();
    return 0;
}
