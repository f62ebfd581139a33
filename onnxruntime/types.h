/* SPDX-License-Identifier: Apache-2.0
 * types.h - what is known of a value: its kind, element type and dims. */
#ifndef ORT_TYPES_H
#define ORT_TYPES_H

#include "status.h"

struct OrtTensorTypeAndShapeInfo {
    oc_type type;
    int rank;                 /* -1: not known */
    int64_t dim[OC_MAX_RANK]; /* -1: not known */
    char *name[OC_MAX_RANK];  /* of a dim that is a symbol; NULL: "" */
};

struct OrtMapTypeInfo {
    oc_type key;
    OrtTypeInfo *value;
};

struct OrtSequenceTypeInfo {
    OrtTypeInfo *item;
};

struct OrtOptionalTypeInfo {
    OrtTypeInfo *item;
};

struct OrtTypeInfo {
    ONNXType kind;
    OrtTensorTypeAndShapeInfo tensor; /* the one of these that kind says is set */
    OrtMapTypeInfo map;
    OrtSequenceTypeInfo sequence;
    OrtOptionalTypeInfo optional;
};

/* The element type that a number of the interface means; OC_UNDEFINED: none. */
oc_type ort_type(ONNXTensorElementDataType number);
ONNXTensorElementDataType ort_type_number(oc_type type);
/* Elements of these types are packed in tensors of the interface: 8 / bits to a byte. 8: not. */
int ort_type_bits(oc_type type);
/* Returns the bytes that this number of elements takes there. */
size_t ort_type_bytes(oc_type type, int64_t count);

/* *info becomes what is known of an input or output. */
OrtStatus *ort_type_of_port(const oc_port *port, OrtTypeInfo **info);
void ort_tensor_type_clear(OrtTensorTypeAndShapeInfo *info);

#endif
