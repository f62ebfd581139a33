/* SPDX-License-Identifier: Apache-2.0
 * check.c - does a model obey the rules that check.h lists? */
#include "graph/check.h"

#include "graph/build.h"
#include "graph/declared.h"
#include "graph/node_text.h"
#include "graph/recursion.h"
#include "graph/scope.h"
#include "tensor/sparse.h"

typedef struct checker {
    oc_model *model;
    oc_opkey_map functions; /* maps keys of functions to indices in model->function */
    oc_arena *arena;
    oc_error *e;
} checker;

/* ---- versions ---- */

static oc_status check_opset(const oc_opsets *o, const oc_opset *x, const char *what, oc_error *e)
{
    const int64_t first = oc_opsets_find(o, x->domain);
    if (x->version < 1)
        return oc_error_set(e, OC_MODEL, "%s: opset %" PRId64 " of domain '%s', expected >= 1",
                            what, x->version, x->domain);
    if (first != x->version)
        return oc_error_set(e, OC_MODEL,
                            "%s: domain '%s' is imported as opset %" PRId64 " and as opset %" PRId64
                            ", expected one version",
                            what, x->domain, first, x->version);
    return OC_OK;
}

/* If *version is newer than the newest known version and the options ask for it, *version
 * becomes the newest known one. In messages, `number` names what it is a version of. */
static oc_status take_newest(oc_model *m, const char *what, const char *number, int64_t *version,
                             int64_t newest, oc_error *e)
{
    if (!m->options.newer)
        return oc_error_set(e, OC_UNSUPPORTED,
                            "%s: %s %" PRId64 " is newer than %" PRId64
                            ", the newest known; the option 'newer' takes it for that",
                            what, number, *version, newest);
    OC_TRY(oc_model_remark(m, e, "%s: %s %" PRId64 " is taken for %" PRId64 ", the newest known",
                           what, number, *version, newest));
    *version = newest;
    return OC_OK;
}

/* Checks the imports of a model or function, and drops an import that repeats an earlier one. */
static oc_status check_opsets(oc_model *m, oc_opsets *o, const char *what, oc_error *e)
{
    int n = 0;
    if (o->n > OC_MAX_IMPORTS)
        return oc_error_set(e, OC_LIMIT, "%s: %d opset imports, expected at most %d", what, o->n,
                            OC_MAX_IMPORTS);
    for (int i = 0; i < o->n; i++)
        OC_TRY(check_opset(o, &o->item[i], what, e));
    for (int i = 0; i < o->n; i++) {
        oc_opset x = o->item[i];
        bool repeated = false;
        for (int k = 0; k < n; k++)
            repeated |= o->item[k].domain == x.domain;
        if (!repeated && !*x.domain && x.version > OC_MAX_OPSET)
            OC_TRY(take_newest(m, what, "opset", &x.version, OC_MAX_OPSET, e));
        if (repeated)
            continue;
        if (n != i || x.version != o->item[i].version)
            o->item[n] = x;
        n++;
    }
    /* a part of a model that was checked before may be shared, so it is written only when it
     * changes */
    if (o->n != n)
        o->n = n;
    return OC_OK;
}

/* Files before IR version 3 have no imports: every operator has version 1. Such a model becomes
 * one of version 3, so that it can be saved with its import. */
static oc_status import_first(oc_model *m, oc_error *e)
{
    const oc_name none = oc_model_name(m, "");
    OC_TRY(oc_arena_check(&m->arena, e));
    const bool imported = oc_opsets_find(&m->opsets, none) != 0;
    OC_TRY(oc_model_remark(m, e, "model: IR version %" PRId64 " is taken for version %d%s",
                           m->ir_version, OC_FIRST_IR_WITH_IMPORTS,
                           imported ? "" : ", with opset 1 of ONNX's operators"));
    m->ir_version = OC_FIRST_IR_WITH_IMPORTS;
    if (imported)
        return OC_OK;
    oc_opset *o = OC_PUSH(&m->arena, m->opsets.item, m->opsets.n);
    OC_TRY(oc_arena_check(&m->arena, e));
    *o = (oc_opset){none, 1};
    return OC_OK;
}

static oc_status check_versions(oc_model *m, oc_error *e)
{
    if (m->ir_version < OC_MIN_IR_VERSION)
        return oc_error_set(e, OC_UNSUPPORTED, "model: IR version %" PRId64 ", expected %d to %d",
                            m->ir_version, OC_MIN_IR_VERSION, OC_MAX_IR_VERSION);
    if (m->ir_version > OC_MAX_IR_VERSION)
        OC_TRY(take_newest(m, "model", "IR version", &m->ir_version, OC_MAX_IR_VERSION, e));
    if (m->ir_version < OC_FIRST_IR_WITH_IMPORTS)
        OC_TRY(import_first(m, e));
    return check_opsets(m, &m->opsets, "model", e);
}

static oc_status index_functions(checker *c)
{
    const oc_model *m = c->model;
    c->functions = oc_opkey_map_new(c->arena);
    for (int i = 0; i < m->n_function; i++) {
        const oc_function *f = &m->function[i];
        const oc_opkey key = oc_opkey_of_function(f);
        if (oc_opkey_map_get(&c->functions, key) >= 0)
            return oc_error_set(c->e, OC_MODEL, "function '%s::%s%s%s' is defined twice", f->domain,
                                f->name, *f->overload ? ":" : "", f->overload);
        if (!oc_opkey_map_put(&c->functions, key, i))
            return oc_arena_check(c->arena, c->e);
    }
    return OC_OK;
}

/* ---- nodes ---- */

typedef struct context {
    const char *what;
    const oc_opsets *opsets;
    const oc_name_map *attrs; /* attributes of the function; NULL in the main graph */
} context;

static oc_status check_unique_attrs(checker *c, const context *x, const oc_node *n)
{
    enum { FEW = 16 }; /* up to this many names are compared pair by pair */
    char node[OC_NODE_TEXT];
    oc_name_map seen = oc_name_map_new(c->arena);
    for (int i = 0; i < n->n_attr; i++) {
        const oc_name name = n->attr[i].name;
        bool twice = false;
        for (int k = 0; k < i && n->n_attr <= FEW; k++)
            twice |= n->attr[k].name == name;
        if (twice || oc_name_map_get(&seen, name) >= 0)
            return oc_error_set(c->e, OC_MODEL, "%s: %s: attribute '%s' is given twice", x->what,
                                oc_node_text(n, 0, node), name);
        if (n->n_attr > FEW && !oc_name_map_put(&seen, name, i))
            return oc_arena_check(c->arena, c->e);
    }
    return OC_OK;
}

static oc_status check_refs(checker *c, const context *x, const oc_node *n)
{
    char node[OC_NODE_TEXT];
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *a = &n->attr[i];
        if (a->ref && !x->attrs)
            return oc_error_set(c->e, OC_MODEL,
                                "%s: %s: attribute '%s' refers to '@%s', which only a function "
                                "body may",
                                x->what, oc_node_text(n, 0, node), a->name, a->ref);
        if (a->ref && oc_name_map_get(x->attrs, a->ref) < 0)
            return oc_error_set(
                c->e, OC_MODEL,
                "%s: %s: attribute '%s' refers to '@%s', which is not an attribute of "
                "the function",
                x->what, oc_node_text(n, 0, node), a->name, a->ref);
    }
    return OC_OK;
}

static oc_status check_constant(checker *c, const context *x, const oc_constant *k)
{
    int64_t count;
    size_t bytes;
    char text[OC_DIMS_TEXT];
    if (!oc_dims_bytes(&k->value.dims, oc_type_size(k->value.type), &count, &bytes))
        return oc_error_set(c->e, OC_MODEL, "%s: shape %s of tensor '%s' is negative or too large",
                            x->what, oc_dims_text(&k->value.dims, text), k->name);
    if (bytes && !k->value.data)
        return oc_error_set(c->e, OC_MODEL, "%s: tensor '%s' has no elements, expected %s", x->what,
                            k->name, oc_dims_text(&k->value.dims, text));
    return OC_OK;
}

static oc_status check_nodes(checker *c, const context *x, const oc_graph *g);

static oc_status check_attr(checker *c, const context *x, const oc_attr *a)
{
    for (int k = 0; k < oc_attr_n_graphs(a); k++)
        OC_TRY(check_nodes(c, x, a->u.g[k]));
    const bool tensors = !a->ref && oc_attr_item(a->kind) == OC_ATTR_TENSOR;
    for (int k = 0; tensors && k < a->n; k++)
        OC_TRY(check_constant(c, x, &a->u.t[k]));
    const bool sparse = !a->ref && oc_attr_item(a->kind) == OC_ATTR_SPARSE_TENSOR;
    for (int k = 0; sparse && k < a->n; k++)
        OC_TRY(oc_sparse_check(&a->u.sparse[k], c->e));
    return OC_OK;
}

static oc_status check_operator(checker *c, const context *x, const oc_node *n)
{
    char node[OC_NODE_TEXT];
    if (!*n->op_type)
        return oc_error_set(c->e, OC_MODEL, "%s: %s has no operator", x->what,
                            oc_node_text(n, 0, node));
    if (!n->opset && !oc_opsets_find(x->opsets, n->domain) &&
        oc_opkey_map_get(&c->functions, oc_opkey_of_call(n)) < 0)
        return oc_error_set(c->e, OC_MODEL, "%s: %s: domain '%s' is not among the opset imports",
                            x->what, oc_node_text(n, 0, node), n->domain);
    return OC_OK;
}

static oc_status check_nodes(checker *c, const context *x, const oc_graph *g)
{
    OC_TRY(oc_declared_check(g, x->what, c->arena, c->e));
    for (int i = 0; i < g->n_initializer; i++)
        OC_TRY(check_constant(c, x, &g->initializer[i]));
    for (int i = 0; i < g->n_sparse; i++)
        OC_TRY(oc_sparse_check(&g->sparse[i], c->e));
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        OC_TRY(check_operator(c, x, n));
        OC_TRY(check_unique_attrs(c, x, n));
        OC_TRY(check_refs(c, x, n));
        for (int a = 0; a < n->n_attr; a++)
            OC_TRY(check_attr(c, x, &n->attr[a]));
    }
    return OC_OK;
}

static oc_status check_graph(checker *c, const context *x, oc_graph *g)
{
    /* The scopes are checked first, because that check limits the nesting. */
    OC_TRY(oc_scope_check(c->model, g, x->what, false, c->arena, c->e));
    return check_nodes(c, x, g);
}

/* ---- the whole model ---- */

static oc_status declare_attr(checker *c, oc_name_map *attrs, const oc_function *f, oc_name name)
{
    if (oc_name_map_get(attrs, name) >= 0)
        return oc_error_set(c->e, OC_MODEL, "function '%s': attribute '%s' is declared twice",
                            f->name, name);
    return oc_name_map_put(attrs, name, 0) ? OC_OK : oc_arena_check(c->arena, c->e);
}

static oc_status check_function(checker *c, oc_function *f)
{
    oc_name_map attrs = oc_name_map_new(c->arena);
    const char *what = oc_arena_printf(c->arena, "function '%s'", f->name);
    OC_TRY(oc_arena_check(c->arena, c->e));
    OC_TRY(check_opsets(c->model, &f->opsets, what, c->e));
    for (int i = 0; i < f->n_attr_name; i++)
        OC_TRY(declare_attr(c, &attrs, f, f->attr_name[i]));
    for (int i = 0; i < f->n_attr_default; i++) {
        const oc_attr *a = &f->attr_default[i];
        OC_TRY(declare_attr(c, &attrs, f, a->name));
        if (a->ref)
            return oc_error_set(c->e, OC_MODEL,
                                "function '%s': the default of attribute '%s' refers to '@%s'",
                                f->name, a->name, a->ref);
        if (oc_attr_n_graphs(a))
            return oc_error_set(c->e, OC_UNSUPPORTED,
                                "function '%s': the default of attribute '%s' is a graph", f->name,
                                a->name);
        OC_TRY(check_attr(c, &(context){what, &f->opsets, NULL}, a));
    }
    const context x = {what, &f->opsets, &attrs};
    return check_graph(c, &x, &f->body);
}

static oc_status check_functions(checker *c)
{
    oc_model *m = c->model;
    for (int i = 0; i < m->n_function; i++) {
        if (!*m->function[i].name)
            return oc_error_set(c->e, OC_MODEL, "function %d has no name", i);
        OC_TRY(check_function(c, &m->function[i]));
    }
    return oc_recursion_check(m, &c->functions, c->arena, c->e);
}

static oc_status check_all(checker *c)
{
    const context main_graph = {"graph", &c->model->opsets, NULL};
    const oc_graph *g = &c->model->graph;
    OC_TRY(check_versions(c->model, c->e));
    if (!c->model->library && !g->n_node && !g->n_output && !g->n_initializer && !g->n_sparse)
        return oc_error_set(c->e, OC_MODEL, "graph: there are no nodes, outputs or initializers");
    OC_TRY(index_functions(c));
    OC_TRY(check_graph(c, &main_graph, &c->model->graph));
    return check_functions(c);
}

oc_status oc_model_check(oc_model *m, oc_error *e)
{
    oc_arena scratch = oc_arena_new(&m->memory);
    checker c = {.model = m, .arena = &scratch, .e = e};
    const oc_status status = check_all(&c);
    oc_arena_free(&scratch);
    return status;
}
