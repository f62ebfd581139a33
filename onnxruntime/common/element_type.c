/* SPDX-License-Identifier: Apache-2.0
 * element_type.c - element types of the interface and of Ocellus, and their sizes. */
#include "common/element_type.h"

/* The types whose numbers differ; other types have the number of their oc_type. */
static const struct {
    oc_type type;
    ONNXTensorElementDataType number;
} other[] = {
    {OC_U2, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2},
    {OC_I2, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2},
    {OC_F8E8M0, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0},
};

oc_type ort_type(ONNXTensorElementDataType number)
{
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (other[i].number == number)
            return other[i].type;
    return (unsigned)number <= OC_F4E2M1 ? (oc_type)number : OC_UNDEFINED;
}

ONNXTensorElementDataType ort_type_number(oc_type type)
{
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (other[i].type == type)
            return other[i].number;
    return (ONNXTensorElementDataType)type;
}

int ort_type_bits(oc_type type)
{
    const bool four = type == OC_U4 || type == OC_I4 || type == OC_F4E2M1;
    return four ? 4 : type == OC_U2 || type == OC_I2 ? 2 : 8;
}

size_t ort_type_bytes(oc_type type, int64_t count)
{
    const size_t per_byte = 8 / (size_t)ort_type_bits(type);
    return ((size_t)count * oc_type_size(type) + per_byte - 1) / per_byte;
}
