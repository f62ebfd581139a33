/* SPDX-License-Identifier: Apache-2.0
 * model_equal.c - two models compared piece by piece, with the way to the first difference. */
#include "model_equal.h"

#include <stdio.h>
#include <string.h>

/* Where the comparison stands: a frame on the stack for each thing around it. */
typedef struct at {
    const struct at *up;
    const char *what; /* "node" */
    int index;        /* -1: there is only one */
    const char *name; /* NULL or "": none */
    char *why;
    size_t size;
} at;

static at inside(const at *up, const char *what, int index, const char *name)
{
    return (at){up, what, index, name, up->why, up->size};
}

/* Appends "model: graph: node 3 'x': " and returns the bytes used. */
static size_t write_way(const at *a, char *why, size_t size)
{
    size_t n = a->up ? write_way(a->up, why, size) : 0;
    char index[16] = "";
    if (a->index >= 0)
        snprintf(index, sizeof index, " %d", a->index);
    if (n >= size)
        return n;
    const bool named = a->name && *a->name;
    const int part = named ? snprintf(why + n, size - n, "%s%s '%s': ", a->what, index, a->name)
                           : snprintf(why + n, size - n, "%s%s: ", a->what, index);
    return n + (part > 0 ? (size_t)part : 0);
}

static bool differ(const at *a, const char *what)
{
    const size_t n = write_way(a, a->why, a->size);
    if (n < a->size)
        snprintf(a->why + n, a->size - n, "the %s differ", what);
    return false;
}

static bool differ_in_number(const at *a, const char *what)
{
    const at list = inside(a, what, -1, NULL);
    return differ(&list, "numbers");
}

static bool same_text(const at *a, const char *what, const char *x, const char *y)
{
    return strcmp(x, y) == 0 || differ(a, what);
}

static bool same_number(const at *a, const char *what, int64_t x, int64_t y)
{
    return x == y || differ(a, what);
}

static bool same_pairs(const at *a, const char *what, const oc_pairs *x, const oc_pairs *y)
{
    if (x->n != y->n)
        return differ(a, what);
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->item[i].key, y->item[i].key) != 0 ||
            strcmp(x->item[i].value, y->item[i].value) != 0)
            return differ(a, what);
    if (!x->rest != !y->rest)
        return differ(a, "fields that are not declared");
    return !x->rest ||
           (x->rest->size == y->rest->size &&
            memcmp(x->rest->data, y->rest->data, x->rest->size) == 0) ||
           differ(a, "fields that are not declared");
}

static bool same_names(const at *a, const char *what, const oc_name *x, int n_x, const oc_name *y,
                       int n_y)
{
    if (n_x != n_y)
        return differ(a, what);
    for (int i = 0; i < n_x; i++)
        if (strcmp(x[i], y[i]) != 0)
            return differ(a, what);
    return true;
}

static bool same_opsets(const at *a, const oc_opsets *x, const oc_opsets *y)
{
    if (x->n != y->n)
        return differ(a, "opset imports");
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->item[i].domain, y->item[i].domain) != 0 ||
            x->item[i].version != y->item[i].version)
            return differ(a, "opset imports");
    return true;
}

/* ---- types ---- */

static bool same_dim(const oc_dim *x, const oc_dim *y)
{
    return x->n == y->n && strcmp(x->symbol, y->symbol) == 0 &&
           strcmp(x->denotation ? x->denotation : "", y->denotation ? y->denotation : "") == 0;
}

static bool same_dims(const at *a, const oc_type_info *x, const oc_type_info *y)
{
    if (x->rank != y->rank)
        return differ(a, "ranks");
    for (int i = 0; i < x->rank; i++)
        if (!same_dim(&x->dims[i], &y->dims[i]))
            return differ(a, "dimensions");
    return true;
}

static bool same_type(const at *a, const oc_type_info *x, const oc_type_info *y)
{
    if (!same_number(a, "kinds of type", x->kind, y->kind) ||
        !same_text(a, "denotations", x->denotation, y->denotation))
        return false;
    const oc_type_info none = {.denotation = ""};
    switch (x->kind) {
    case OC_TYPE_NONE:
        return true;
    case OC_TYPE_TENSOR:
    case OC_TYPE_SPARSE:
        return same_number(a, "element types", x->type, y->type) && same_dims(a, x, y);
    case OC_TYPE_OPAQUE:
        return same_text(a, "opaque domains", x->opaque_domain, y->opaque_domain) &&
               same_text(a, "opaque names", x->opaque_name, y->opaque_name);
    case OC_TYPE_MAP:
        if (x->type != y->type)
            return differ(a, "key types");
        break;
    default:
        break;
    }
    const at item = inside(a, "item", -1, NULL);
    return same_type(&item, x->item ? x->item : &none, y->item ? y->item : &none);
}

static bool same_values(const at *a, const char *what, const oc_value_info *x, int n_x,
                        const oc_value_info *y, int n_y)
{
    if (n_x != n_y)
        return differ_in_number(a, what);
    for (int i = 0; i < n_x; i++) {
        const at v = inside(a, what, i, x[i].name);
        if (!same_text(&v, "names", x[i].name, y[i].name) ||
            !same_type(&v, &x[i].type, &y[i].type) ||
            !same_text(&v, "doc strings", x[i].doc, y[i].doc) ||
            !same_pairs(&v, "metadata", &x[i].metadata, &y[i].metadata))
            return false;
    }
    return true;
}

/* ---- attributes ---- */

static bool same_constant(const at *t, const oc_constant *x, const oc_constant *y)
{
    if (!same_text(t, "names", x->name, y->name) || !same_text(t, "doc strings", x->doc, y->doc) ||
        !same_pairs(t, "metadata", &x->metadata, &y->metadata))
        return false;
    return oc_value_equal(&x->value, &y->value) || differ(t, "elements");
}

static bool same_constants(const at *a, const char *what, const oc_constant *x, int n_x,
                           const oc_constant *y, int n_y)
{
    if (n_x != n_y)
        return differ_in_number(a, what);
    for (int i = 0; i < n_x; i++) {
        const at t = inside(a, what, i, x[i].name);
        if (!same_constant(&t, &x[i], &y[i]))
            return false;
    }
    return true;
}

static bool same_sparse(const at *a, const oc_sparse *x, int n_x, const oc_sparse *y, int n_y)
{
    if (n_x != n_y)
        return differ_in_number(a, "sparse tensor");
    for (int i = 0; i < n_x; i++) {
        const at t = inside(a, "sparse tensor", i, x[i].values.name);
        const at indices = inside(&t, "indices", -1, x[i].indices.name);
        if (!oc_dims_equal(&x[i].dims, &y[i].dims))
            return differ(&t, "shapes");
        if (!same_constant(&t, &x[i].values, &y[i].values) ||
            !same_constant(&indices, &x[i].indices, &y[i].indices))
            return false;
    }
    return true;
}

static bool same_strings(const at *a, const oc_string *x, const oc_string *y, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i].size != y[i].size || (x[i].size && memcmp(x[i].data, y[i].data, x[i].size) != 0))
            return differ(a, "strings");
    return true;
}

static bool same_graph(const at *a, const oc_graph *x, const oc_graph *y);

static bool same_items(const at *a, const oc_attr *x, const oc_attr *y)
{
    const size_t n = (size_t)x->n;
    switch (x->kind) {
    case OC_ATTR_FLOAT:
    case OC_ATTR_FLOATS:
        return n == 0 || memcmp(x->u.f, y->u.f, n * sizeof(float)) == 0 || differ(a, "floats");
    case OC_ATTR_INT:
    case OC_ATTR_INTS:
        return n == 0 || memcmp(x->u.i, y->u.i, n * sizeof(int64_t)) == 0 || differ(a, "integers");
    case OC_ATTR_STRING:
    case OC_ATTR_STRINGS:
        return same_strings(a, x->u.s, y->u.s, x->n);
    case OC_ATTR_TENSOR:
    case OC_ATTR_TENSORS:
        return same_constants(a, "tensor", x->u.t, x->n, y->u.t, y->n);
    case OC_ATTR_SPARSE_TENSOR:
    case OC_ATTR_SPARSE_TENSORS:
        return same_sparse(a, x->u.sparse, x->n, y->u.sparse, y->n);
    case OC_ATTR_GRAPH:
    case OC_ATTR_GRAPHS:
        for (int i = 0; i < x->n; i++) {
            const at g = inside(a, "graph", i, x->u.g[i]->name);
            if (!same_graph(&g, x->u.g[i], y->u.g[i]))
                return false;
        }
        return true;
    case OC_ATTR_TYPE_PROTO:
    case OC_ATTR_TYPE_PROTOS:
        for (int i = 0; i < x->n; i++)
            if (!same_type(a, &x->u.type[i], &y->u.type[i]))
                return false;
        return true;
    default:
        return true;
    }
}

static bool same_attrs(const at *a, const oc_attr *x, int n_x, const oc_attr *y, int n_y)
{
    if (n_x != n_y)
        return differ_in_number(a, "attribute");
    for (int i = 0; i < n_x; i++) {
        const at t = inside(a, "attribute", i, x[i].name);
        if (!same_text(&t, "names", x[i].name, y[i].name) ||
            !same_text(&t, "doc strings", x[i].doc, y[i].doc) ||
            !same_number(&t, "kinds", x[i].kind, y[i].kind) ||
            !same_text(&t, "references", x[i].ref ? x[i].ref : "", y[i].ref ? y[i].ref : ""))
            return false;
        if (x[i].ref)
            continue;
        if (!same_number(&t, "lengths", x[i].n, y[i].n) || !same_items(&t, &x[i], &y[i]))
            return false;
    }
    return true;
}

/* ---- graphs ---- */

static bool same_node(const at *a, const oc_node *x, const oc_node *y)
{
    return same_text(a, "names", x->name, y->name) &&
           same_text(a, "operators", x->op_type, y->op_type) &&
           same_text(a, "domains", x->domain, y->domain) &&
           same_text(a, "overloads", x->overload, y->overload) &&
           same_text(a, "doc strings", x->doc, y->doc) &&
           same_names(a, "inputs", x->in, x->n_in, y->in, y->n_in) &&
           same_names(a, "outputs", x->out, x->n_out, y->out, y->n_out) &&
           same_attrs(a, x->attr, x->n_attr, y->attr, y->n_attr) &&
           same_pairs(a, "metadata", &x->metadata, &y->metadata) &&
           same_number(a, "opsets", x->opset, y->opset);
}

static bool same_nodes(const at *a, const oc_graph *x, const oc_graph *y)
{
    if (x->n_node != y->n_node)
        return differ_in_number(a, "node");
    for (int i = 0; i < x->n_node; i++) {
        const at n = inside(a, "node", i, x->node[i].name);
        if (!same_node(&n, &x->node[i], &y->node[i]))
            return false;
    }
    return true;
}

static bool same_quantization(const at *a, const oc_graph *x, const oc_graph *y)
{
    if (x->n_quantization != y->n_quantization)
        return differ_in_number(a, "quantization");
    for (int i = 0; i < x->n_quantization; i++) {
        const at q = inside(a, "quantization", i, x->quantization[i].tensor);
        if (!same_text(&q, "tensors", x->quantization[i].tensor, y->quantization[i].tensor) ||
            !same_pairs(&q, "parameters", &x->quantization[i].parameters,
                        &y->quantization[i].parameters))
            return false;
    }
    return true;
}

/* All but the name: a function's body has none of its own. */
static bool same_body(const at *a, const oc_graph *x, const oc_graph *y)
{
    return same_text(a, "doc strings", x->doc, y->doc) &&
           same_values(a, "input", x->input, x->n_input, y->input, y->n_input) &&
           same_values(a, "output", x->output, x->n_output, y->output, y->n_output) &&
           same_values(a, "value", x->value, x->n_value, y->value, y->n_value) &&
           same_constants(a, "initializer", x->initializer, x->n_initializer, y->initializer,
                          y->n_initializer) &&
           same_sparse(a, x->sparse, x->n_sparse, y->sparse, y->n_sparse) &&
           same_quantization(a, x, y) && same_pairs(a, "metadata", &x->metadata, &y->metadata) &&
           same_nodes(a, x, y);
}

static bool same_graph(const at *a, const oc_graph *x, const oc_graph *y)
{
    return same_text(a, "names", x->name, y->name) && same_body(a, x, y);
}

/* ---- functions and models ---- */

static bool same_function(const at *a, const oc_function *x, const oc_function *y)
{
    return same_text(a, "domains", x->domain, y->domain) &&
           same_text(a, "names", x->name, y->name) &&
           same_text(a, "overloads", x->overload, y->overload) &&
           same_opsets(a, &x->opsets, &y->opsets) &&
           same_names(a, "attributes", x->attr_name, x->n_attr_name, y->attr_name,
                      y->n_attr_name) &&
           same_attrs(a, x->attr_default, x->n_attr_default, y->attr_default, y->n_attr_default) &&
           same_body(a, &x->body, &y->body);
}

static bool same_functions(const at *a, const oc_model *x, const oc_model *y)
{
    if (x->n_function != y->n_function)
        return differ_in_number(a, "function");
    for (int i = 0; i < x->n_function; i++) {
        const at f = inside(a, "function", i, x->function[i].name);
        if (!same_function(&f, &x->function[i], &y->function[i]))
            return false;
    }
    return true;
}

bool model_equal(const oc_model *a, const oc_model *b, char *why, size_t size)
{
    const at m = {.what = "model", .index = -1, .why = why, .size = size};
    const at g = inside(&m, "graph", -1, a->graph.name);
    if (size > 0)
        *why = '\0';
    return same_number(&m, "IR versions", a->ir_version, b->ir_version) &&
           same_number(&m, "model versions", a->model_version, b->model_version) &&
           same_text(&m, "producer names", a->producer_name, b->producer_name) &&
           same_text(&m, "producer versions", a->producer_version, b->producer_version) &&
           same_text(&m, "domains", a->domain, b->domain) &&
           same_text(&m, "doc strings", a->doc, b->doc) &&
           same_opsets(&m, &a->opsets, &b->opsets) &&
           same_pairs(&m, "metadata", &a->metadata, &b->metadata) &&
           same_graph(&g, &a->graph, &b->graph) && same_functions(&m, a, b);
}
