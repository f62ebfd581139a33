/* SPDX-License-Identifier: Apache-2.0
 * wire_scan.h - checks wire bytes before anything decodes them.
 *
 * The scan goes through the bytes by the decoder's own descriptors. It refuses malformed bytes:
 * lengths past the end, depth over 100, groups, bad varints, wrong wire types, NUL in texts, a
 * second message in a field that holds one. It copies the rest into a small skeleton, in which
 * indices into a table of payloads replace the elements of tensors, and the field OC_REST holds
 * all fields of a message that the schema does not declare. Only the skeleton is decoded. Each
 * byte that decides anything is read once, or read again from the copy, so that bytes which
 * change during the scan do no harm. */
#pragma once

#include "base/memory.h"

#include <protobuf-c/protobuf-c.h>

/* Field numbers of TensorProto that hold elements. */
enum {
    OC_DATA_FLOAT = 4,
    OC_DATA_INT32 = 5,
    OC_DATA_INT64 = 7,
    OC_DATA_RAW = 9,
    OC_DATA_DOUBLE = 10,
    OC_DATA_UINT64 = 11
};

/* Fields that the skeleton adds to TensorProto: the index of the tensor's first payload, and the
 * number of its payloads, which are consecutive. They are absent when the tensor has none. */
enum { OC_FIRST_PAYLOAD = 10000, OC_PAYLOADS = 10001 };

/* A field that the skeleton adds to a message for which oc_message_keeps_rest is true. It holds
 * the keys and values of the fields that the schema does not declare, as they stand in the
 * scanned bytes. The schema does not declare OC_REST either. */
enum { OC_REST = 10002 };

/* A piece of a tensor's elements in the scanned bytes: raw bytes, little-endian words of 4 or 8
 * bytes, or varints, as field tells. */
typedef struct oc_payload {
    const uint8_t *bytes;
    size_t size;
    int field;
} oc_payload;

typedef struct oc_skeleton {
    oc_memory *memory;
    uint8_t *bytes;
    size_t size, room;
    oc_payload *payload;
    size_t n_payload, payload_room;
    size_t plain; /* number of scanned bytes that are not in payloads */
    /* The number of messages with undeclared fields that no graph keeps; then the first such
     * message and the number of such a field. */
    size_t n_lost;
    const ProtobufCMessageDescriptor *lost;
    uint64_t lost_field;
} oc_skeleton;

/* Scans bytes, a message of the given type, into *out, which the caller frees with
 * oc_skeleton_free; on failure it is freed already. tensor is the descriptor of TensorProto. The
 * payloads point into bytes. */
oc_status oc_scan(oc_memory *memory, const void *bytes, size_t size,
                  const ProtobufCMessageDescriptor *type, const ProtobufCMessageDescriptor *tensor,
                  oc_skeleton *out, oc_error *e);
void oc_skeleton_free(oc_skeleton *s);

/* onnx_messages.c: returns the name of a message for error messages. */
const char *oc_message_name(const ProtobufCMessageDescriptor *type);
/* Does the graph keep undeclared fields of the message (oc_pairs)? */
bool oc_message_keeps_rest(const ProtobufCMessageDescriptor *type);

/* Reads one varint at *at and moves *at past it. Returns false when it is cut off or longer than
 * ten bytes. */
bool oc_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value);

/* Returns whether the bytes are one or more whole protobuf fields, each a key and its value. */
bool oc_are_fields(const uint8_t *bytes, size_t size);
