/* SPDX-License-Identifier: Apache-2.0
 * tensor.c - tensors of numbers, as the interface has them. */
#include "common/functions.h"
#include "common/interface.h"
#include "values/value.h"

/* The type of a tensor that a program makes. */
static OrtStatus *read_type(ONNXTensorElementDataType number, oc_type *type)
{
    *type = ort_type(number);
    ORT_EXPECT(*type, "element type %d is unknown", (int)number);
    return NULL;
}

OrtStatus *ort_CreateTensorAsOrtValue(OrtAllocator *allocator, const int64_t *dim, size_t rank,
                                      ONNXTensorElementDataType number, OrtValue **out)
{
    ORT_NEED(out);
    oc_type type;
    ORT_TRY(read_type(number, &type));
    return ort_value_new(allocator, type, rank > OC_MAX_RANK ? OC_MAX_RANK + 1 : (int)rank, dim,
                         out);
}

/* Makes a tensor over size bytes of the program's memory. */
static OrtStatus *new_over(void *data, size_t size, const int64_t *dim, size_t rank,
                           ONNXTensorElementDataType number, OrtValue **out)
{
    oc_type type;
    ORT_TRY(read_type(number, &type));
    ORT_EXPECT(type != OC_STRING,
               "a tensor of strings cannot lie in memory of the program: make it by "
               "CreateTensorAsOrtValue and FillStringTensor");
    ORT_TRY(ort_value_over(data, type, rank > OC_MAX_RANK ? OC_MAX_RANK + 1 : (int)rank, dim, out));
    const size_t need = ort_type_bytes(type, (*out)->count);
    if (need <= size && (data || !need))
        return NULL;
    char text[ORT_VALUE_TEXT];
    OrtStatus *status = ort_fail(ORT_INVALID_ARGUMENT, "%s takes %zu bytes, %zu are given",
                                 ort_value_text(*out, text), need, data ? size : 0);
    ort_ReleaseValue(*out);
    *out = NULL;
    return status;
}

OrtStatus *ort_CreateTensorWithDataAsOrtValue(const OrtMemoryInfo *info, void *data, size_t size,
                                              const int64_t *dim, size_t rank,
                                              ONNXTensorElementDataType number, OrtValue **out)
{
    ORT_NEED(out);
    ORT_TRY(ort_expect_cpu(info));
    return new_over(data, size, dim, rank, number, out);
}

OrtStatus *ort_CreateTensorWithDataAndDeleterAsOrtValue(OrtAllocator *deleter, void *data,
                                                        size_t size, const int64_t *dim,
                                                        size_t rank,
                                                        ONNXTensorElementDataType number,
                                                        OrtValue **out)
{
    ORT_NEED(out);
    ORT_TRY(new_over(data, size, dim, rank, number, out));
    (*out)->allocator = deleter;
    return NULL;
}

ORT_GETTER(ort_IsTensor, OrtValue, value, int, value->kind == OC_TENSOR)

OrtStatus *ort_IsSparseTensor(const OrtValue *, int *out)
{
    ORT_NEED(out);
    *out = 0;
    return NULL;
}

ORT_GETTER(ort_HasValue, OrtValue, value, int, value->kind != OC_OPTIONAL)

OrtStatus *ort_GetValueType(const OrtValue *value, ONNXType *out)
{
    ORT_NEED(value && out);
    static const ONNXType type[] = {ONNX_TYPE_TENSOR, ONNX_TYPE_SEQUENCE, ONNX_TYPE_OPTIONAL,
                                    ONNX_TYPE_MAP};
    *out = type[value->kind];
    return NULL;
}

static OrtStatus *expect_tensor(const char *call, const OrtValue *value)
{
    ORT_EXPECT(value && value->kind == OC_TENSOR, "%s: the value is no tensor", call);
    return NULL;
}

static OrtStatus *expect_numbers(const char *call, const OrtValue *value)
{
    ORT_TRY(expect_tensor(call, value));
    ORT_EXPECT(value->type != OC_STRING,
               "%s: the tensor has strings, which GetStringTensorContent gives", call);
    return NULL;
}

/* Strings have an address too, which programs ask for before they see that these are strings. */
OrtStatus *ort_GetTensorMutableData(OrtValue *value, void **out)
{
    ORT_NEED(out);
    ORT_TRY(expect_tensor("GetTensorMutableData", value));
    *out = value->type == OC_STRING ? value->strings : value->data;
    return NULL;
}

OrtStatus *ort_GetTensorData(const OrtValue *value, const void **out)
{
    ORT_NEED(out);
    ORT_TRY(expect_tensor("GetTensorData", value));
    *out = value->type == OC_STRING ? value->strings : value->data;
    return NULL;
}

OrtStatus *ort_GetTensorSizeInBytes(const OrtValue *value, size_t *out)
{
    ORT_NEED(out);
    ORT_TRY(expect_numbers("GetTensorSizeInBytes", value));
    *out = ort_type_bytes(value->type, value->count);
    return NULL;
}

OrtStatus *ort_GetTensorMemoryInfo(const OrtValue *, const OrtMemoryInfo **out)
{
    ORT_NEED(out);
    *out = ort_cpu_memory();
    return NULL;
}

OrtStatus *ort_TensorAt(OrtValue *value, const int64_t *location, size_t n, void **out)
{
    ORT_NEED((location || !n) && out);
    ORT_TRY(expect_numbers("TensorAt", value));
    ORT_EXPECT(n == (size_t)value->rank, "TensorAt: %zu indices for a tensor of rank %d", n,
               value->rank);
    ORT_EXPECT(ort_type_bits(value->type) == 8, "TensorAt: elements of %s share their bytes",
               oc_type_name(value->type));
    int64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        ORT_EXPECT(location[i] >= 0 && location[i] < value->dim[i],
                   "TensorAt: index %lld of axis %zu, which has %lld", (long long)location[i], i,
                   (long long)value->dim[i]);
        at = at * value->dim[i] + location[i];
    }
    *out = (char *)value->data + (size_t)at * oc_type_size(value->type);
    return NULL;
}

OrtStatus *ort_CopyTensors(const OrtEnv *env, const OrtValue *const *from, OrtValue *const *to,
                           OrtSyncStream *, size_t n)
{
    ORT_NEED(env && ((from && to) || !n));
    for (size_t i = 0; i < n; i++) {
        ORT_TRY(expect_numbers("CopyTensors", from[i]));
        ORT_TRY(expect_numbers("CopyTensors", to[i]));
        const size_t size = ort_type_bytes(from[i]->type, from[i]->count);
        ORT_EXPECT(from[i]->type == to[i]->type &&
                       size == ort_type_bytes(to[i]->type, to[i]->count),
                   "CopyTensors: tensor %zu differs in type or size from its target", i);
        if (size)
            memmove(to[i]->data, from[i]->data, size);
    }
    return NULL;
}
