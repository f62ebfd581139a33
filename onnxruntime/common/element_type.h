/* SPDX-License-Identifier: Apache-2.0
 * element_type.h - element types: their numbers in the interface, and the bytes that elements take
 * there. */
#pragma once

#include "common/abi.h"

#include <ocellus.h>

/* Returns the element type that a number of the interface means, or OC_UNDEFINED. */
oc_type ort_type(ONNXTensorElementDataType number);
ONNXTensorElementDataType ort_type_number(oc_type type);
/* Returns how many bits an element takes in a tensor of the interface: 4 or 2 for types that are
 * packed there, 8 for all others, whatever their size. */
int ort_type_bits(oc_type type);
/* Returns how many bytes count elements take in a tensor of the interface. */
size_t ort_type_bytes(oc_type type, int64_t count);
