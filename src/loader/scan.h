/* SPDX-License-Identifier: Apache-2.0
 * scan.h - the bounded look at wire bytes before anything decodes them.
 *
 * The scan walks the bytes by the decoder's own descriptors, refuses what is malformed (lengths
 * past the end, depth over 100, groups, bad varints, wrong wire types, NUL in texts, a message
 * given twice where one may stand), drops unknown fields, and copies the rest into a small skeleton
 * in which the elements of tensors are replaced by places in a table of payloads. Only the skeleton
 * is decoded; payload bytes are never touched. */
#ifndef OC_LOADER_SCAN_H
#define OC_LOADER_SCAN_H

#include "base/memory.h"
#include "base/status.h"

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

/* Field numbers of TensorProto in the skeleton: the first of its payloads, and how many follow one
 * another from there. Absent when it has none. */
enum { OC_FIRST_PAYLOAD = 10000, OC_PAYLOADS = 10001 };

/* Elements in place: raw bytes, little-endian 4- or 8-byte words, or varints, as field says. */
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
    size_t plain; /* how many of the bytes scanned are no payload */
} oc_skeleton;

/* type: what the bytes are; tensor: the descriptor of TensorProto. */
oc_status oc_scan(oc_memory *memory, const void *bytes, size_t size,
                  const ProtobufCMessageDescriptor *type, const ProtobufCMessageDescriptor *tensor,
                  oc_skeleton *out, oc_error *e);
void oc_skeleton_free(oc_skeleton *s);

/* One varint at *at, which moves past it; false when it is cut off or longer than ten bytes. */
bool oc_read_varint(const uint8_t **at, const uint8_t *end, uint64_t *value);

#endif
