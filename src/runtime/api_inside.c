/* SPDX-License-Identifier: Apache-2.0
 * api_inside.c - metadata, functions, initializers and attributes of a model in the public
 * interface. */
#include "graph/print.h"

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

bool oc_model_weight_at(const oc_model *m, int i, oc_weight *out)
{
    const int dense = m ? m->graph.n_initializer : 0;
    if (!m || !out || i < 0 || i - dense >= m->graph.n_sparse)
        return false;
    if (i < dense) {
        const oc_constant *c = &m->graph.initializer[i];
        *out = weight_of(c->name, &c->value.dims, &c->value);
        out->external = c->external;
    } else {
        const oc_sparse *s = &m->graph.sparse[i - dense];
        *out = weight_of(s->name, &s->dims, &s->values);
        out->bytes += oc_value_bytes(&s->indices);
        out->sparse = true;
    }
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
    if (a->kind == OC_ATTR_FLOAT || a->kind == OC_ATTR_FLOATS)
        out.floats = a->u.f;
    if (a->kind == OC_ATTR_INT || a->kind == OC_ATTR_INTS)
        out.ints = a->u.i;
    if (a->kind == OC_ATTR_STRING || a->kind == OC_ATTR_STRINGS)
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
