/* SPDX-License-Identifier: Apache-2.0
 * onnx_type.c - turns TypeProto and ValueInfoProto into declared types. */
#include "loader/onnx.h"

static oc_status read_dim(oc_onnx *x, const Onnx__TensorShapeProto__Dimension *from, oc_dim *to)
{
    *to = (oc_dim){-1, oc_onnx_name(x, NULL), oc_onnx_name(x, from->denotation)};
    if (from->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
        to->n = from->dim_value;
    else if (from->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
        to->symbol = oc_onnx_name(x, from->dim_param);
    if (to->n < -1)
        return oc_error_set(x->e, OC_MODEL, "a declared dimension is %lld, expected >= 0",
                            (long long)to->n);
    return OC_OK;
}

static oc_status read_shape(oc_onnx *x, int elem_type, const Onnx__TensorShapeProto *shape,
                            oc_type_info *out)
{
    if (elem_type != OC_UNDEFINED && !oc_type_is_listed(elem_type))
        return oc_error_set(x->e, OC_UNSUPPORTED, "a declared type has unknown element type %d",
                            elem_type);
    out->type = (oc_type)elem_type;
    out->rank = -1;
    if (!shape)
        return OC_OK;
    oc_dim *dims = oc_arena_array(x->arena, shape->n_dim, sizeof *dims);
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < shape->n_dim; i++)
        OC_TRY(read_dim(x, shape->dim[i], &dims[i]));
    out->dims = dims;
    out->rank = (int)shape->n_dim;
    return OC_OK;
}

static oc_status read_item(oc_onnx *x, const Onnx__TypeProto *from, oc_type_info *out)
{
    oc_type_info *item = oc_arena_alloc(x->arena, sizeof *item);
    OC_TRY(oc_arena_check(x->arena, x->e));
    out->item = item;
    return oc_onnx_type(x, from, item);
}

static oc_status read_kind(oc_onnx *x, const Onnx__TypeProto *t, oc_type_info *out)
{
    switch (t->value_case) {
    case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
        out->kind = OC_TYPE_TENSOR;
        return read_shape(x, t->tensor_type->elem_type, t->tensor_type->shape, out);
    case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
        out->kind = OC_TYPE_SPARSE;
        return read_shape(x, t->sparse_tensor_type->elem_type, t->sparse_tensor_type->shape, out);
    case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
        out->kind = OC_TYPE_SEQUENCE;
        return read_item(x, t->sequence_type->elem_type, out);
    case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
        out->kind = OC_TYPE_OPTIONAL;
        return read_item(x, t->optional_type->elem_type, out);
    case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
        out->kind = OC_TYPE_MAP;
        if (!oc_type_is_listed(t->map_type->key_type))
            return oc_error_set(x->e, OC_UNSUPPORTED, "a declared map has unknown key type %d",
                                t->map_type->key_type);
        out->type = (oc_type)t->map_type->key_type;
        return read_item(x, t->map_type->value_type, out);
    case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
        out->kind = OC_TYPE_OPAQUE;
        out->opaque_domain = oc_onnx_name(x, t->opaque_type->domain);
        out->opaque_name = oc_onnx_name(x, t->opaque_type->name);
        return OC_OK;
    default:
        return OC_OK;
    }
}

oc_status oc_onnx_type(oc_onnx *x, const Onnx__TypeProto *t, oc_type_info *out)
{
    const oc_name none = oc_onnx_name(x, NULL);
    *out = (oc_type_info){.kind = OC_TYPE_NONE,
                          .rank = -1,
                          .denotation = t ? oc_onnx_name(x, t->denotation) : none,
                          .opaque_domain = none,
                          .opaque_name = none};
    if (!t)
        return OC_OK;
    if (x->depth >= OC_MAX_NESTING)
        return oc_error_set(x->e, OC_LIMIT, "types are nested deeper than %d", OC_MAX_NESTING);
    x->depth++;
    OC_TRY(read_kind(x, t, out));
    x->depth--;
    return OC_OK;
}

oc_status oc_onnx_value_infos(oc_onnx *x, size_t n, Onnx__ValueInfoProto *const *from,
                              oc_value_info **out, int *n_out)
{
    oc_value_info *list = oc_arena_array(x->arena, n, sizeof *list);
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < n; i++) {
        list[i].name = oc_onnx_name(x, from[i]->name);
        list[i].doc = oc_onnx_text(x, from[i]->doc_string);
        list[i].metadata =
            oc_onnx_pairs(x, from[i]->n_metadata_props, from[i]->metadata_props, &from[i]->base);
        OC_TRY(oc_onnx_type(x, from[i]->type, &list[i].type));
    }
    *out = list;
    *n_out = (int)n;
    return oc_arena_check(x->arena, x->e);
}
