/* SPDX-License-Identifier: Apache-2.0
 * element_type.h - element types: their numbers in the interface, and the bytes that elements take
 * there. */
#ifndef ORT_ELEMENT_TYPE_H
#define ORT_ELEMENT_TYPE_H

#include "common/abi.h"

#include <ocellus.h>

/* The element type that a number of the interface means; OC_UNDEFINED: none. */
oc_type ort_type(ONNXTensorElementDataType number);
ONNXTensorElementDataType ort_type_number(oc_type type);
/* Elements of these types are packed in tensors of the interface: 8 / bits to a byte. 8: not. */
int ort_type_bits(oc_type type);
/* Bytes that so many elements take there. */
size_t ort_type_bytes(oc_type type, int64_t count);

#endif
