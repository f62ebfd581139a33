/* SPDX-License-Identifier: Apache-2.0
 * onnx_write_graph.c - turns attributes, nodes and graphs into protobuf-c's structs. */
#include "loader/onnx_write.h"

static void *write_graph_at(oc_arena *a, const void *item)
{
    return oc_write_graph(a, *(oc_graph *const *)item);
}

/* ---- attributes ---- */

static void write_elements(oc_arena *a, const oc_attr *from, Onnx__AttributeProto *to)
{
    switch (from->kind) {
    case OC_ATTR_FLOAT:
        to->has_f = true;
        to->f = from->u.f[0];
        break;
    case OC_ATTR_INT:
        to->has_i = true;
        to->i = from->u.i[0];
        break;
    case OC_ATTR_STRING:
        to->has_s = true;
        to->s = (ProtobufCBinaryData){from->u.s[0].size, (uint8_t *)(uintptr_t)from->u.s[0].data};
        break;
    case OC_ATTR_FLOATS:
        to->n_floats = (size_t)from->n;
        to->floats = (float *)(uintptr_t)from->u.f;
        break;
    case OC_ATTR_INTS:
        to->n_ints = (size_t)from->n;
        to->ints = (int64_t *)(uintptr_t)from->u.i;
        break;
    case OC_ATTR_STRINGS:
        to->strings = oc_write_strings(a, from->u.s, from->n, &to->n_strings);
        break;
    case OC_ATTR_TENSOR:
        to->t = oc_write_constant(a, from->u.t);
        break;
    case OC_ATTR_GRAPH:
        to->g = write_graph_at(a, from->u.g);
        break;
    case OC_ATTR_TENSORS:
        OC_WRITE_LIST(a, to->tensors, to->n_tensors, from->u.t, from->n, oc_write_constant);
        break;
    case OC_ATTR_GRAPHS:
        OC_WRITE_LIST(a, to->graphs, to->n_graphs, from->u.g, from->n, write_graph_at);
        break;
    case OC_ATTR_SPARSE_TENSOR:
        to->sparse_tensor = oc_write_sparse(a, from->u.sparse);
        break;
    case OC_ATTR_SPARSE_TENSORS:
        OC_WRITE_LIST(a, to->sparse_tensors, to->n_sparse_tensors, from->u.sparse, from->n,
                      oc_write_sparse);
        break;
    case OC_ATTR_TYPE_PROTO:
        to->tp = oc_write_type(a, from->u.type);
        break;
    case OC_ATTR_TYPE_PROTOS:
        OC_WRITE_LIST(a, to->type_protos, to->n_type_protos, from->u.type, from->n, oc_write_type);
        break;
    case OC_ATTR_UNDEFINED:
        break;
    }
}

void *oc_write_attr(oc_arena *a, const void *item)
{
    const oc_attr *from = item;
    Onnx__AttributeProto *to = oc_write_new(a, &onnx__attribute_proto__descriptor);
    if (!to)
        return NULL;
    to->name = (char *)(uintptr_t)from->name;
    to->doc_string = oc_write_text(from->doc);
    to->has_type = true;
    to->type = (Onnx__AttributeProto__AttributeType)from->kind;
    if (from->ref)
        to->ref_attr_name = (char *)(uintptr_t)from->ref;
    else
        write_elements(a, from, to);
    return to;
}

/* ---- nodes ---- */

void *oc_write_node(oc_arena *a, const void *item)
{
    const oc_node *n = item;
    Onnx__NodeProto *to = oc_write_new(a, &onnx__node_proto__descriptor);
    if (!to)
        return NULL;
    to->n_input = (size_t)n->n_in;
    to->input = (char **)(uintptr_t)n->in;
    to->n_output = (size_t)n->n_out;
    to->output = (char **)(uintptr_t)n->out;
    to->name = oc_write_text(n->name);
    to->op_type = (char *)(uintptr_t)n->op_type;
    to->domain = oc_write_text(n->domain);
    to->overload = oc_write_text(n->overload);
    to->doc_string = oc_write_text(n->doc);
    to->metadata_props = oc_write_pairs(a, &n->metadata, &to->n_metadata_props, &to->base);
    OC_WRITE_LIST(a, to->attribute, to->n_attribute, n->attr, n->n_attr, oc_write_attr);
    return to;
}

/* In a file a function has no initializers: each is made by a Constant node. */
static Onnx__NodeProto *write_maker(oc_arena *a, oc_name output, const oc_attr *value)
{
    const oc_node node = {.name = "",
                          .domain = "",
                          .overload = "",
                          .doc = "",
                          .op_type = "Constant",
                          .n_out = 1,
                          .attr = (oc_attr *)(uintptr_t)value,
                          .n_attr = 1};
    Onnx__NodeProto *to = oc_write_node(a, &node);
    if (to)
        to->output = oc_arena_array(a, 1, sizeof *to->output);
    if (!to || !to->output)
        return NULL;
    to->output[0] = (char *)(uintptr_t)output;
    return to;
}

static Onnx__NodeProto *write_constant_node(oc_arena *a, const oc_constant *c)
{
    return write_maker(
        a, c->name,
        &(oc_attr){.name = "value", .doc = "", .kind = OC_ATTR_TENSOR, .n = 1, .u.t = c});
}

static Onnx__NodeProto *write_sparse_node(oc_arena *a, const oc_sparse *s)
{
    return write_maker(a, s->values.name,
                       &(oc_attr){.name = "sparse_value",
                                  .doc = "",
                                  .kind = OC_ATTR_SPARSE_TENSOR,
                                  .n = 1,
                                  .u.sparse = s});
}

Onnx__NodeProto **oc_write_body(oc_arena *a, const oc_graph *g, size_t *n)
{
    Onnx__NodeProto **node = oc_arena_array(
        a, (size_t)g->n_initializer + (size_t)g->n_sparse + (size_t)g->n_node, sizeof *node);
    *n = 0;
    for (int i = 0; node && i < g->n_initializer; i++)
        if ((node[*n] = write_constant_node(a, &g->initializer[i])))
            ++*n;
    for (int i = 0; node && i < g->n_sparse; i++)
        if ((node[*n] = write_sparse_node(a, &g->sparse[i])))
            ++*n;
    for (int i = 0; node && i < g->n_node; i++)
        if ((node[*n] = oc_write_node(a, &g->node[i])))
            ++*n;
    return node;
}

/* ---- graphs ---- */

static void *write_quantization(oc_arena *a, const void *item)
{
    const oc_quantization *q = item;
    Onnx__TensorAnnotation *to = oc_write_new(a, &onnx__tensor_annotation__descriptor);
    if (!to)
        return NULL;
    to->tensor_name = (char *)(uintptr_t)q->tensor;
    to->quant_parameter_tensor_names =
        oc_write_pairs(a, &q->parameters, &to->n_quant_parameter_tensor_names, &to->base);
    return to;
}

void *oc_write_graph(oc_arena *a, const void *item)
{
    const oc_graph *g = item;
    Onnx__GraphProto *to = oc_write_new(a, &onnx__graph_proto__descriptor);
    if (!to)
        return NULL;
    to->name = oc_write_text(g->name);
    to->doc_string = oc_write_text(g->doc);
    to->metadata_props = oc_write_pairs(a, &g->metadata, &to->n_metadata_props, &to->base);
    OC_WRITE_LIST(a, to->node, to->n_node, g->node, g->n_node, oc_write_node);
    OC_WRITE_LIST(a, to->input, to->n_input, g->input, g->n_input, oc_write_value_info);
    OC_WRITE_LIST(a, to->output, to->n_output, g->output, g->n_output, oc_write_value_info);
    OC_WRITE_LIST(a, to->value_info, to->n_value_info, g->value, g->n_value, oc_write_value_info);
    OC_WRITE_LIST(a, to->initializer, to->n_initializer, g->initializer, g->n_initializer,
                  oc_write_constant);
    OC_WRITE_LIST(a, to->sparse_initializer, to->n_sparse_initializer, g->sparse, g->n_sparse,
                  oc_write_sparse);
    OC_WRITE_LIST(a, to->quantization_annotation, to->n_quantization_annotation, g->quantization,
                  g->n_quantization, write_quantization);
    return to;
}
