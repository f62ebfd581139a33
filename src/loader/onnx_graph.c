/* SPDX-License-Identifier: Apache-2.0
 * onnx_graph.c - turns AttributeProto, NodeProto and GraphProto into the graph. */
#include "graph/node_text.h"
#include "loader/onnx.h"

/* ---- attributes ---- */

/* Returns the kind of an attribute without a type, by the field that is set: files of the first
 * IR versions have no types. */
static oc_attr_kind infer_kind(const Onnx__AttributeProto *a)
{
    return a->has_f              ? OC_ATTR_FLOAT
           : a->has_i            ? OC_ATTR_INT
           : a->has_s            ? OC_ATTR_STRING
           : a->t                ? OC_ATTR_TENSOR
           : a->g                ? OC_ATTR_GRAPH
           : a->n_floats         ? OC_ATTR_FLOATS
           : a->n_ints           ? OC_ATTR_INTS
           : a->n_strings        ? OC_ATTR_STRINGS
           : a->n_tensors        ? OC_ATTR_TENSORS
           : a->n_graphs         ? OC_ATTR_GRAPHS
           : a->sparse_tensor    ? OC_ATTR_SPARSE_TENSOR
           : a->n_sparse_tensors ? OC_ATTR_SPARSE_TENSORS
           : a->tp               ? OC_ATTR_TYPE_PROTO
           : a->n_type_protos    ? OC_ATTR_TYPE_PROTOS
                                 : OC_ATTR_UNDEFINED;
}

/* Returns how many of the fields that hold values are set. */
static int n_values(const Onnx__AttributeProto *a)
{
    return (a->has_f != 0) + (a->has_i != 0) + (a->has_s != 0) + (a->t != NULL) + (a->g != NULL) +
           (a->n_floats > 0) + (a->n_ints > 0) + (a->n_strings > 0) + (a->n_tensors > 0) +
           (a->n_graphs > 0) + (a->sparse_tensor != NULL) + (a->n_sparse_tensors > 0) +
           (a->tp != NULL) + (a->n_type_protos > 0);
}

/* Checks that an attribute is either a reference or one value of the type that it declares.
 * where names its node or function. */
static oc_status check_value(const oc_onnx *x, const char *where, const Onnx__AttributeProto *a)
{
    const char *name = a->name ? a->name : "";
    const int n = n_values(a);
    const oc_attr_kind given = infer_kind(a);
    if (n > 1)
        return oc_error_set(x->e, OC_FORMAT, "%s: attribute '%s' has values of %d kinds", where,
                            name, n);
    if (n && a->ref_attr_name && *a->ref_attr_name)
        return oc_error_set(x->e, OC_FORMAT,
                            "%s: attribute '%s' has a value and refers to '@%s' too", where, name,
                            a->ref_attr_name);
    if (n && a->type && given != (oc_attr_kind)a->type)
        return oc_error_set(x->e, OC_FORMAT, "%s: the value of attribute '%s' is %s, its type %s",
                            where, name, oc_attr_kind_name(given),
                            oc_attr_kind_name((oc_attr_kind)a->type));
    return OC_OK;
}

oc_status oc_onnx_check_attrs(const oc_onnx *x, const char *where, size_t n,
                              Onnx__AttributeProto *const *from)
{
    for (size_t i = 0; i < n; i++)
        OC_TRY(check_value(x, where, from[i]));
    return OC_OK;
}

static void *new_items(oc_onnx *x, size_t n, size_t size, oc_attr *out)
{
    out->n = (int)n;
    return oc_arena_array(x->arena, n, size);
}

static oc_status read_strings(oc_onnx *x, size_t n, const ProtobufCBinaryData *from, oc_attr *out)
{
    oc_string *s = new_items(x, n, sizeof *s, out);
    for (size_t i = 0; s && i < n; i++)
        s[i] = (oc_string){oc_arena_text(x->arena, (const char *)from[i].data, from[i].len),
                           from[i].len};
    out->u.s = s;
    return oc_arena_check(x->arena, x->e);
}

static oc_status read_tensors(oc_onnx *x, size_t n, Onnx__TensorProto *const *from, oc_attr *out)
{
    oc_constant *t = new_items(x, n, sizeof *t, out);
    OC_TRY(oc_arena_check(x->arena, x->e));
    out->u.t = t;
    for (size_t i = 0; i < n; i++)
        OC_TRY(oc_onnx_constant(x, from[i], &t[i]));
    return OC_OK;
}

static oc_status read_sparse(oc_onnx *x, size_t n, Onnx__SparseTensorProto *const *from,
                             oc_attr *out)
{
    oc_sparse *s = new_items(x, n, sizeof *s, out);
    OC_TRY(oc_arena_check(x->arena, x->e));
    out->u.sparse = s;
    for (size_t i = 0; i < n; i++)
        OC_TRY(oc_onnx_sparse(x, from[i], &s[i]));
    return OC_OK;
}

static oc_status read_types(oc_onnx *x, size_t n, Onnx__TypeProto *const *from, oc_attr *out)
{
    oc_type_info *t = new_items(x, n, sizeof *t, out);
    OC_TRY(oc_arena_check(x->arena, x->e));
    out->u.type = t;
    for (size_t i = 0; i < n; i++)
        OC_TRY(oc_onnx_type(x, from[i], &t[i]));
    return OC_OK;
}

static oc_status read_graphs(oc_onnx *x, size_t n, Onnx__GraphProto *const *from, oc_attr *out)
{
    oc_graph **g = new_items(x, n, sizeof *g, out);
    OC_TRY(oc_arena_check(x->arena, x->e));
    out->u.g = g;
    for (size_t i = 0; i < n; i++) {
        g[i] = oc_arena_alloc(x->arena, sizeof **g);
        OC_TRY(oc_arena_check(x->arena, x->e));
        OC_TRY(oc_onnx_graph(x, from[i], g[i]));
    }
    return OC_OK;
}

static oc_status read_numbers(oc_onnx *x, const void *from, size_t n, size_t size, oc_attr *out)
{
    void *items = new_items(x, n, size, out);
    OC_TRY(oc_arena_check(x->arena, x->e));
    OC_TRY(oc_watch_copy(x->memory->watch, items, from, n * size, x->e));
    out->u.items = items;
    return OC_OK;
}

static oc_status no_known_type(oc_onnx *x, const oc_attr *a)
{
    return oc_error_set(x->e, OC_FORMAT, "attribute '%s' has no known type", a->name);
}

static oc_status read_elements(oc_onnx *x, const Onnx__AttributeProto *a, oc_attr *out)
{
    switch (out->kind) {
    case OC_ATTR_FLOAT:
        return read_numbers(x, &a->f, 1, sizeof a->f, out);
    case OC_ATTR_INT:
        return read_numbers(x, &a->i, 1, sizeof a->i, out);
    case OC_ATTR_STRING:
        return read_strings(x, 1, &a->s, out);
    case OC_ATTR_TENSOR:
        return read_tensors(x, a->t != NULL, &a->t, out);
    case OC_ATTR_GRAPH:
        return read_graphs(x, a->g != NULL, &a->g, out);
    case OC_ATTR_FLOATS:
        return read_numbers(x, a->floats, a->n_floats, sizeof *a->floats, out);
    case OC_ATTR_INTS:
        return read_numbers(x, a->ints, a->n_ints, sizeof *a->ints, out);
    case OC_ATTR_STRINGS:
        return read_strings(x, a->n_strings, a->strings, out);
    case OC_ATTR_TENSORS:
        return read_tensors(x, a->n_tensors, a->tensors, out);
    case OC_ATTR_GRAPHS:
        return read_graphs(x, a->n_graphs, a->graphs, out);
    case OC_ATTR_SPARSE_TENSOR:
        return read_sparse(x, a->sparse_tensor != NULL, &a->sparse_tensor, out);
    case OC_ATTR_SPARSE_TENSORS:
        return read_sparse(x, a->n_sparse_tensors, a->sparse_tensors, out);
    case OC_ATTR_TYPE_PROTO:
        return read_types(x, a->tp != NULL, &a->tp, out);
    case OC_ATTR_TYPE_PROTOS:
        return read_types(x, a->n_type_protos, a->type_protos, out);
    default:
        return no_known_type(x, out);
    }
}

static oc_status read_attr(oc_onnx *x, const Onnx__AttributeProto *a, oc_attr *out)
{
    *out = (oc_attr){.name = oc_onnx_name(x, a->name), .doc = oc_onnx_name(x, a->doc_string)};
    out->kind = a->type ? (oc_attr_kind)a->type : infer_kind(a);
    if (a->ref_attr_name && *a->ref_attr_name) {
        out->ref = oc_onnx_name(x, a->ref_attr_name);
        const bool known = (unsigned)out->kind < OC_N_ATTR_KINDS;
        return known ? oc_arena_check(x->arena, x->e) : no_known_type(x, out);
    }
    if (out->kind == OC_ATTR_UNDEFINED && !a->has_type)
        out->kind = OC_ATTR_INTS; /* an attribute with no value and no type is an empty list */
    OC_TRY(read_elements(x, a, out));
    if (out->kind == oc_attr_item(out->kind) && out->n == 0)
        return oc_error_set(x->e, OC_FORMAT, "attribute '%s' has no value of its type", out->name);
    return OC_OK;
}

oc_status oc_onnx_attrs(oc_onnx *x, size_t n, Onnx__AttributeProto *const *from, oc_attr **out,
                        int *n_out)
{
    *out = oc_arena_array(x->arena, n, sizeof **out);
    *n_out = (int)n;
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < n; i++)
        OC_TRY(read_attr(x, from[i], &(*out)[i]));
    return OC_OK;
}

/* ---- nodes ---- */

oc_status oc_onnx_nodes(oc_onnx *x, size_t n, Onnx__NodeProto *const *from, oc_graph *g)
{
    g->node = oc_arena_array(x->arena, n, sizeof *g->node);
    g->n_node = (int)n;
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < n; i++) {
        const Onnx__NodeProto *p = from[i];
        char where[OC_NODE_TEXT];
        oc_attr *attr;
        g->node[i] = (oc_node){
            .name = oc_onnx_name(x, p->name),
            .op_type = oc_onnx_name(x, p->op_type),
            .domain = oc_onnx_domain(x, p->domain),
            .overload = oc_onnx_name(x, p->overload),
            .doc = oc_onnx_text(x, p->doc_string),
            .in = oc_onnx_names(x, p->n_input, p->input),
            .out = oc_onnx_names(x, p->n_output, p->output),
            .n_in = (int)p->n_input,
            .n_out = (int)p->n_output,
            .metadata = oc_onnx_pairs(x, p->n_metadata_props, p->metadata_props, &p->base)};
        OC_TRY(oc_arena_check(x->arena, x->e));
        OC_TRY(oc_onnx_check_attrs(x, oc_node_text(&g->node[i], 0, where), p->n_attribute,
                                   p->attribute));
        OC_TRY(oc_onnx_attrs(x, p->n_attribute, p->attribute, &attr, &g->node[i].n_attr));
        g->node[i].attr = attr;
    }
    return OC_OK;
}

/* ---- graphs ---- */

/* Refuses initializers that cannot be read, before memory is allocated for them. */
static oc_status check_sparse(const oc_onnx *x, const Onnx__GraphProto *p)
{
    for (size_t i = 0; i < p->n_sparse_initializer; i++)
        if (!p->sparse_initializer[i]->values || !p->sparse_initializer[i]->indices)
            return oc_error_set(x->e, OC_FORMAT, "a sparse tensor has no values or no indices");
    return OC_OK;
}

static oc_status read_initializers(oc_onnx *x, const Onnx__GraphProto *p, oc_graph *g)
{
    OC_TRY(check_sparse(x, p));
    g->initializer = oc_arena_array(x->arena, p->n_initializer, sizeof *g->initializer);
    g->sparse = oc_arena_array(x->arena, p->n_sparse_initializer, sizeof *g->sparse);
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < p->n_initializer; i++) {
        x->in_place = true;
        x->may_lack = x->m && x->m->options.without_weights && g == &x->m->graph;
        OC_TRY(oc_onnx_constant(x, p->initializer[i], &g->initializer[i]));
        x->in_place = x->may_lack = false;
        oc_onnx_done(x, p->initializer[i]);
        p->initializer[i] = NULL;
    }
    for (size_t i = 0; i < p->n_sparse_initializer; i++)
        OC_TRY(oc_onnx_sparse(x, p->sparse_initializer[i], &g->sparse[i]));
    g->n_initializer = (int)p->n_initializer;
    g->n_sparse = (int)p->n_sparse_initializer;
    return OC_OK;
}

static oc_status read_quantization(oc_onnx *x, const Onnx__GraphProto *p, oc_graph *g)
{
    g->n_quantization = (int)p->n_quantization_annotation;
    g->quantization =
        oc_arena_array(x->arena, p->n_quantization_annotation, sizeof *g->quantization);
    OC_TRY(oc_arena_check(x->arena, x->e));
    for (size_t i = 0; i < p->n_quantization_annotation; i++) {
        const Onnx__TensorAnnotation *a = p->quantization_annotation[i];
        g->quantization[i] =
            (oc_quantization){oc_onnx_name(x, a->tensor_name),
                              oc_onnx_pairs(x, a->n_quant_parameter_tensor_names,
                                            a->quant_parameter_tensor_names, &a->base)};
    }
    return oc_arena_check(x->arena, x->e);
}

oc_status oc_onnx_graph(oc_onnx *x, const Onnx__GraphProto *p, oc_graph *g)
{
    if (x->depth >= OC_MAX_NESTING)
        return oc_error_set(x->e, OC_LIMIT, "graphs are nested deeper than %d", OC_MAX_NESTING);
    x->depth++;
    *g = (oc_graph){.name = oc_onnx_name(x, p->name), .doc = oc_onnx_text(x, p->doc_string)};
    OC_TRY(oc_onnx_nodes(x, p->n_node, p->node, g));
    OC_TRY(oc_onnx_value_infos(x, p->n_input, p->input, &g->input, &g->n_input));
    OC_TRY(oc_onnx_value_infos(x, p->n_output, p->output, &g->output, &g->n_output));
    OC_TRY(oc_onnx_value_infos(x, p->n_value_info, p->value_info, &g->value, &g->n_value));
    OC_TRY(read_initializers(x, p, g));
    OC_TRY(read_quantization(x, p, g));
    g->metadata = oc_onnx_pairs(x, p->n_metadata_props, p->metadata_props, &p->base);
    x->depth--;
    return oc_arena_check(x->arena, x->e);
}
