/* SPDX-License-Identifier: Apache-2.0
 * onnx_tensor.c - TensorProto to elements: every data form of every type, exactly one per tensor.
 */
#include "base/size.h"
#include "graph/build.h"
#include "loader/loader.h"
#include "loader/onnx.h"
#include "loader/raw.h"
#include "tensor/convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *tensor_name(const Onnx__TensorProto *t)
{
    return t->name ? t->name : "";
}

static oc_status bad(const oc_onnx *x, const Onnx__TensorProto *t, oc_status code, const char *what)
{
    return oc_error_set(x->e, code, "tensor '%s': %s", tensor_name(t), what);
}

/* ---- forms ---- */

/* The typed field in which a type's elements stand when they are not raw. */
static int typed_field(oc_type type)
{
    switch (type) {
    case OC_F32:
    case OC_C64:
        return OC_DATA_FLOAT;
    case OC_F64:
    case OC_C128:
        return OC_DATA_DOUBLE;
    case OC_I64:
        return OC_DATA_INT64;
    case OC_U32:
    case OC_U64:
        return OC_DATA_UINT64;
    default:
        return OC_DATA_INT32;
    }
}

/* The one field all payloads of the tensor have; 0 when there is none, -1 when they differ. */
static int payload_field(const oc_onnx *x, const Onnx__TensorProto *t)
{
    int field = 0;
    for (size_t i = 0; i < t->n_payload; i++) {
        const int f = x->skeleton.payload[t->payload[i]].field;
        if (field && (f != field || f == OC_DATA_RAW))
            return -1;
        field = f;
    }
    return field;
}

static oc_status new_tensor(oc_onnx *x, oc_type type, const oc_dims *dims, oc_value *v)
{
    if (x->pool)
        return oc_value_new_tensor(x->pool, type, dims, v, x->e);
    return oc_model_tensor(x->m, type, dims, v, x->e);
}

/* ---- typed fields ---- */

/* Writes a number of int32_data as one element; false when it does not fit the type. */
static bool put_int32(oc_type type, int64_t value, uint8_t *to)
{
    static const struct {
        int64_t low, high;
    } range[5] = {{0, 0}, {0, UINT8_MAX}, {0, UINT16_MAX}, {0, 0}, {INT32_MIN, INT32_MAX}};
    const size_t size = oc_type_size(type);
    int64_t low = range[size].low, high = range[size].high;
    if (type == OC_BOOL)
        high = 1;
    if (type == OC_I8 || type == OC_I16) {
        high /= 2;
        low = -high - 1;
    }
    if (value < low || value > high)
        return false;
    const uint8_t b = (uint8_t)value;
    const uint16_t h = (uint16_t)value;
    const int32_t w = (int32_t)value;
    memcpy(to, size == 1 ? (const void *)&b : size == 2 ? (const void *)&h : &w, size);
    return true;
}

static bool put_varint(oc_type type, uint64_t raw, uint8_t *to)
{
    const uint32_t u32 = (uint32_t)raw;
    switch (type) {
    case OC_I64:
    case OC_U64:
        memcpy(to, &raw, sizeof raw);
        return true;
    case OC_U32:
        memcpy(to, &u32, sizeof u32);
        return raw <= UINT32_MAX;
    default:
        return put_int32(type, (int64_t)raw, to);
    }
}

/* Reads exactly n varints, of all pieces in turn, as elements of the type. */
static oc_status from_varints(oc_onnx *x, const Onnx__TensorProto *t, oc_type type, int64_t n,
                              uint8_t *to)
{
    const size_t elem = oc_type_size(type);
    int64_t k = 0;
    for (size_t i = 0; i < t->n_payload; i++) {
        const oc_payload *p = &x->skeleton.payload[t->payload[i]];
        const uint8_t *at = p->bytes, *end = p->bytes + p->size;
        for (; at < end; k++, to += elem) {
            uint64_t value;
            if (!oc_read_varint(&at, end, &value))
                return bad(x, t, OC_FORMAT, "a varint of its data is malformed");
            if (k == n)
                return bad(x, t, OC_FORMAT, "more elements than dims say");
            if (!put_varint(type, value, to))
                return oc_error_set(x->e, OC_VALUE,
                                    "tensor '%s': element %" PRId64 " does not fit %s",
                                    tensor_name(t), k, oc_type_name(type));
        }
    }
    return k == n ? OC_OK : bad(x, t, OC_FORMAT, "fewer elements than dims say");
}

/* The pieces one after another: words are little-endian in files and in memory. */
static oc_status from_words(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const size_t want = oc_value_bytes(v);
    if (t->n_payload == 1) {
        const oc_payload *p = &x->skeleton.payload[t->payload[0]];
        return oc_raw_elements(x->m, x->pool, x->in_place, tensor_name(t), p->bytes, p->size, v, x->e);
    }
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    size_t done = 0;
    for (size_t i = 0; i < t->n_payload; i++) {
        const oc_payload *p = &x->skeleton.payload[t->payload[i]];
        if (p->size > want - done)
            return bad(x, t, OC_FORMAT, "more elements than dims say");
        memcpy((char *)v->data + done, p->bytes, p->size);
        done += p->size;
    }
    return done == want ? OC_OK : bad(x, t, OC_FORMAT, "fewer elements than dims say");
}

/* 2- and 4-bit elements stand packed in int32_data, a byte to a number. */
static oc_status from_packed_varints(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const size_t size = oc_raw_size(v->type, oc_value_n(v));
    uint8_t *bytes = oc_memory_alloc(x->memory, size);
    if (!bytes)
        return oc_memory_error(x->memory, size, x->e);
    oc_status status = from_varints(x, t, OC_U8, (int64_t)size, bytes);
    if (status == OC_OK)
        status = new_tensor(x, v->type, &v->dims, v);
    if (status == OC_OK)
        oc_unpack_bits(v->data, v->type, bytes, oc_value_n(v));
    oc_memory_free(x->memory, bytes, size);
    return status;
}

static oc_status from_strings(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    if ((int64_t)t->n_string_data != oc_value_n(v))
        return bad(x, t, OC_FORMAT, "string_data has not as many entries as dims say");
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    oc_string *out = v->data;
    for (size_t i = 0; i < t->n_string_data; i++) {
        const ProtobufCBinaryData *s = &t->string_data[i];
        out[i] = (oc_string){oc_arena_text(x->arena, (const char *)s->data, s->len), s->len};
        OC_TRY(oc_arena_check(x->arena, x->e));
    }
    return OC_OK;
}

/* ---- external data ---- */

static oc_status parse_number(oc_onnx *x, const Onnx__TensorProto *t, const char *key,
                              const char *text, int64_t *value)
{
    char *end;
    const long long v = strtoll(text, &end, 10);
    if (end == text || *end || v < 0)
        return oc_error_set(x->e, OC_FORMAT,
                            "tensor '%s': external %s is '%s', expected a number >= 0",
                            tensor_name(t), key, text);
    *value = v;
    return OC_OK;
}

static oc_status from_external(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const char *location = NULL;
    int64_t offset = 0, length = -1;
    for (size_t i = 0; i < t->n_external_data; i++) {
        const char *key = t->external_data[i]->key, *value = t->external_data[i]->value;
        if (!key || !value)
            return bad(x, t, OC_FORMAT, "external_data has an entry without key or value");
        if (strcmp(key, "location") == 0)
            location = value;
        else if (strcmp(key, "offset") == 0)
            OC_TRY(parse_number(x, t, key, value, &offset));
        else if (strcmp(key, "length") == 0)
            OC_TRY(parse_number(x, t, key, value, &length));
    }
    if (!location)
        return bad(x, t, OC_FORMAT, "external data has no location");
    if (!x->m)
        return bad(x, t, OC_FORMAT, "external data is refused outside a model");
    const void *bytes;
    size_t size;
    if (length < 0) /* then the tensor itself tells */
        length = (int64_t)oc_raw_size(v->type, oc_value_n(v));
    OC_TRY(oc_external_data(x->m, location, offset, length, &bytes, &size, x->e));
    return oc_raw_elements(x->m, x->pool, x->in_place, tensor_name(t), bytes, size, v, x->e);
}

/* ---- the tensor ---- */

static oc_status read_header(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    int64_t count;
    size_t bytes;
    if (!oc_type_is_listed(t->data_type))
        return oc_error_set(x->e, OC_UNSUPPORTED, "tensor '%s': data type %d is unknown",
                            tensor_name(t), t->data_type);
    if (t->n_dims > OC_MAX_RANK)
        return oc_error_set(x->e, OC_LIMIT, "tensor '%s': rank %zu, at most %d is supported",
                            tensor_name(t), t->n_dims, OC_MAX_RANK);
    *v = (oc_value){.type = (oc_type)t->data_type, .dims.rank = (int)t->n_dims};
    for (size_t i = 0; i < t->n_dims; i++)
        v->dims.n[i] = t->dims[i];
    if (!oc_dims_bytes(&v->dims, oc_type_size(v->type), &count, &bytes))
        return bad(x, t, OC_SHAPE, "its dims are negative or too large");
    return OC_OK;
}

static oc_status read_typed(oc_onnx *x, const Onnx__TensorProto *t, int field, oc_value *v)
{
    if (field != typed_field(v->type))
        return bad(x, t, OC_FORMAT, "its data stands in a field of another type");
    if (field == OC_DATA_FLOAT || field == OC_DATA_DOUBLE)
        return from_words(x, t, v);
    if (oc_type_bits(v->type) < 8)
        return from_packed_varints(x, t, v);
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    return from_varints(x, t, v->type, oc_value_n(v), v->data);
}

oc_status oc_onnx_tensor(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    OC_TRY(read_header(x, t, v));
    const int field = payload_field(x, t);
    const bool external = t->data_location == 1;
    const int forms = (field != 0) + (t->n_string_data > 0) + external;
    if (field < 0 || forms > 1)
        return bad(x, t, OC_FORMAT, "its data is given in more than one form");
    if (forms == 0 && oc_value_n(v) > 0)
        return bad(x, t, OC_FORMAT, "it has no data");
    if (v->type == OC_STRING)
        return field || external ? bad(x, t, OC_FORMAT, "strings stand only in string_data")
                                 : from_strings(x, t, v);
    if (t->n_string_data)
        return bad(x, t, OC_FORMAT, "string_data is only for strings");
    if (external)
        return from_external(x, t, v);
    if (field == OC_DATA_RAW) {
        const oc_payload *p = &x->skeleton.payload[t->payload[0]];
        return oc_raw_elements(x->m, x->pool, x->in_place, tensor_name(t), p->bytes, p->size, v, x->e);
    }
    return field ? read_typed(x, t, field, v) : new_tensor(x, v->type, &v->dims, v);
}

oc_status oc_onnx_constant(oc_onnx *x, const Onnx__TensorProto *t, oc_constant *c)
{
    c->name = oc_onnx_name(x, t->name);
    c->doc = oc_onnx_text(x, t->doc_string);
    return oc_onnx_tensor(x, t, &c->value);
}

oc_status oc_onnx_sparse(oc_onnx *x, const Onnx__SparseTensorProto *s, oc_sparse *out)
{
    if (!s->values || !s->indices)
        return oc_error_set(x->e, OC_FORMAT, "a sparse tensor has no values or no indices");
    if (s->n_dims > OC_MAX_RANK)
        return bad(x, s->values, OC_LIMIT, "the rank of a sparse tensor is too large");
    *out = (oc_sparse){.name = oc_onnx_name(x, s->values->name), .dims.rank = (int)s->n_dims};
    for (size_t i = 0; i < s->n_dims; i++)
        out->dims.n[i] = s->dims[i];
    OC_TRY(oc_onnx_tensor(x, s->values, &out->values));
    return oc_onnx_tensor(x, s->indices, &out->indices);
}
