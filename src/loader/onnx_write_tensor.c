/* SPDX-License-Identifier: Apache-2.0
 * onnx_write_tensor.c - elements, types and declared values as protobuf-c's structs. */
#include "loader/onnx_write.h"

#include "base/int.h"
#include "loader/wire_scan.h"
#include "tensor/bits.h"
#include "tensor/convert.h"

#include <string.h>

char *oc_write_text(const char *text)
{
    return *text ? (char *)(uintptr_t)text : NULL;
}

/* Makes one field of the bytes, which begin with a key, that the encoder writes as they are. */
static void write_rest(oc_arena *a, const oc_string *rest, ProtobufCMessage *message)
{
    ProtobufCMessageUnknownField *f = oc_arena_alloc(a, sizeof *f);
    const uint8_t *at = (const uint8_t *)rest->data, *end = at + rest->size;
    uint64_t key;
    if (!f || !oc_read_varint(&at, end, &key))
        return;
    *f = (ProtobufCMessageUnknownField){.tag = (uint32_t)(key >> 3),
                                        .wire_type = (ProtobufCWireType)(key & 7),
                                        .len = (size_t)(end - at),
                                        .data = (uint8_t *)(uintptr_t)at};
    message->n_unknown_fields = 1;
    message->unknown_fields = f;
}

Onnx__StringStringEntryProto **oc_write_pairs(oc_arena *a, const oc_pairs *p, size_t *n,
                                              ProtobufCMessage *message)
{
    if (p->rest)
        write_rest(a, p->rest, message);
    Onnx__StringStringEntryProto **list = oc_arena_array(a, (size_t)p->n, sizeof *list);
    *n = 0;
    for (int i = 0; list && i < p->n; i++) {
        Onnx__StringStringEntryProto *e = oc_arena_alloc(a, sizeof *e);
        if (!e)
            break;
        onnx__string_string_entry_proto__init(e);
        e->key = (char *)(uintptr_t)p->item[i].key;
        e->value = (char *)(uintptr_t)p->item[i].value;
        list[(*n)++] = e;
    }
    return list;
}

/* ---- tensors ---- */

static void write_strings(oc_arena *a, const oc_value *v, Onnx__TensorProto *t)
{
    const oc_string *s = v->data;
    const size_t n = (size_t)oc_value_n(v);
    t->string_data = oc_arena_array(a, n, sizeof *t->string_data);
    for (; t->string_data && t->n_string_data < n; t->n_string_data++)
        t->string_data[t->n_string_data] = (ProtobufCBinaryData){
            s[t->n_string_data].size, (uint8_t *)(uintptr_t)s[t->n_string_data].data};
}

/* Sets raw_data, which is little-endian, as memory is. Elements of 2 and 4 bits are packed. */
static void write_raw(oc_arena *a, const oc_value *v, Onnx__TensorProto *t)
{
    const int bits = oc_type_bits(v->type);
    t->has_raw_data = true;
    t->raw_data = (ProtobufCBinaryData){oc_value_bytes(v), v->data};
    if (bits >= 8)
        return;
    const int64_t n = oc_value_n(v), per_byte = 8 / bits;
    t->raw_data.len = (size_t)oc_div_up(n, per_byte);
    t->raw_data.data = oc_arena_alloc(a, t->raw_data.len);
    if (t->raw_data.data)
        oc_pack_bits(t->raw_data.data, v->type, v->data, n);
}

Onnx__TensorProto *oc_write_tensor(oc_arena *a, const oc_value *v, const char *name)
{
    return oc_write_constant(a, &(oc_constant){.name = name, .doc = "", .value = *v});
}

Onnx__TensorProto *oc_write_constant(oc_arena *a, const oc_constant *c)
{
    const oc_value *v = &c->value;
    Onnx__TensorProto *t = oc_arena_alloc(a, sizeof *t);
    if (!t)
        return NULL;
    onnx__tensor_proto__init(t);
    t->name = oc_write_text(c->name);
    t->doc_string = oc_write_text(c->doc);
    t->metadata_props = oc_write_pairs(a, &c->metadata, &t->n_metadata_props, &t->base);
    t->has_data_type = true;
    t->data_type = (int32_t)v->type;
    t->n_dims = (size_t)v->dims.rank;
    t->dims = oc_arena_array(a, t->n_dims, sizeof *t->dims);
    if (t->dims)
        memcpy(t->dims, v->dims.n, t->n_dims * sizeof *t->dims);
    if (v->type == OC_STRING)
        write_strings(a, v, t);
    else
        write_raw(a, v, t);
    return t;
}

Onnx__SparseTensorProto *oc_write_sparse(oc_arena *a, const oc_sparse *s)
{
    Onnx__SparseTensorProto *t = oc_arena_alloc(a, sizeof *t);
    if (!t)
        return NULL;
    onnx__sparse_tensor_proto__init(t);
    t->values = oc_write_constant(
        a, &(oc_constant){
               .name = s->name, .doc = s->doc, .metadata = s->metadata, .value = s->values});
    t->indices = oc_write_constant(a, &(oc_constant){.name = s->indices_name,
                                                     .doc = s->indices_doc,
                                                     .metadata = s->indices_metadata,
                                                     .value = s->indices});
    t->n_dims = (size_t)s->dims.rank;
    t->dims = (int64_t *)(uintptr_t)s->dims.n;
    return t;
}

/* ---- types ---- */

static Onnx__TensorShapeProto__Dimension *write_dim(oc_arena *a, const oc_dim *d)
{
    Onnx__TensorShapeProto__Dimension *out = oc_arena_alloc(a, sizeof *out);
    if (!out)
        return NULL;
    onnx__tensor_shape_proto__dimension__init(out);
    if (d->n >= 0) {
        out->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        out->dim_value = d->n;
    } else if (*d->symbol) {
        out->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
        out->dim_param = oc_write_text(d->symbol);
    }
    if (d->denotation)
        out->denotation = oc_write_text(d->denotation);
    return out;
}

static Onnx__TensorShapeProto *write_shape(oc_arena *a, const oc_type_info *t)
{
    Onnx__TensorShapeProto *s = t->rank < 0 ? NULL : oc_arena_alloc(a, sizeof *s);
    if (!s)
        return NULL;
    onnx__tensor_shape_proto__init(s);
    OC_WRITE_LIST(a, s->dim, s->n_dim, t->dims, t->rank, write_dim);
    return s;
}

/* Allocates and initialises the message for one kind, and sets the union member for it. */
#define NEW(member, init)                                                                          \
    out->member = oc_arena_alloc(a, sizeof *out->member);                                          \
    if (!out->member)                                                                              \
        return NULL;                                                                               \
    init(out->member)

Onnx__TypeProto *oc_write_type(oc_arena *a, const oc_type_info *t)
{
    Onnx__TypeProto *out = oc_arena_alloc(a, sizeof *out);
    if (!out)
        return NULL;
    onnx__type_proto__init(out);
    out->denotation = oc_write_text(t->denotation);
    switch (t->kind) {
    case OC_TYPE_NONE:
        break;
    case OC_TYPE_TENSOR:
        out->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
        NEW(tensor_type, onnx__type_proto__tensor__init);
        out->tensor_type->has_elem_type = true;
        out->tensor_type->elem_type = (int32_t)t->type;
        out->tensor_type->shape = write_shape(a, t);
        break;
    case OC_TYPE_SPARSE:
        out->value_case = ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE;
        NEW(sparse_tensor_type, onnx__type_proto__sparse_tensor__init);
        out->sparse_tensor_type->has_elem_type = true;
        out->sparse_tensor_type->elem_type = (int32_t)t->type;
        out->sparse_tensor_type->shape = write_shape(a, t);
        break;
    case OC_TYPE_SEQUENCE:
        out->value_case = ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE;
        NEW(sequence_type, onnx__type_proto__sequence__init);
        out->sequence_type->elem_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_OPTIONAL:
        out->value_case = ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE;
        NEW(optional_type, onnx__type_proto__optional__init);
        out->optional_type->elem_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_MAP:
        out->value_case = ONNX__TYPE_PROTO__VALUE_MAP_TYPE;
        NEW(map_type, onnx__type_proto__map__init);
        out->map_type->has_key_type = true;
        out->map_type->key_type = (int32_t)t->type;
        out->map_type->value_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_OPAQUE:
        out->value_case = ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE;
        NEW(opaque_type, onnx__type_proto__opaque__init);
        out->opaque_type->domain = oc_write_text(t->opaque_domain);
        out->opaque_type->name = oc_write_text(t->opaque_name);
        break;
    }
    return out;
}

Onnx__ValueInfoProto *oc_write_value_info(oc_arena *a, const oc_value_info *v)
{
    Onnx__ValueInfoProto *out = oc_arena_alloc(a, sizeof *out);
    if (!out)
        return NULL;
    onnx__value_info_proto__init(out);
    out->name = (char *)(uintptr_t)v->name;
    out->doc_string = oc_write_text(v->doc);
    out->metadata_props = oc_write_pairs(a, &v->metadata, &out->n_metadata_props, &out->base);
    if (v->type.kind != OC_TYPE_NONE || *v->type.denotation)
        out->type = oc_write_type(a, &v->type);
    return out;
}
