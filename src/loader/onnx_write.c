/* SPDX-License-Identifier: Apache-2.0
 * onnx_write.c - writes models and values as binary ONNX, piece by piece. */
#include "loader/onnx_write.h"

#include "graph/node_text.h"
#include "loader/loader.h"
#include "loader/wire_scan.h"

/* The buffer that protobuf-c appends to; it passes all bytes directly to out. */
typedef struct sink {
    ProtobufCBuffer base;
    const oc_writer *out;
    bool failed;
} sink;

static void append(ProtobufCBuffer *buffer, size_t size, const uint8_t *bytes)
{
    sink *s = (sink *)buffer;
    if (!s->failed && size)
        s->failed = !s->out->write(s->out->ctx, bytes, size);
}

/* Does the message contain others more deeply than the scan of a file allows? depth is that of
 * this message. */
static bool is_too_deep(const ProtobufCMessage *message, int depth)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;
    const char *base = (const char *)message;
    for (unsigned i = 0; i < type->n_fields && depth <= OC_MAX_MESSAGES; i++) {
        const ProtobufCFieldDescriptor *f = &type->fields[i];
        const void *value = base + f->offset, *count = base + f->quantifier_offset;
        const bool list = f->label == PROTOBUF_C_LABEL_REPEATED;
        const bool other =
            f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF && *(const uint32_t *)count != f->id;
        if (f->type != PROTOBUF_C_TYPE_MESSAGE || other)
            continue;
        const ProtobufCMessage *const *item = list ? *(const ProtobufCMessage *const *const *)value
                                                   : (const ProtobufCMessage *const *)value;
        const size_t n = list ? *(const size_t *)count : *item != NULL;
        for (size_t k = 0; k < n; k++)
            if (is_too_deep(item[k], depth + 1))
                return true;
    }
    return depth > OC_MAX_MESSAGES;
}

static oc_status send(const ProtobufCMessage *message, const oc_arena *a, const oc_writer *out,
                      oc_error *e)
{
    OC_TRY(oc_arena_check(a, e));
    if (is_too_deep(message, 0))
        return oc_error_set(e, OC_LIMIT,
                            "%s: messages would be nested deeper than %d, which no reader takes",
                            oc_message_name(message->descriptor), OC_MAX_MESSAGES);
    const size_t size = protobuf_c_message_get_packed_size(message);
    if (size > INT32_MAX)
        return oc_error_set(e, OC_LIMIT, "%s: %zu bytes, a protobuf file holds at most 2 GiB",
                            oc_message_name(message->descriptor), size);
    sink s = {{append}, out, false};
    protobuf_c_message_pack_to_buffer(message, &s.base);
    return s.failed ? oc_error_set(e, OC_IO, "the bytes cannot be written") : OC_OK;
}

/* ---- models ---- */

static void *write_opset(oc_arena *a, const void *item)
{
    const oc_opset *o = item;
    Onnx__OperatorSetIdProto *to = oc_write_new(a, &onnx__operator_set_id_proto__descriptor);
    if (!to)
        return NULL;
    to->domain = (char *)(uintptr_t)o->domain;
    to->has_version = true;
    to->version = o->version;
    return to;
}

static char **port_names(oc_arena *a, const oc_value_info *port, int n)
{
    char **names = oc_arena_array(a, (size_t)n, sizeof *names);
    for (int i = 0; names && i < n; i++)
        names[i] = (char *)(uintptr_t)port[i].name;
    return names;
}

static void *write_function(oc_arena *a, const void *item)
{
    const oc_function *f = item;
    Onnx__FunctionProto *to = oc_write_new(a, &onnx__function_proto__descriptor);
    if (!to)
        return NULL;
    to->name = (char *)(uintptr_t)f->name;
    to->domain = (char *)(uintptr_t)f->domain;
    to->overload = oc_write_text(f->overload);
    to->doc_string = oc_write_text(f->body.doc);
    to->metadata_props = oc_write_pairs(a, &f->body.metadata, &to->n_metadata_props, &to->base);
    to->input = port_names(a, f->body.input, f->body.n_input);
    to->output = port_names(a, f->body.output, f->body.n_output);
    to->n_input = to->input ? (size_t)f->body.n_input : 0;
    to->n_output = to->output ? (size_t)f->body.n_output : 0;
    to->attribute = (char **)(uintptr_t)f->attr_name;
    to->n_attribute = (size_t)f->n_attr_name;
    OC_WRITE_LIST(a, to->attribute_proto, to->n_attribute_proto, f->attr_default, f->n_attr_default,
                  oc_write_attr);
    OC_WRITE_LIST(a, to->opset_import, to->n_opset_import, f->opsets.item, f->opsets.n,
                  write_opset);
    to->node = oc_write_body(a, &f->body, &to->n_node);
    OC_WRITE_LIST(a, to->value_info, to->n_value_info, f->body.value, f->body.n_value,
                  oc_write_value_info);
    return to;
}

static void fill_model(oc_arena *a, const oc_model *m, Onnx__ModelProto *to)
{
    onnx__model_proto__init(to);
    to->has_ir_version = true;
    to->ir_version = m->ir_version;
    to->has_model_version = m->model_version != 0;
    to->model_version = m->model_version;
    to->producer_name = oc_write_text(m->producer_name);
    to->producer_version = oc_write_text(m->producer_version);
    to->domain = oc_write_text(m->domain);
    to->doc_string = oc_write_text(m->doc);
    to->metadata_props = oc_write_pairs(a, &m->metadata, &to->n_metadata_props, &to->base);
    to->graph = oc_write_graph(a, &m->graph);
    OC_WRITE_LIST(a, to->opset_import, to->n_opset_import, m->opsets.item, m->opsets.n,
                  write_opset);
    OC_WRITE_LIST(a, to->functions, to->n_functions, m->function, m->n_function, write_function);
}

/* Refuses nodes whose opset version is not the imported one, because a file has one version for
 * all nodes of a domain. */
static oc_status check_versions(const oc_graph *g, const oc_opsets *imports, oc_error *e)
{
    char text[OC_NODE_TEXT];
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        if (n->opset && n->opset != oc_opsets_find(imports, n->domain))
            return oc_error_set(e, OC_UNSUPPORTED,
                                "%s: its opset version %lld is not the one imported, which binary "
                                "ONNX cannot say",
                                oc_node_text(n, 0, text), (long long)n->opset);
        for (int k = 0; k < n->n_attr; k++)
            for (int j = 0; j < oc_attr_n_graphs(&n->attr[k]); j++)
                OC_TRY(check_versions(n->attr[k].u.g[j], imports, e));
    }
    return OC_OK;
}

/* Checks that a function with initializers imports ONNX's domain, because the initializers are
 * written as Constant nodes. */
static oc_status check_constants(const oc_function *f, oc_error *e)
{
    const int64_t least = f->body.n_sparse ? 11 : f->body.n_initializer ? 1 : 0;
    int64_t version = 0;
    for (int i = 0; i < f->opsets.n; i++)
        if (!*f->opsets.item[i].domain)
            version = f->opsets.item[i].version;
    if (version < least)
        return oc_error_set(e, OC_UNSUPPORTED,
                            "function '%s' has initializers, which binary ONNX says as nodes of "
                            "Constant-%lld, but imports %s",
                            f->name, (long long)least,
                            version ? "an older version" : "none of ONNX's operators");
    return OC_OK;
}

oc_status oc_save_onnx(const oc_model *m, const oc_writer *out, oc_error *e)
{
    OC_TRY(check_versions(&m->graph, &m->opsets, e));
    for (int i = 0; i < m->n_function; i++) {
        OC_TRY(check_versions(&m->function[i].body, &m->function[i].opsets, e));
        OC_TRY(check_constants(&m->function[i], e));
    }
    oc_memory memory = oc_memory_beside(&m->memory, 0, NULL);
    oc_arena scratch = oc_arena_new(&memory);
    Onnx__ModelProto proto;
    fill_model(&scratch, m, &proto);
    const oc_status status = send(&proto.base, &scratch, out, e);
    oc_arena_free(&scratch);
    return status;
}

/* ---- values ---- */

static Onnx__SequenceProto *write_sequence(oc_arena *a, const oc_value *v, const char *name);

static Onnx__OptionalProto *write_optional(oc_arena *a, const oc_value *v, const char *name)
{
    Onnx__OptionalProto *to = oc_write_new(a, &onnx__optional_proto__descriptor);
    const oc_value *item = oc_value_n(v) ? oc_value_items(v) : NULL;
    if (!to)
        return NULL;
    to->name = oc_write_text(name);
    to->has_elem_type = true;
    if (item && item->kind == OC_TENSOR) {
        to->elem_type = ONNX__OPTIONAL_PROTO__DATA_TYPE__TENSOR;
        to->tensor_value = oc_write_tensor(a, item, "");
    } else if (item) {
        to->elem_type = ONNX__OPTIONAL_PROTO__DATA_TYPE__SEQUENCE;
        to->sequence_value = write_sequence(a, item, "");
    }
    return to;
}

static void *write_item_tensor(oc_arena *a, const void *v)
{
    return oc_write_tensor(a, v, "");
}

static void *write_item_sequence(oc_arena *a, const void *v)
{
    return write_sequence(a, v, "");
}

static void *write_item_optional(oc_arena *a, const void *v)
{
    return write_optional(a, v, "");
}

/* Returns element i of a tensor as a tensor. */
static Onnx__TensorProto *write_element(oc_arena *a, const oc_value *v, int64_t i)
{
    const oc_value one = oc_value_borrow(v->type, (oc_dims){.rank = 0},
                                         (char *)v->data + oc_type_size(v->type) * (size_t)i);
    return oc_write_tensor(a, &one, "");
}

static void write_keys(oc_arena *a, const oc_value *keys, Onnx__MapProto *to)
{
    const int64_t n = oc_value_n(keys);
    to->has_key_type = true;
    to->key_type = (int)keys->type;
    if (keys->type == OC_I64) {
        to->keys = keys->data;
        to->n_keys = (size_t)n;
        return;
    }
    to->string_keys = oc_write_strings(a, keys->data, n, &to->n_string_keys);
}

static Onnx__MapProto *write_map(oc_arena *a, const oc_value *v, const char *name)
{
    const oc_value *keys = &oc_value_items(v)[0], *values = &oc_value_items(v)[1];
    Onnx__MapProto *to = oc_write_new(a, &onnx__map_proto__descriptor);
    Onnx__SequenceProto *list = oc_write_new(a, &onnx__sequence_proto__descriptor);
    const int64_t n = oc_value_n(values);
    if (!to || !list)
        return NULL;
    to->name = oc_write_text(name);
    write_keys(a, keys, to);
    to->values = list;
    list->has_elem_type = true;
    list->elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__TENSOR;
    list->tensor_values = oc_arena_array(a, (size_t)n, sizeof *list->tensor_values);
    for (int64_t i = 0; list->tensor_values && i < n; i++)
        list->tensor_values[list->n_tensor_values++] = write_element(a, values, i);
    return to;
}

static void *write_item_map(oc_arena *a, const void *v)
{
    return write_map(a, v, "");
}

static Onnx__SequenceProto *write_sequence(oc_arena *a, const oc_value *v, const char *name)
{
    Onnx__SequenceProto *to = oc_write_new(a, &onnx__sequence_proto__descriptor);
    const int n = (int)oc_value_n(v);
    const oc_value *item = oc_value_items(v);
    if (!to)
        return NULL;
    to->name = oc_write_text(name);
    to->has_elem_type = true;
    if (v->key) {
        to->elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__MAP;
        OC_WRITE_LIST(a, to->map_values, to->n_map_values, item, n, write_item_map);
    } else if (n == 0 || item->kind == OC_TENSOR) {
        to->elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__TENSOR;
        OC_WRITE_LIST(a, to->tensor_values, to->n_tensor_values, item, n, write_item_tensor);
    } else if (item->kind == OC_SEQUENCE) {
        to->elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__SEQUENCE;
        OC_WRITE_LIST(a, to->sequence_values, to->n_sequence_values, item, n, write_item_sequence);
    } else {
        to->elem_type = ONNX__SEQUENCE_PROTO__DATA_TYPE__OPTIONAL;
        OC_WRITE_LIST(a, to->optional_values, to->n_optional_values, item, n, write_item_optional);
    }
    return to;
}

oc_status oc_save_value(const oc_value *v, const char *name, const oc_writer *out, oc_error *e)
{
    oc_memory memory = oc_memory_new(NULL, 0);
    oc_arena scratch = oc_arena_new(&memory);
    const ProtobufCMessage *message = NULL;
    if (v->kind == OC_TENSOR)
        message = (const ProtobufCMessage *)oc_write_tensor(&scratch, v, name);
    else if (v->kind == OC_SEQUENCE)
        message = (const ProtobufCMessage *)write_sequence(&scratch, v, name);
    else if (v->kind == OC_MAP)
        message = (const ProtobufCMessage *)write_map(&scratch, v, name);
    else
        message = (const ProtobufCMessage *)write_optional(&scratch, v, name);
    oc_status status = oc_arena_check(&scratch, e);
    if (status == OC_OK)
        status = send(message, &scratch, out, e);
    oc_arena_free(&scratch);
    return status;
}
