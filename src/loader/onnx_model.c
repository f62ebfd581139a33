/* SPDX-License-Identifier: Apache-2.0
 * onnx_model.c - reads models, and values outside of models, from binary ONNX. */
#include "graph/build.h"
#include "loader/file_bytes.h"
#include "loader/loader.h"
#include "loader/onnx.h"

/* ---- the model ---- */

/* Appends the imports to *o, which other functions append to as well. */
static oc_status read_opsets(oc_onnx *x, size_t n, Onnx__OperatorSetIdProto *const *from,
                             oc_opsets *out)
{
    for (size_t i = 0; i < n; i++) {
        oc_opset *o = OC_PUSH(x->arena, out->item, out->n);
        OC_TRY(oc_arena_check(x->arena, x->e));
        *o = (oc_opset){oc_onnx_domain(x, from[i]->domain), from[i]->version};
    }
    return oc_arena_check(x->arena, x->e);
}

static oc_value_info *name_ports(oc_onnx *x, size_t n, char *const *name, int *n_out)
{
    oc_value_info *list = oc_arena_array(x->arena, n, sizeof *list);
    const oc_name none = oc_onnx_name(x, NULL);
    for (size_t i = 0; list && i < n; i++)
        list[i] = (oc_value_info){
            .name = oc_onnx_name(x, name[i]),
            .type = {.rank = -1, .denotation = none, .opaque_domain = none, .opaque_name = none},
            .doc = ""};
    *n_out = (int)n;
    return list;
}

static oc_status read_function(oc_onnx *x, const Onnx__FunctionProto *p, oc_function *f)
{
    *f = (oc_function){.domain = oc_onnx_domain(x, p->domain),
                       .name = oc_onnx_name(x, p->name),
                       .overload = oc_onnx_name(x, p->overload)};
    OC_TRY(read_opsets(x, p->n_opset_import, p->opset_import, &f->opsets));
    f->body.name = oc_onnx_name(x, NULL);
    f->body.doc = oc_onnx_text(x, p->doc_string);
    f->body.metadata = oc_onnx_pairs(x, p->n_metadata_props, p->metadata_props, &p->base);
    f->body.input = name_ports(x, p->n_input, p->input, &f->body.n_input);
    f->body.output = name_ports(x, p->n_output, p->output, &f->body.n_output);
    f->attr_name = oc_onnx_names(x, p->n_attribute, p->attribute);
    f->n_attr_name = (int)p->n_attribute;
    const char *where =
        p->n_attribute_proto ? oc_arena_printf(x->arena, "function '%s'", f->name) : "";
    OC_TRY(oc_arena_check(x->arena, x->e));
    OC_TRY(oc_onnx_check_attrs(x, where, p->n_attribute_proto, p->attribute_proto));
    OC_TRY(oc_onnx_attrs(x, p->n_attribute_proto, p->attribute_proto, &f->attr_default,
                         &f->n_attr_default));
    OC_TRY(
        oc_onnx_value_infos(x, p->n_value_info, p->value_info, &f->body.value, &f->body.n_value));
    return oc_onnx_nodes(x, p->n_node, p->node, &f->body);
}

static oc_status read_model(oc_onnx *x, const Onnx__ModelProto *p)
{
    oc_model *m = x->m;
    if (!p->graph && !m->library)
        return oc_error_set(x->e, OC_FORMAT,
                            "the model has no graph: the bytes are not an ONNX model");
    m->ir_version = p->ir_version;
    m->model_version = p->model_version;
    m->producer_name = oc_onnx_text(x, p->producer_name);
    m->producer_version = oc_onnx_text(x, p->producer_version);
    m->domain = oc_onnx_text(x, p->domain);
    m->doc = oc_onnx_text(x, p->doc_string);
    m->metadata = oc_onnx_pairs(x, p->n_metadata_props, p->metadata_props, &p->base);
    OC_TRY(read_opsets(x, p->n_opset_import, p->opset_import, &m->opsets));
    if (p->graph)
        OC_TRY(oc_onnx_graph(x, p->graph, &m->graph));
    OC_TRY(oc_model_weights_as_inputs(m, x->e));
    for (size_t i = 0; i < p->n_functions; i++) {
        oc_function *f = OC_PUSH(x->arena, m->function, m->n_function);
        OC_TRY(oc_arena_check(x->arena, x->e));
        OC_TRY(read_function(x, p->functions[i], f));
    }
    return OC_OK;
}

bool oc_is_onnx(const void *bytes, size_t size)
{
    /* LOOK_AT is how many fields are checked; NUMBER and BYTES are wire types in ModelProto */
    enum { LOOK_AT = 8, NUMBER = 0, BYTES = 2 };
    const uint8_t *at = bytes, *end = at + size;
    for (int i = 0; i < LOOK_AT && at < end; i++) {
        uint64_t key, value;
        if (!oc_read_varint(&at, end, &key) || key > UINT32_MAX)
            return false;
        const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(
            &onnx__model_proto__descriptor, (unsigned)(key >> 3));
        const unsigned wire = key & 7;
        if ((wire != NUMBER && wire != BYTES) || (!f && i == 0) ||
            (f && wire != (f->type == PROTOBUF_C_TYPE_INT64 ? NUMBER : BYTES)))
            return false;
        if (!oc_read_varint(&at, end, &value) || (wire == BYTES && value > (uint64_t)(end - at)))
            return false;
        at += wire == BYTES ? value : 0;
    }
    return size > 0;
}

oc_status oc_load_onnx(oc_model *m, const void *bytes, size_t size, oc_error *e)
{
    oc_onnx x = {.m = m, .arena = &m->arena, .names = &m->names, .memory = &m->memory, .e = e};
    ProtobufCMessage *message;
    OC_TRY(oc_onnx_decode(&x, &onnx__model_proto__descriptor, bytes, size, &message));
    oc_status status = read_model(&x, (const Onnx__ModelProto *)message);
    if (status == OC_OK && x.skeleton.n_lost)
        status = oc_model_remark(m, e,
                                 "the file has %zu messages with fields that are not ONNX's and "
                                 "are not kept, first %s with field %u",
                                 x.skeleton.n_lost, oc_message_name(x.skeleton.lost),
                                 (unsigned)(x.skeleton.lost_field >> 3));
    oc_onnx_end(&x, message);
    return status;
}

/* ---- values that stand alone ---- */

static oc_status read_sequence(oc_onnx *x, const Onnx__SequenceProto *p, int depth, oc_value *v);

/* Checks that the maps of a sequence have equal types. */
static oc_status check_maps(oc_onnx *x, const oc_value *v)
{
    char first[OC_VALUE_TEXT], other[OC_VALUE_TEXT];
    for (int64_t i = 1; v->key && i < oc_value_n(v); i++) {
        const oc_value *item = oc_value_items(v);
        if (item[i].key != v->key || item[i].type != v->type)
            return oc_error_set(x->e, OC_FORMAT, "a sequence holds %s and %s, expected one type",
                                oc_value_text(&item[0], first), oc_value_text(&item[i], other));
    }
    return OC_OK;
}

static oc_status read_optional(oc_onnx *x, const Onnx__OptionalProto *p, int depth, oc_value *v)
{
    const bool tensor = p->tensor_value != NULL, list = p->sequence_value != NULL;
    if (p->sparse_tensor_value || p->map_value || p->optional_value)
        return oc_error_set(x->e, OC_UNSUPPORTED,
                            "an optional holds a sparse tensor, map or optional, expected a "
                            "tensor or sequence");
    if (tensor && list)
        return oc_error_set(x->e, OC_FORMAT, "an optional holds both a tensor and a sequence");
    OC_TRY(oc_value_new_list(x->pool, OC_OPTIONAL, OC_UNDEFINED, tensor || list, v, x->e));
    oc_value *item = oc_value_items(v);
    if (tensor)
        OC_TRY(oc_onnx_tensor(x, p->tensor_value, item));
    if (list)
        OC_TRY(read_sequence(x, p->sequence_value, depth + 1, item));
    if (tensor || list)
        v->type = item->type;
    return OC_OK;
}

static oc_status read_sequence(oc_onnx *x, const Onnx__SequenceProto *p, int depth, oc_value *v)
{
    const size_t n =
        p->n_tensor_values + p->n_sequence_values + p->n_optional_values + p->n_map_values;
    if (depth > OC_MAX_VALUE_NESTING)
        return oc_error_set(x->e, OC_LIMIT, "sequences are nested deeper than %d",
                            OC_MAX_VALUE_NESTING);
    if (p->n_sparse_tensor_values)
        return oc_error_set(x->e, OC_UNSUPPORTED,
                            "a sequence holds sparse tensors, expected tensors, sequences, "
                            "optionals or maps");
    if ((p->n_tensor_values && n > p->n_tensor_values) ||
        (p->n_map_values && n > p->n_map_values) || (p->n_sequence_values && p->n_optional_values))
        return oc_error_set(x->e, OC_FORMAT, "a sequence mixes kinds of items");
    OC_TRY(oc_value_new_list(x->pool, OC_SEQUENCE, OC_UNDEFINED, (int64_t)n, v, x->e));
    oc_value *item = oc_value_items(v);
    for (size_t i = 0; i < p->n_tensor_values; i++)
        OC_TRY(oc_onnx_tensor(x, p->tensor_values[i], &item[i]));
    for (size_t i = 0; i < p->n_sequence_values; i++)
        OC_TRY(read_sequence(x, p->sequence_values[i], depth + 1, &item[i]));
    for (size_t i = 0; i < p->n_optional_values; i++)
        OC_TRY(read_optional(x, p->optional_values[i], depth + 1, &item[i]));
    for (size_t i = 0; i < p->n_map_values; i++)
        OC_TRY(oc_onnx_map(x, p->map_values[i], &item[i]));
    if (n) {
        v->type = item[0].type;
        v->key = item[0].kind == OC_MAP ? item[0].key : OC_UNDEFINED;
    }
    return check_maps(x, v);
}

static const ProtobufCMessageDescriptor *const value_types[] = {
    [OC_TENSOR] = &onnx__tensor_proto__descriptor,
    [OC_SEQUENCE] = &onnx__sequence_proto__descriptor,
    [OC_OPTIONAL] = &onnx__optional_proto__descriptor,
    [OC_MAP] = &onnx__map_proto__descriptor,
};

static oc_status read_value(oc_onnx *x, oc_kind kind, const ProtobufCMessage *message, oc_value *v,
                            const char **name)
{
    const Onnx__TensorProto *t = (const Onnx__TensorProto *)message;
    const Onnx__SequenceProto *s = (const Onnx__SequenceProto *)message;
    const Onnx__OptionalProto *o = (const Onnx__OptionalProto *)message;
    const Onnx__MapProto *m = (const Onnx__MapProto *)message;
    *name = oc_onnx_text(x, kind == OC_TENSOR     ? t->name
                            : kind == OC_SEQUENCE ? s->name
                            : kind == OC_OPTIONAL ? o->name
                                                  : m->name);
    OC_TRY(oc_arena_check(x->arena, x->e));
    return kind == OC_TENSOR     ? oc_onnx_tensor(x, t, v)
           : kind == OC_SEQUENCE ? read_sequence(x, s, 0, v)
           : kind == OC_OPTIONAL ? read_optional(x, o, 0, v)
                                 : oc_onnx_map(x, m, v);
}

oc_status oc_load_value(oc_pool *pool, oc_arena *arena, const void *bytes, size_t size,
                        oc_kind kind, oc_value *v, const char **name, oc_error *e)
{
    oc_names names = oc_names_new(arena);
    oc_onnx x = {.pool = pool, .arena = arena, .names = &names, .memory = pool->memory, .e = e};
    ProtobufCMessage *message;
    *v = (oc_value){.kind = OC_TENSOR};
    if ((unsigned)kind > OC_MAP)
        return oc_error_set(e, OC_ARGUMENT, "kind %d, expected a tensor, sequence, optional or map",
                            kind);
    OC_TRY(oc_bytes_fit(size, e));
    OC_TRY(oc_onnx_decode(&x, value_types[kind], bytes, size, &message));
    const oc_status status = read_value(&x, kind, message, v, name);
    if (status != OC_OK)
        oc_value_unref(v);
    oc_onnx_end(&x, message);
    return status;
}
