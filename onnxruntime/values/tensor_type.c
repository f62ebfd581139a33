/* SPDX-License-Identifier: Apache-2.0
 * tensor_type.c - the type of a value, and the element type and dims of a tensor, as the interface
 * tells them. */
#include "common/functions.h"
#include "common/interface.h"
#include "values/types.h"
#include "values/value.h"

OrtStatus *ort_GetTypeInfo(const OrtValue *value, OrtTypeInfo **out)
{
    ORT_NEED(value && out);
    oc_port port = {
        .kind = value->kind, .type = value->type, .key_type = value->key, .rank = value->rank};
    memcpy(port.dim, value->dim, sizeof port.dim);
    return ort_type_of_port(&port, out);
}

ORT_MAKER(ort_CreateTensorTypeAndShapeInfo, OrtTensorTypeAndShapeInfo,
          sizeof(OrtTensorTypeAndShapeInfo))

void ort_ReleaseTensorTypeAndShapeInfo(OrtTensorTypeAndShapeInfo *info)
{
    if (info)
        ort_tensor_type_clear(info);
    free(info);
}

OrtStatus *ort_SetTensorElementType(OrtTensorTypeAndShapeInfo *info,
                                    ONNXTensorElementDataType number)
{
    ORT_NEED(info);
    const oc_type type = ort_type(number);
    ORT_EXPECT(type || number == ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
               "element type %d is unknown", (int)number);
    info->type = type;
    return NULL;
}

OrtStatus *ort_SetDimensions(OrtTensorTypeAndShapeInfo *info, const int64_t *dim, size_t n)
{
    ORT_NEED(info && (dim || !n));
    ORT_EXPECT(n <= OC_MAX_RANK, "%zu dimensions, at most %d are served", n, (int)OC_MAX_RANK);
    for (size_t i = 0; i < n; i++)
        ORT_EXPECT(dim[i] >= -1, "dim %zu is %lld, expected -1 (any size) or more", i,
                   (long long)dim[i]);
    info->rank = (int)n;
    for (size_t i = 0; i < n; i++)
        info->dim[i] = dim[i];
    return NULL;
}

OrtStatus *ort_SetSymbolicDimensions(OrtTensorTypeAndShapeInfo *info, const char **name, size_t n)
{
    ORT_NEED(info && (name || !n));
    ORT_EXPECT(n <= OC_MAX_RANK, "%zu dimensions, at most %d are served", n, (int)OC_MAX_RANK);
    for (size_t i = 0; i < n; i++)
        ORT_TRY(ort_set_text(&info->name[i], name[i]));
    return NULL;
}

ORT_GETTER(ort_GetTensorElementType, OrtTensorTypeAndShapeInfo, info, ONNXTensorElementDataType,
           ort_type_number(info->type))

bool ort_TensorTypeAndShape_HasShape(const OrtTensorTypeAndShapeInfo *info)
{
    return info && info->rank >= 0;
}

static size_t rank_of(const OrtTensorTypeAndShapeInfo *info)
{
    return info->rank > 0 ? (size_t)info->rank : 0;
}

ORT_GETTER(ort_GetDimensionsCount, OrtTensorTypeAndShapeInfo, info, size_t, rank_of(info))

OrtStatus *ort_GetDimensions(const OrtTensorTypeAndShapeInfo *info, int64_t *dim, size_t n)
{
    ORT_NEED(info && (dim || !n));
    for (size_t i = 0; i < n && i < rank_of(info); i++)
        dim[i] = info->dim[i];
    return NULL;
}

OrtStatus *ort_GetSymbolicDimensions(const OrtTensorTypeAndShapeInfo *info, const char **name,
                                     size_t n)
{
    ORT_NEED(info && (name || !n));
    for (size_t i = 0; i < n && i < rank_of(info); i++)
        name[i] = info->name[i] ? info->name[i] : "";
    return NULL;
}

/* All bits set where a dim is not known. */
OrtStatus *ort_GetTensorShapeElementCount(const OrtTensorTypeAndShapeInfo *info, size_t *out)
{
    ORT_NEED(info && out);
    *out = info->rank >= 0;
    for (size_t i = 0; i < rank_of(info); i++) {
        if (info->dim[i] < 0)
            return ort_fail(ORT_FAIL, "dim %zu has no size, so that there is no count of elements",
                            i);
        ORT_EXPECT(!info->dim[i] || *out <= INT64_MAX / (size_t)info->dim[i],
                   "there are more elements than can be counted");
        *out *= (size_t)info->dim[i];
    }
    return NULL;
}

OrtStatus *ort_GetTensorTypeAndShape(const OrtValue *value, OrtTensorTypeAndShapeInfo **out)
{
    ORT_NEED(out);
    ORT_EXPECT(value && value->kind == OC_TENSOR, "GetTensorTypeAndShape: the value is no tensor");
    ORT_TRY(ort_CreateTensorTypeAndShapeInfo(out));
    (*out)->type = value->type;
    return ort_SetDimensions(*out, value->dim, (size_t)value->rank);
}

OrtStatus *ort_GetTensorElementTypeAndShapeDataReference(const OrtValue *value,
                                                         ONNXTensorElementDataType *type,
                                                         const int64_t **dim, size_t *n)
{
    ORT_NEED(type && dim && n);
    ORT_EXPECT(value && value->kind == OC_TENSOR,
               "GetTensorElementTypeAndShapeDataReference: the value is no tensor");
    *type = ort_type_number(value->type);
    *n = (size_t)value->rank;
    *dim = *n ? value->dim : NULL;
    return NULL;
}
