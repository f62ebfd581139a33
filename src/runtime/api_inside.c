/* SPDX-License-Identifier: Apache-2.0
 * api_inside.c - the public interface to a model's metadata, functions, initializers and
 * attributes, and to the node of a call. */
#include "graph/print.h"
#include "plan/plan.h"
#include "runtime/port.h"
#include "runtime/sized.h"

const char *oc_model_metadata(const oc_model *m, int i, const char **value)
{
    if (!m || i < 0 || i >= m->metadata.n)
        return NULL;
    if (value)
        *value = m->metadata.item[i].value;
    return m->metadata.item[i].key;
}

/* ---- functions ---- */

bool oc_model_function_at(const oc_model *m, int i, oc_model_function *out)
{
    if (!m || !out || i < 0 || i >= m->n_function)
        return false;
    const oc_function *f = &m->function[i];
    *out = (oc_model_function){
        .domain = f->domain, .name = f->name, .overload = f->overload, .file = f->file};
    for (int k = 0; k < m->n_usage; k++)
        if (m->usage[k].function == i)
            out->n_calls += m->usage[k].count;
    return true;
}

/* ---- initializers ---- */

static oc_weight weight_of(oc_name name, const oc_dims *dims, const oc_value *elements)
{
    return (oc_weight){.name = name,
                       .type = elements->type,
                       .rank = dims->rank,
                       .dim = dims->n,
                       .bytes = oc_value_bytes(elements)};
}

static oc_weight dense_weight(const oc_constant *c)
{
    oc_weight w = weight_of(c->name, &c->value.dims, &c->value);
    w.external = c->external;
    return w;
}

static oc_weight sparse_weight(const oc_sparse *s)
{
    oc_weight w = weight_of(s->values.name, &s->dims, &s->values.value);
    w.bytes += oc_value_bytes(&s->indices.value);
    w.sparse = true;
    return w;
}

bool oc_model_weight_at(const oc_model *m, int i, oc_weight *out)
{
    if (!m || !out || i < 0)
        return false;
    const oc_graph *g = &m->graph;
    const int dense = i - g->n_initializer, sparse = dense - g->n_sparse;
    if (sparse >= m->n_lost)
        return false;
    *out = dense < 0    ? dense_weight(&g->initializer[i])
           : sparse < 0 ? sparse_weight(&g->sparse[dense])
                        : dense_weight(&m->lost[sparse]);
    return true;
}

/* ---- attributes ---- */

oc_attribute oc_node_attribute(const oc_node_info *node, int i)
{
    oc_attribute out = {.name = "", .kind = oc_attr_kind_name(OC_ATTR_UNDEFINED)};
    if (!node || !node->attr || i < 0 || i >= node->n_attr)
        return out;
    const oc_attr *a = &node->attr[i];
    out = (oc_attribute){
        .name = a->name, .kind = oc_attr_kind_name(a->kind), .ref = a->ref, .n = a->ref ? 0 : a->n};
    if (a->ref)
        return out;
    if (oc_attr_item(a->kind) == OC_ATTR_FLOAT)
        out.floats = a->u.f;
    if (oc_attr_item(a->kind) == OC_ATTR_INT)
        out.ints = a->u.i;
    if (oc_attr_item(a->kind) == OC_ATTR_STRING)
        out.strings = a->u.s;
    return out;
}

void oc_node_write_attribute(const oc_node_info *node, int i, const oc_writer *out, oc_error *e)
{
    if (!oc_error_is_clear(e))
        return;
    if (!node || !node->attr || i < 0 || i >= node->n_attr || !out || !out->write)
        oc_error_set(e, OC_ARGUMENT,
                     "oc_node_write_attribute: there is no such attribute or no writer");
    else
        oc_print_attr(&node->attr[i], out, e);
}

/* ---- the node of a call ---- */

/* Returns what the call knows about an input, or what the model declares about an output. */
static oc_port port_of_call(const oc_call *c, const oc_step *s, int i)
{
    const int k = i - c->op->n_in;
    if (k >= 0) {
        oc_port p = {.rank = -1};
        if (s->declared && s->declared[k].info)
            p = oc_port_of(s->declared[k].info);
        p.name = s->node->out[k];
        return p;
    }
    oc_port p = {.name = s->node->in[i], .rank = -1};
    const oc_value *v = c->in[i];
    if (!v)
        return p;
    p.kind = v->kind;
    p.type = v->type;
    p.key_type = v->key;
    p.rank = v->kind == OC_TENSOR ? v->dims.rank : -1;
    for (int a = 0; a < p.rank; a++)
        p.dim[a] = v->dims.n[a];
    return p;
}

static oc_status describe_node(oc_call *c, size_t port_size, oc_node_info *info)
{
    const oc_step *s = oc_step_of(c);
    char *port;
    OC_TRY(OC_SCRATCH_OF(c, port, c->op->n_in + c->op->n_out + 1, port_size));
    for (int i = 0; i < c->op->n_in + c->op->n_out; i++) {
        const oc_port p = port_of_call(c, s, i);
        oc_sized_write(port + (size_t)i * port_size, port_size, &p, sizeof p);
    }
    *info = (oc_node_info){.name = s->node->name,
                           .domain = s->node->domain,
                           .op_type = s->node->op_type,
                           .opset = s->node->opset,
                           .since = c->op->version->since,
                           .support = OC_SUPPORT_NATIVE,
                           .parent = -1,
                           .n_in = c->op->n_in,
                           .n_out = c->op->n_out,
                           .n_attr = s->node->n_attr,
                           .in = (const oc_port *)port,
                           .out = (const oc_port *)(port + (size_t)c->op->n_in * port_size),
                           .attr = s->node->attr};
    return OC_OK;
}

void oc_call_node_sized(oc_call *call, size_t port_size, oc_node_info *out, size_t out_size)
{
    oc_node_info info = {.name = "", .domain = "", .op_type = "", .parent = -1};
    if (call && !oc_sized_is_item(port_size))
        oc_fail(call, OC_ARGUMENT, "oc_call_node: oc_port of %zu bytes", port_size);
    else if (call)
        describe_node(call, port_size, &info);
    oc_sized_write(out, out_size, &info, sizeof info);
}
