/* SPDX-License-Identifier: Apache-2.0
 * weight_list.c - finds the weights of a model. */
#include "inspect/weight_list.h"

#include "base/element_type.h"
#include "common/number.h"
#include "common/tool.h"

enum { MANY = 64 }; /* elements of a Constant that make even wide integers weights */

static void add(weight_list *w, const weight *one)
{
    int64_t n = 1;
    for (int i = 0; i < one->port.rank; i++)
        if (__builtin_mul_overflow(n, one->port.dim[i], &n))
            n = INT64_MAX;
    w->item = tool_push(w->item, (size_t)w->n, sizeof *w->item);
    w->item[w->n++] = *one;
    w->n_constant += one->constant;
    w->n_lost += one->lost;
    if (__builtin_add_overflow(w->n_parameters, n, &w->n_parameters))
        w->n_parameters = INT64_MAX;
    if (one->constant || one->lost)
        text_index_add(&w->hidden, one->port.name, w->n - 1);
}

/* ---- initializers ---- */

/* Maps the inputs that have no default to their numbers. */
static text_index inputs_of(const oc_model *m)
{
    text_index inputs = {0};
    for (int i = 0; i < oc_model_n_inputs(m); i++) {
        const oc_port port = oc_model_input(m, i);
        if (!port.has_default)
            text_index_add(&inputs, port.name, i);
    }
    return inputs;
}

static void add_initializers(weight_list *w, const oc_model *m)
{
    text_index inputs = inputs_of(m);
    oc_weight is;
    for (int i = 0; oc_model_weight_at(m, i, &is); i++) {
        weight one = {.port = {.name = is.name, .type = is.type, .rank = is.rank},
                      .bytes = is.bytes,
                      .external = is.external,
                      .sparse = is.sparse,
                      .lost = text_index_find(&inputs, is.name) >= 0};
        memcpy(one.port.dim, is.dim, (size_t)is.rank * sizeof *is.dim);
        add(w, &one);
    }
    text_index_free(&inputs);
}

/* ---- nodes ---- */

/* Returns the bytes of a value of known dims; 0 when they are not known. */
static size_t bytes_of(const oc_port *p)
{
    uint64_t n = p->kind == OC_TENSOR && p->rank >= 0 ? oc_type_size(p->type) : 0;
    for (int i = 0; i < p->rank; i++)
        if (p->dim[i] < 0 || __builtin_mul_overflow(n, (uint64_t)p->dim[i], &n))
            return 0;
    return n > SIZE_MAX ? 0 : (size_t)n;
}

static bool is_constant(const oc_node_info *node)
{
    const bool one = node->depth == 0 && node->n_out == 1 && node->n_attr == 1 && !*node->domain;
    return one && strcmp(node->op_type, "Constant") == 0 &&
           strcmp(oc_node_attribute(node, 0).kind, "tensor") == 0;
}

static bool holds_weights(const oc_port *p)
{
    const size_t size = oc_type_size(p->type), n = size ? bytes_of(p) / size : 0;
    const bool narrow = number_is_float(p->type) || (size == 1 && p->type != OC_BOOL);
    return p->rank > 0 && (narrow ? n > 1 : n >= MANY);
}

static void take_node(void *ctx, const oc_node_info *node)
{
    if (!is_constant(node) || !holds_weights(&node->out[0]))
        return;
    const weight one = {.port = node->out[0], .bytes = bytes_of(&node->out[0]), .constant = true};
    add(ctx, &one);
}

weight_list weight_list_of(const oc_model *m, oc_error *e)
{
    weight_list w = {.n = 0};
    if (e->code != OC_OK)
        return w;
    add_initializers(&w, m);
    oc_model_visit(m, NULL, take_node, &w, e);
    return w;
}

void weight_list_free(weight_list *w)
{
    free(w->item);
    text_index_free(&w->hidden);
    *w = (weight_list){.n = 0};
}

bool weight_list_has(const weight_list *w, const oc_port *read)
{
    return read->has_default || text_index_find(&w->hidden, read->name) >= 0;
}
