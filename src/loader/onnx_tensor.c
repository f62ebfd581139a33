/* SPDX-License-Identifier: Apache-2.0
 * onnx_tensor.c - turns a TensorProto into elements, in every data form and type; a tensor must
 * use only one form. */
#include "graph/build.h"
#include "loader/onnx.h"
#include "loader/raw.h"

static const char *tensor_name(const Onnx__TensorProto *t)
{
    return t->name ? t->name : "";
}

static oc_status bad(const oc_onnx *x, const Onnx__TensorProto *t, oc_status code, const char *what)
{
    return oc_error_set(x->e, code, "tensor '%s': %s", tensor_name(t), what);
}

/* ---- forms ---- */

/* Returns the typed field that holds the elements of a type when they are not in raw_data. */
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

/* Returns the tensor's i-th piece of data. The scan wrote first_payload and payloads, so the
 * index is in range. */
static const oc_payload *payload_at(const oc_onnx *x, const Onnx__TensorProto *t, size_t i)
{
    return &x->skeleton.payload[t->first_payload + i];
}

/* Returns the field that all pieces come from; 0 when there are no pieces; -1 when they come
 * from different fields or there is more than one piece of raw_data. */
static int pieces_field(const oc_onnx *x, const Onnx__TensorProto *t)
{
    int field = 0;
    for (size_t i = 0; i < t->payloads; i++) {
        const int f = payload_at(x, t, i)->field;
        if (field && (f != field || f == OC_DATA_RAW))
            return -1;
        field = f;
    }
    return field;
}

static size_t pieces_size(const oc_onnx *x, const Onnx__TensorProto *t)
{
    size_t size = 0;
    for (size_t i = 0; i < t->payloads; i++)
        size += payload_at(x, t, i)->size;
    return size;
}

static oc_status wrong_count(const oc_onnx *x, const Onnx__TensorProto *t, bool more)
{
    return bad(x, t, OC_FORMAT,
               more ? "it has more elements than its dims say"
                    : "it has fewer elements than its dims say");
}

static oc_status new_tensor(oc_onnx *x, oc_type type, const oc_dims *dims, oc_value *v)
{
    if (x->pool)
        return oc_value_new_tensor(x->pool, type, dims, v, x->e);
    return oc_model_tensor(x->m, type, dims, v, x->e);
}

/* ---- typed fields ---- */

/* The varints that are valid for elements of a type, or for bytes of packed elements. */
typedef struct numbers {
    size_t size; /* bytes that each varint becomes */
    /* ^true: varints are int64 or uint64; false: they are int32, and protobuf reads their low 32
     * bits. */
    bool wide;
    int64_t low, high; /* the least and the greatest valid number */
} numbers;

static numbers numbers_of(oc_type type)
{
    const size_t size = oc_type_size(type);
    const int64_t half = size < 8 ? INT64_C(1) << (8 * size - 1) : INT64_MAX;
    if (size == 8)
        return (numbers){size, true, INT64_MIN, INT64_MAX};
    if (type == OC_BOOL)
        return (numbers){size, false, 0, 1};
    if (oc_type_bits(type) < 8) /* some writers extend the highest bit of a byte as a sign */
        return (numbers){size, false, -half, 2 * half - 1};
    if (oc_type_is_signed(type))
        return (numbers){size, false, -half, half - 1};
    return (numbers){size, type == OC_U32, 0, 2 * half - 1};
}

/* Stores one varint; returns false when it is out of range. */
static bool put_varint(const numbers *t, uint64_t raw, uint8_t *to)
{
    const int64_t value = t->wide ? (int64_t)raw : (int32_t)(uint32_t)raw;
    switch (t->size) { /* memory is little-endian */
    case 1:
        *to = (uint8_t)raw;
        break;
    case 2:
        memcpy(to, &raw, 2);
        break;
    case 4:
        memcpy(to, &raw, 4);
        break;
    default:
        memcpy(to, &raw, 8);
    }
    return value >= t->low && value <= t->high;
}

enum { LOOK = 1 << 18 }; /* elements between two looks at the limits */

/* Stores n varints as elements of the type, or as bytes of packed ones. The pieces, read in
 * order, must hold exactly n. */
static oc_status from_varints(oc_onnx *x, const Onnx__TensorProto *t, oc_type type, int64_t n,
                              uint8_t *to)
{
    const numbers range = numbers_of(type);
    int64_t k = 0;
    for (size_t i = 0; i < t->payloads; i++) {
        const oc_payload *p = payload_at(x, t, i);
        const uint8_t *at = p->bytes, *end = p->bytes + p->size;
        for (; at < end; k++, to += range.size) {
            uint64_t value;
            if (!oc_read_varint(&at, end, &value))
                return bad(x, t, OC_FORMAT, "a varint of its data is malformed");
            if (k == n)
                return wrong_count(x, t, true);
            if (k % LOOK == 0)
                OC_TRY(oc_watch_check(x->memory->watch, x->e));
            if (!put_varint(&range, value, to))
                return oc_error_set(x->e, OC_VALUE, "tensor '%s': %s %" PRId64 " does not fit %s",
                                    tensor_name(t), oc_type_bits(type) < 8 ? "byte" : "element", k,
                                    oc_type_name(type));
        }
    }
    return k == n ? OC_OK : wrong_count(x, t, false);
}

/* Joins the pieces, which are words of 4 or 8 bytes, little-endian in files and in memory. */
static oc_status from_words(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    const size_t want = oc_value_bytes(v), size = pieces_size(x, t);
    if (size != want)
        return wrong_count(x, t, size > want);
    if (t->payloads == 1)
        return oc_raw_elements(x->m, x->pool, x->in_place, tensor_name(t),
                               payload_at(x, t, 0)->bytes, size, v, x->e);
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    char *to = v->data;
    for (size_t i = 0; i < t->payloads; i++) {
        const oc_payload *p = payload_at(x, t, i);
        OC_TRY(oc_watch_copy(x->memory->watch, to, p->bytes, p->size, x->e));
        to += p->size;
    }
    return OC_OK;
}

/* Reads 2- and 4-bit elements, which are packed: each number of int32_data holds one byte of
 * them. */
static oc_status from_packed_varints(oc_onnx *x, const Onnx__TensorProto *t, size_t size,
                                     oc_value *v)
{
    uint8_t *bytes = oc_memory_alloc(x->memory, size);
    if (!bytes)
        return oc_memory_error(x->memory, size, x->e);
    oc_status status = from_varints(x, t, v->type, (int64_t)size, bytes);
    if (status == OC_OK)
        status = new_tensor(x, v->type, &v->dims, v);
    if (status == OC_OK)
        status = oc_raw_unpack(x->memory->watch, v, bytes, x->e);
    oc_memory_free(x->memory, bytes, size);
    return status;
}

static oc_status from_typed(oc_onnx *x, const Onnx__TensorProto *t, int field, oc_value *v)
{
    if (field != typed_field(v->type))
        return bad(x, t, OC_FORMAT, "its data is in a field for another type");
    if (field == OC_DATA_FLOAT || field == OC_DATA_DOUBLE)
        return from_words(x, t, v);
    const bool packed = oc_type_bits(v->type) < 8;
    const size_t n = packed ? oc_raw_size(v->type, oc_value_n(v)) : (size_t)oc_value_n(v);
    if (n > pieces_size(x, t)) /* checked before memory is allocated for the elements */
        return wrong_count(x, t, false);
    if (packed)
        return from_packed_varints(x, t, n, v);
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    return from_varints(x, t, v->type, oc_value_n(v), v->data);
}

static oc_status from_strings(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    if ((int64_t)t->n_string_data != oc_value_n(v))
        return wrong_count(x, t, (int64_t)t->n_string_data > oc_value_n(v));
    OC_TRY(new_tensor(x, v->type, &v->dims, v));
    oc_string *out = v->data;
    for (size_t i = 0; i < t->n_string_data; i++) {
        const ProtobufCBinaryData *s = &t->string_data[i];
        if (i % LOOK == 0)
            OC_TRY(oc_watch_check(x->memory->watch, x->e));
        out[i] = (oc_string){oc_arena_text(x->arena, (const char *)s->data, s->len), s->len};
        OC_TRY(oc_arena_check(x->arena, x->e));
    }
    return OC_OK;
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

/* Where a tensor's data are: in a field of elements, in string_data, or in external data. */
typedef enum form { NO_DATA, ELEMENTS, STRINGS, EXTERNAL } form;

static oc_status find_form(const oc_onnx *x, const Onnx__TensorProto *t, oc_type type, int field,
                           int64_t n, form *out)
{
    const bool external = t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    const bool strings = t->n_string_data > 0;
    if (!external && t->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__DEFAULT)
        return bad(x, t, OC_UNSUPPORTED, "its data location is unknown");
    if (!external && t->n_external_data && !field && !strings)
        return bad(x, t, OC_FORMAT, "it has external_data, but its data location is not external");
    if (t->segment)
        return bad(x, t, OC_UNSUPPORTED, "it is a segment of a tensor");
    if (external && field)
        return bad(x, t, OC_FORMAT, "its data are given in more than one form: here and external");
    if (field < 0 || (field != 0) + strings + external > 1)
        return bad(x, t, OC_FORMAT, "its data are given in more than one form");
    if (type == OC_STRING && (field || external))
        return bad(x, t, OC_FORMAT, "strings may only be in string_data");
    if (type != OC_STRING && strings)
        return bad(x, t, OC_FORMAT, "string_data is only for strings");
    *out = field ? ELEMENTS : strings ? STRINGS : external ? EXTERNAL : NO_DATA;
    return *out == NO_DATA && n > 0 ? bad(x, t, OC_FORMAT, "it has no data") : OC_OK;
}

oc_status oc_onnx_tensor(oc_onnx *x, const Onnx__TensorProto *t, oc_value *v)
{
    form what = NO_DATA;
    OC_TRY(read_header(x, t, v));
    const int field = pieces_field(x, t);
    OC_TRY(find_form(x, t, v->type, field, oc_value_n(v), &what));
    if (what == STRINGS)
        return from_strings(x, t, v);
    if (what == EXTERNAL)
        return oc_onnx_external(x, t, v);
    if (what == NO_DATA)
        return new_tensor(x, v->type, &v->dims, v);
    if (field != OC_DATA_RAW)
        return from_typed(x, t, field, v);
    return oc_raw_elements(x->m, x->pool, x->in_place, tensor_name(t), payload_at(x, t, 0)->bytes,
                           payload_at(x, t, 0)->size, v, x->e);
}

oc_status oc_onnx_constant(oc_onnx *x, const Onnx__TensorProto *t, oc_constant *c)
{
    c->name = oc_onnx_name(x, t->name);
    c->doc = oc_onnx_text(x, t->doc_string);
    c->metadata = oc_onnx_pairs(x, t->n_metadata_props, t->metadata_props, &t->base);
    c->external = t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    return oc_onnx_tensor(x, t, &c->value);
}

oc_status oc_onnx_sparse(oc_onnx *x, const Onnx__SparseTensorProto *s, oc_sparse *out)
{
    if (!s->values || !s->indices)
        return oc_error_set(x->e, OC_FORMAT, "a sparse tensor has no values or no indices");
    if (s->n_dims > OC_MAX_RANK)
        return bad(x, s->values, OC_LIMIT, "the rank of a sparse tensor is too large");
    out->dims.rank = (int)s->n_dims;
    for (size_t i = 0; i < s->n_dims; i++)
        out->dims.n[i] = s->dims[i];
    OC_TRY(oc_onnx_constant(x, s->values, &out->values));
    return oc_onnx_constant(x, s->indices, &out->indices);
}
