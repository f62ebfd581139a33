/* SPDX-License-Identifier: Apache-2.0
 * element_type.c - element types of the interface and of Ocellus, and their sizes. */
#include "common/element_type.h"

/* Where the numbers of the two differ: from 24 on, of 8 bits of an exponent, and of 2 bits. */
oc_type ort_type(ONNXTensorElementDataType number)
{
    switch (number) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2:
        return OC_U2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2:
        return OC_I2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0:
        return OC_F8E8M0;
    default:
        return (unsigned)number <= OC_F4E2M1 ? (oc_type)number : OC_UNDEFINED;
    }
}

ONNXTensorElementDataType ort_type_number(oc_type type)
{
    switch ((int)type) {
    case OC_U2:
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2;
    case OC_I2:
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2;
    case OC_F8E8M0:
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0;
    default:
        return (ONNXTensorElementDataType)type;
    }
}

int ort_type_bits(oc_type type)
{
    switch ((int)type) {
    case OC_U4:
    case OC_I4:
    case OC_F4E2M1:
        return 4;
    case OC_U2:
    case OC_I2:
        return 2;
    default:
        return 8;
    }
}

size_t ort_type_bytes(oc_type type, int64_t count)
{
    const size_t per_byte = 8 / (size_t)ort_type_bits(type);
    return per_byte > 1 ? ((size_t)count + per_byte - 1) / per_byte
                        : (size_t)count * oc_type_size(type);
}
