/* SPDX-License-Identifier: Apache-2.0
 * types.c - types of inputs, outputs and values, as the interface tells them. */
#include "values/types.h"

#include "common/element_type.h"
#include "common/functions.h"
#include "common/interface.h"

/* ---- making them ---- */

static OrtStatus *new_info(ONNXType kind, OrtTypeInfo **info)
{
    ORT_TRY(ort_new(sizeof **info, info));
    (*info)->kind = kind;
    (*info)->tensor.rank = -1;
    return NULL;
}

static OrtStatus *set_dims(OrtTensorTypeAndShapeInfo *t, int rank, const int64_t *dim,
                           const char *const *name)
{
    t->rank = rank;
    for (int i = 0; i < rank; i++) {
        t->dim[i] = dim[i];
        ORT_TRY(ort_copy_text(name ? name[i] : NULL, &t->name[i]));
    }
    return NULL;
}

void ort_tensor_type_clear(OrtTensorTypeAndShapeInfo *info)
{
    for (int i = 0; i < OC_MAX_RANK; i++)
        free(info->name[i]);
}

/* A tensor of that type whose dims are not told. */
static OrtStatus *new_element(oc_type type, OrtTypeInfo **info)
{
    ORT_TRY(new_info(ONNX_TYPE_TENSOR, info));
    (*info)->tensor.type = type;
    return NULL;
}

static OrtStatus *new_map(oc_type key, oc_type type, OrtTypeInfo **info)
{
    ORT_TRY(new_info(ONNX_TYPE_MAP, info));
    (*info)->key = key;
    return new_element(type, &(*info)->item);
}

/* A type of a kind that is no tensor. */
static OrtStatus *new_list(oc_kind kind, oc_type key, oc_type type, OrtTypeInfo **info)
{
    if (kind == OC_MAP)
        return new_map(key, type, info);
    ORT_TRY(new_info(kind == OC_SEQUENCE ? ONNX_TYPE_SEQUENCE : ONNX_TYPE_OPTIONAL, info));
    return key ? new_map(key, type, &(*info)->item) : new_element(type, &(*info)->item);
}

/* Frees *info after a failure. */
static OrtStatus *free_if_failed(OrtStatus *status, OrtTypeInfo **info)
{
    if (status) {
        ort_ReleaseTypeInfo(*info);
        *info = NULL;
    }
    return status;
}

static OrtStatus *describe_port(const oc_port *port, OrtTypeInfo **info)
{
    if (port->kind != OC_TENSOR)
        return new_list(port->kind, port->key_type, port->type, info);
    ORT_TRY(new_element(port->type, info));
    return set_dims(&(*info)->tensor, port->rank, port->dim, port->dim_name);
}

OrtStatus *ort_type_of_port(const oc_port *port, OrtTypeInfo **info)
{
    *info = NULL;
    return free_if_failed(describe_port(port, info), info);
}

void ort_ReleaseTypeInfo(OrtTypeInfo *info)
{
    if (!info)
        return;
    ort_tensor_type_clear(&info->tensor);
    ort_ReleaseTypeInfo(info->item);
    free(info);
}

static OrtStatus *copy_info(const OrtTypeInfo *from, OrtTypeInfo **copy)
{
    *copy = NULL;
    if (!from)
        return NULL;
    ORT_TRY(new_info(from->kind, copy));
    (*copy)->tensor.type = from->tensor.type;
    (*copy)->key = from->key;
    ORT_TRY(set_dims(&(*copy)->tensor, from->tensor.rank, from->tensor.dim,
                     (const char *const *)from->tensor.name));
    return copy_info(from->item, &(*copy)->item);
}

/* ---- asking them ---- */

ORT_GETTER(ort_GetOnnxTypeFromTypeInfo, OrtTypeInfo, info, ONNXType, info->kind)

/* The denotation that a model's file may have for a type is not told. */
OrtStatus *ort_GetDenotationFromTypeInfo(const OrtTypeInfo *, const char **const out, size_t *size)
{
    ORT_NEED(out && size);
    *out = "";
    *size = 0;
    return NULL;
}

ORT_GETTER(ort_CastTypeInfoToTensorInfo, OrtTypeInfo, info, const OrtTensorTypeAndShapeInfo *,
           info->kind == ONNX_TYPE_TENSOR ? &info->tensor : NULL)
ORT_GETTER(ort_CastTypeInfoToMapTypeInfo, OrtTypeInfo, info, const OrtMapTypeInfo *,
           info->kind == ONNX_TYPE_MAP ? (const OrtMapTypeInfo *)info : NULL)
ORT_GETTER(ort_CastTypeInfoToSequenceTypeInfo, OrtTypeInfo, info, const OrtSequenceTypeInfo *,
           info->kind == ONNX_TYPE_SEQUENCE ? (const OrtSequenceTypeInfo *)info : NULL)
ORT_GETTER(ort_CastTypeInfoToOptionalTypeInfo, OrtTypeInfo, info, const OrtOptionalTypeInfo *,
           info->kind == ONNX_TYPE_OPTIONAL ? (const OrtOptionalTypeInfo *)info : NULL)
ORT_GETTER(ort_GetMapKeyType, OrtMapTypeInfo, info, ONNXTensorElementDataType,
           ort_type_number(((const OrtTypeInfo *)info)->key))

/* Defines a function that gives a copy of the type of a map's values, of a sequence's items or of
 * an optional's item. */
#define ORT_ITEM(function, type)                                                                   \
    OrtStatus *function(const type *info, OrtTypeInfo **out)                                       \
    {                                                                                              \
        if (!info || !out)                                                                         \
            return ort_missing(__func__, "info && out");                                           \
        return free_if_failed(copy_info(((const OrtTypeInfo *)info)->item, out), out);             \
    }
ORT_ITEM(ort_GetMapValueType, OrtMapTypeInfo)
ORT_ITEM(ort_GetSequenceElementType, OrtSequenceTypeInfo)
ORT_ITEM(ort_GetOptionalContainedTypeInfo, OrtOptionalTypeInfo)

/* A program gets these by CastTypeInfoTo..., as parts of an OrtTypeInfo, which frees them. */
void ort_ReleaseMapTypeInfo(OrtMapTypeInfo *) {}

void ort_ReleaseSequenceTypeInfo(OrtSequenceTypeInfo *) {}
