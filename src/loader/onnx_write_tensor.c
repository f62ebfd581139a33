/* SPDX-License-Identifier: Apache-2.0
 * onnx_write_tensor.c - turns elements, types and declared values into protobuf-c's structs. */
#include "loader/onnx_write.h"

#include "base/int.h"
#include "loader/wire_scan.h"
#include "tensor/bits.h"

char *oc_write_text(const char *text)
{
    return *text ? (char *)(uintptr_t)text : NULL;
}

void *oc_write_new(oc_arena *a, const ProtobufCMessageDescriptor *type)
{
    void *message = oc_arena_alloc(a, type->sizeof_message);
    if (message)
        protobuf_c_message_init(type, message);
    return message;
}

void *oc_write_list(oc_arena *a, size_t *n_to, const void *items, int n, size_t item_size,
                    void *(*write)(oc_arena *a, const void *item))
{
    void **list = oc_arena_array(a, (size_t)n, sizeof *list);
    *n_to = 0;
    for (int i = 0; list && i < n; i++)
        if ((list[*n_to] = write(a, (const char *)items + (size_t)i * item_size)) != NULL)
            ++*n_to;
    return list;
}

ProtobufCBinaryData *oc_write_strings(oc_arena *a, const oc_string *s, int64_t n, size_t *n_to)
{
    ProtobufCBinaryData *list = oc_arena_array(a, (size_t)n, sizeof *list);
    *n_to = 0;
    for (int64_t i = 0; list && i < n; i++)
        list[(*n_to)++] = (ProtobufCBinaryData){s[i].size, (uint8_t *)(uintptr_t)s[i].data};
    return list;
}

static void *write_pair(oc_arena *a, const void *item)
{
    const oc_pair *p = item;
    Onnx__StringStringEntryProto *e = oc_write_new(a, &onnx__string_string_entry_proto__descriptor);
    if (e) {
        e->key = (char *)(uintptr_t)p->key;
        e->value = (char *)(uintptr_t)p->value;
    }
    return e;
}

/* Adds bytes, which begin with the key of a field, to message as an unknown field. The encoder
 * writes them unchanged. */
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
    return oc_write_list(a, n, p->item, p->n, sizeof *p->item, write_pair);
}

/* ---- tensors ---- */

/* Sets raw_data, which is little-endian like memory. Elements of 2 and 4 bits are packed. */
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

void *oc_write_constant(oc_arena *a, const void *item)
{
    const oc_constant *c = item;
    const oc_value *v = &c->value;
    Onnx__TensorProto *t = oc_write_new(a, &onnx__tensor_proto__descriptor);
    if (!t)
        return NULL;
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
        t->string_data = oc_write_strings(a, v->data, oc_value_n(v), &t->n_string_data);
    else
        write_raw(a, v, t);
    return t;
}

void *oc_write_sparse(oc_arena *a, const void *item)
{
    const oc_sparse *s = item;
    Onnx__SparseTensorProto *t = oc_write_new(a, &onnx__sparse_tensor_proto__descriptor);
    if (!t)
        return NULL;
    t->values = oc_write_constant(a, &s->values);
    t->indices = oc_write_constant(a, &s->indices);
    t->n_dims = (size_t)s->dims.rank;
    t->dims = (int64_t *)(uintptr_t)s->dims.n;
    return t;
}

/* ---- types ---- */

static void *write_dim(oc_arena *a, const void *item)
{
    const oc_dim *d = item;
    Onnx__TensorShapeProto__Dimension *out =
        oc_write_new(a, &onnx__tensor_shape_proto__dimension__descriptor);
    if (!out)
        return NULL;
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
    Onnx__TensorShapeProto *s =
        t->rank < 0 ? NULL : oc_write_new(a, &onnx__tensor_shape_proto__descriptor);
    if (s)
        OC_WRITE_LIST(a, s->dim, s->n_dim, t->dims, t->rank, write_dim);
    return s;
}

/* Allocates and initialises the message for one kind, and sets the union and its case for it. */
#define NEW(kind, member, type)                                                                    \
    out->value_case = ONNX__TYPE_PROTO__VALUE_##kind##_TYPE;                                       \
    if (!(out->member = oc_write_new(a, &onnx__type_proto__##type##__descriptor)))                 \
    return NULL

void *oc_write_type(oc_arena *a, const void *item)
{
    const oc_type_info *t = item;
    Onnx__TypeProto *out = oc_write_new(a, &onnx__type_proto__descriptor);
    if (!out)
        return NULL;
    out->denotation = oc_write_text(t->denotation);
    switch (t->kind) {
    case OC_TYPE_NONE:
        break;
    case OC_TYPE_TENSOR:
        NEW(TENSOR, tensor_type, tensor);
        out->tensor_type->has_elem_type = true;
        out->tensor_type->elem_type = (int32_t)t->type;
        out->tensor_type->shape = write_shape(a, t);
        break;
    case OC_TYPE_SPARSE:
        NEW(SPARSE_TENSOR, sparse_tensor_type, sparse_tensor);
        out->sparse_tensor_type->has_elem_type = true;
        out->sparse_tensor_type->elem_type = (int32_t)t->type;
        out->sparse_tensor_type->shape = write_shape(a, t);
        break;
    case OC_TYPE_SEQUENCE:
        NEW(SEQUENCE, sequence_type, sequence);
        out->sequence_type->elem_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_OPTIONAL:
        NEW(OPTIONAL, optional_type, optional);
        out->optional_type->elem_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_MAP:
        NEW(MAP, map_type, map);
        out->map_type->has_key_type = true;
        out->map_type->key_type = (int32_t)t->type;
        out->map_type->value_type = oc_write_type(a, t->item);
        break;
    case OC_TYPE_OPAQUE:
        NEW(OPAQUE, opaque_type, opaque);
        out->opaque_type->domain = oc_write_text(t->opaque_domain);
        out->opaque_type->name = oc_write_text(t->opaque_name);
        break;
    }
    return out;
}

void *oc_write_value_info(oc_arena *a, const void *item)
{
    const oc_value_info *v = item;
    Onnx__ValueInfoProto *out = oc_write_new(a, &onnx__value_info_proto__descriptor);
    if (!out)
        return NULL;
    out->name = (char *)(uintptr_t)v->name;
    out->doc_string = oc_write_text(v->doc);
    out->metadata_props = oc_write_pairs(a, &v->metadata, &out->n_metadata_props, &out->base);
    if (v->type.kind != OC_TYPE_NONE || *v->type.denotation)
        out->type = oc_write_type(a, &v->type);
    return out;
}
