/* SPDX-License-Identifier: Apache-2.0
 * inline.c - the rewrite that replaces calls of functions by their bodies.
 *
 * Names come from two tables, the model's and the body library's, and go to a third, the new
 * model's. An env maps the names of one graph of one body to new names; envs of graphs within
 * follow their outer pointers. A frame is one call: its function, its resolved attributes, its
 * prefix. */
#include "graph/inline.h"

#include "graph/build.h"

#include <string.h>

enum { MAX_CALLS = 200, NODE_BUDGET = 1 << 20 };

typedef struct frame {
    const struct frame *from; /* the call around this one; NULL: called by the main graph */
    const oc_function *function;
    const oc_attr *attr; /* of the call, in the new model's terms */
    int n_attr;
    const char *prefix;
    bool local; /* a function of the model itself, which may call others of it */
    int depth;
} frame;

typedef struct env {
    const struct env *outer;
    const frame *call; /* NULL: the main graph and graphs within it */
    oc_name_map index; /* old name to index in new_name */
    oc_name *new_name;
    int n;
} env;

typedef struct inliner {
    const oc_model *from;
    oc_model *to;
    oc_body_fn *body_of;
    void *ctx;
    oc_arena scratch;
    oc_name_map used; /* every name of the new model */
    oc_name_map functions;
    int budget;
    oc_error *e;
} inliner;

static oc_status check_memory(const inliner *x)
{
    OC_TRY(oc_arena_check(&x->scratch, x->e));
    return oc_arena_check(&x->to->arena, x->e);
}

/* ---- names ---- */

static oc_name keep(inliner *x, oc_name name)
{
    return oc_model_name(x->to, name);
}

/* A name of the new model that nothing else has: "prefix/name", or that with a number. */
static oc_name fresh(inliner *x, const char *prefix, const char *name)
{
    for (int i = 1; i < NODE_BUDGET; i++) {
        const char *text = i == 1 ? oc_arena_printf(&x->scratch, "%s/%s", prefix, name)
                                  : oc_arena_printf(&x->scratch, "%s/%s_%d", prefix, name, i);
        const oc_name candidate = text ? oc_model_name(x->to, text) : NULL;
        if (!candidate)
            return NULL;
        if (oc_name_map_get(&x->used, candidate) >= 0)
            continue;
        return oc_name_map_put(&x->used, candidate, 0) ? candidate : NULL;
    }
    return NULL;
}

static bool bind(inliner *x, env *v, oc_name old, oc_name new_name)
{
    const int at = v->n;
    oc_name *item = OC_PUSH(&x->scratch, v->new_name, v->n);
    if (!item || !new_name || !oc_name_map_put(&v->index, old, at))
        return false;
    *item = new_name;
    return true;
}

/* The new name of something defined in this graph. */
static oc_name define(inliner *x, env *v, oc_name old)
{
    if (!*old)
        return keep(x, old);
    const int at = oc_name_map_get(&v->index, old);
    if (at >= 0)
        return v->new_name[at];
    const oc_name new_name = v->call ? fresh(x, v->call->prefix, old) : keep(x, old);
    return bind(x, v, old, new_name) ? new_name : NULL;
}

/* The new name of something used in this graph. What no graph defines keeps its name, and
 * oc_model_check will report it. */
static oc_name look_up(inliner *x, const env *v, oc_name old)
{
    for (; *old && v; v = v->outer) {
        const int at = oc_name_map_get(&v->index, old);
        if (at >= 0)
            return v->new_name[at];
    }
    return keep(x, old);
}

static env new_env(inliner *x, const env *outer, const frame *call)
{
    return (env){.outer = outer, .call = call, .index = oc_name_map_new(&x->scratch)};
}

/* Names of the main graph and of graphs within it stay as they are: nothing new may take them. */
static oc_status reserve_names(inliner *x, const oc_graph *g)
{
    for (int i = 0; i < g->n_input; i++)
        oc_name_map_put(&x->used, keep(x, g->input[i].name), 0);
    for (int i = 0; i < g->n_initializer; i++)
        oc_name_map_put(&x->used, keep(x, g->initializer[i].name), 0);
    for (int i = 0; i < g->n_sparse; i++)
        oc_name_map_put(&x->used, keep(x, g->sparse[i].name), 0);
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        for (int k = 0; k < n->n_out; k++)
            oc_name_map_put(&x->used, keep(x, n->out[k]), 0);
        OC_TRY(check_memory(x));
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; n->attr[a].kind == OC_ATTR_GRAPH && k < n->attr[a].n; k++)
                OC_TRY(reserve_names(x, n->attr[a].u.g[k]));
    }
    return OC_OK;
}

/* ---- attributes ---- */

static oc_status rewrite_graph(inliner *x, const oc_graph *g, env *v, oc_graph *out);

static const oc_attr *find_attr(const oc_attr *attr, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(attr[i].name, name) == 0)
            return &attr[i];
    return NULL;
}

/* What "@ref" stands for in this call: the call's attribute, the function's default, or nothing. */
static const oc_attr *resolve_ref(const frame *call, const char *ref)
{
    const oc_attr *a = call ? find_attr(call->attr, call->n_attr, ref) : NULL;
    if (!a && call)
        a = find_attr(call->function->attr_default, call->function->n_attr_default, ref);
    return a;
}

static oc_status copy_graphs(inliner *x, const env *v, const oc_attr *a, oc_attr *out)
{
    oc_graph **list = oc_arena_array(&x->to->arena, (size_t)a->n, sizeof *list);
    OC_TRY(check_memory(x));
    for (int i = 0; i < a->n; i++) {
        list[i] = oc_arena_alloc(&x->to->arena, sizeof **list);
        OC_TRY(check_memory(x));
        env inner = new_env(x, v, v->call);
        OC_TRY(rewrite_graph(x, a->u.g[i], &inner, list[i]));
    }
    out->u.g = list;
    return OC_OK;
}

static oc_status copy_attrs(inliner *x, const env *v, const oc_node *n, const oc_attr **attr,
                            int *n_attr)
{
    oc_attr *list = oc_arena_array(&x->to->arena, (size_t)n->n_attr, sizeof *list);
    OC_TRY(check_memory(x));
    *attr = list;
    *n_attr = 0;
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *a = &n->attr[i];
        const oc_attr *value = a->ref ? resolve_ref(v->call, a->ref) : a;
        if (!value)
            continue;
        if (a->ref && a->kind && a->kind != value->kind)
            return oc_error_set(x->e, OC_MODEL,
                                "function '%s': attribute '%s' of node '%s' refers to '@%s', which "
                                "is of another kind",
                                v->call->function->name, a->name, n->op_type, a->ref);
        oc_attr *copy = &list[(*n_attr)++];
        *copy = *value;
        copy->name = keep(x, a->name);
        copy->ref = NULL;
        if (!a->ref && (a->kind == OC_ATTR_GRAPH || a->kind == OC_ATTR_GRAPHS))
            OC_TRY(copy_graphs(x, v, a, copy));
    }
    return check_memory(x);
}

/* ---- nodes ---- */

static const char *label(const oc_node *n)
{
    if (*n->name)
        return n->name;
    for (int i = 0; i < n->n_out; i++)
        if (*n->out[i])
            return n->out[i];
    return n->op_type;
}

static int64_t opset_of(const inliner *x, const env *v, const oc_node *n)
{
    if (n->opset)
        return n->opset;
    if (!v->call)
        return oc_opsets_find(&x->from->opsets, n->domain);
    return oc_opsets_find(&v->call->function->opsets, n->domain);
}

static oc_status add_node(inliner *x, oc_graph *out, oc_node **node)
{
    if (--x->budget < 0)
        return oc_error_set(x->e, OC_LIMIT, "function bodies expand to more than %d nodes",
                            NODE_BUDGET);
    *node = OC_PUSH(&x->to->arena, out->node, out->n_node);
    return check_memory(x);
}

static oc_status copy_node(inliner *x, env *v, const oc_node *n, oc_graph *out)
{
    oc_name *in = oc_arena_array(&x->to->arena, (size_t)n->n_in, sizeof *in);
    oc_name *outs = oc_arena_array(&x->to->arena, (size_t)n->n_out, sizeof *outs);
    const oc_attr *attr;
    int n_attr;
    OC_TRY(check_memory(x));
    for (int i = 0; i < n->n_in; i++)
        in[i] = look_up(x, v, n->in[i]);
    OC_TRY(copy_attrs(x, v, n, &attr, &n_attr));
    for (int i = 0; i < n->n_out; i++)
        outs[i] = define(x, v, n->out[i]);
    oc_node *copy = NULL;
    OC_TRY(add_node(x, out, &copy));
    *copy = (oc_node){.name = v->call && *n->name ? fresh(x, v->call->prefix, n->name)
                                                  : keep(x, n->name),
                      .op_type = keep(x, n->op_type),
                      .domain = keep(x, n->domain),
                      .overload = keep(x, n->overload),
                      .doc = n->doc,
                      .in = in,
                      .out = outs,
                      .n_in = n->n_in,
                      .n_out = n->n_out,
                      .attr = attr,
                      .n_attr = n_attr,
                      .metadata = n->metadata,
                      .opset = v->call ? opset_of(x, v, n) : n->opset};
    return check_memory(x);
}

/* to = Identity (from), for an output that no node of the body makes under its own name. */
static oc_status add_identity(inliner *x, const frame *call, oc_name from, oc_name to,
                              oc_graph *out)
{
    oc_name *ports = oc_arena_array(&x->to->arena, 2, sizeof *ports);
    oc_node *node = NULL;
    OC_TRY(check_memory(x));
    OC_TRY(add_node(x, out, &node));
    ports[0] = from;
    ports[1] = to;
    const oc_name none = keep(x, "");
    const int64_t opset = oc_opsets_find(&call->function->opsets, none);
    *node = (oc_node){.name = none,
                      .op_type = keep(x, "Identity"),
                      .domain = none,
                      .overload = none,
                      .doc = "",
                      .in = ports,
                      .out = ports + 1,
                      .n_in = 1,
                      .n_out = 1,
                      .opset = opset};
    if (!opset) /* the function imports no version of ONNX's domain: the model's will do */
        node->opset = oc_opsets_find(&x->from->opsets, oc_names_find(&x->from->names, "", 0));
    return check_memory(x);
}

/* ---- calls ---- */

static const oc_function *find_local(const inliner *x, const env *v, const oc_node *n)
{
    if (v->call && !v->call->local)
        return NULL;
    const oc_model *m = x->from;
    const int first = oc_name_map_get(&x->functions, n->op_type);
    for (int i = first; i >= 0 && i < m->n_function; i++) {
        const oc_function *f = &m->function[i];
        if (f->name == n->op_type && f->domain == n->domain && f->overload == n->overload)
            return f;
    }
    return NULL;
}

static oc_status check_call(inliner *x, const frame *from, const oc_node *n, const oc_function *f)
{
    if (n->n_in > f->body.n_input || n->n_out > f->body.n_output)
        return oc_error_set(
            x->e, OC_MODEL,
            "node '%s': function '%s' has %d inputs and %d outputs, the call %d and "
            "%d",
            label(n), f->name, f->body.n_input, f->body.n_output, n->n_in, n->n_out);
    const char *path = f->name;
    for (const frame *p = from; p && path; p = p->from) {
        path = oc_arena_printf(&x->scratch, "%s -> %s", p->function->name, path);
        if (p->function == f)
            return oc_error_set(x->e, OC_MODEL, "functions call each other in a circle: %s",
                                path ? path : f->name);
    }
    if (from && from->depth >= MAX_CALLS)
        return oc_error_set(x->e, OC_LIMIT, "function '%s' is called through more than %d others",
                            f->name, MAX_CALLS);
    return check_memory(x);
}

static oc_status bind_inputs(inliner *x, const env *outer, const oc_node *n, const oc_graph *body,
                             env *v)
{
    for (int i = 0; i < body->n_input; i++) {
        const oc_name actual = i < n->n_in ? look_up(x, outer, n->in[i]) : keep(x, "");
        if (!bind(x, v, body->input[i].name, actual))
            return check_memory(x);
    }
    return OC_OK;
}

/* An inner output gets the name that the call gives it, unless it is an input or an output already:
 * then an Identity will make that name. */
static oc_status bind_outputs(inliner *x, const oc_node *n, const oc_graph *body, env *v,
                              const oc_name *wanted)
{
    for (int i = 0; i < n->n_out; i++) {
        const oc_name inner = body->output[i].name;
        const bool is_own = oc_name_map_get(&v->index, inner) < 0;
        if (*wanted[i] && is_own && !bind(x, v, inner, wanted[i]))
            return check_memory(x);
    }
    return OC_OK;
}

static oc_status rewrite_nodes(inliner *x, const oc_graph *g, env *v, oc_graph *out);

static oc_status inline_call(inliner *x, env *outer, const oc_node *n, const oc_function *f,
                             bool local, oc_graph *out)
{
    OC_TRY(check_call(x, outer->call, n, f));
    oc_name *wanted = oc_arena_array(&x->scratch, (size_t)n->n_out, sizeof *wanted);
    frame *call = oc_arena_alloc(&x->scratch, sizeof *call);
    OC_TRY(check_memory(x));
    *call = (frame){.from = outer->call,
                    .function = f,
                    .local = local,
                    .depth = outer->call ? outer->call->depth + 1 : 1};
    call->prefix = outer->call
                       ? oc_arena_printf(&x->scratch, "%s/%s", outer->call->prefix, label(n))
                       : label(n);
    OC_TRY(copy_attrs(x, outer, n, &call->attr, &call->n_attr));
    env v = new_env(x, NULL, call);
    OC_TRY(bind_inputs(x, outer, n, &f->body, &v));
    for (int i = 0; i < n->n_out; i++)
        wanted[i] = define(x, outer, n->out[i]);
    OC_TRY(check_memory(x));
    OC_TRY(bind_outputs(x, n, &f->body, &v, wanted));
    OC_TRY(rewrite_nodes(x, &f->body, &v, out));
    for (int i = 0; i < n->n_out; i++) {
        const oc_name made = look_up(x, &v, f->body.output[i].name);
        if (*wanted[i] && made != wanted[i])
            OC_TRY(add_identity(x, call, made, wanted[i], out));
    }
    return OC_OK;
}

static oc_status rewrite_nodes(inliner *x, const oc_graph *g, env *v, oc_graph *out)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        const oc_function *f = find_local(x, v, n);
        const bool local = f != NULL;
        if (!f && x->body_of)
            f = x->body_of(x->ctx, n, opset_of(x, v, n));
        if (x->e->code != OC_OK)
            return x->e->code;
        OC_TRY(f ? inline_call(x, v, n, f, local, out) : copy_node(x, v, n, out));
    }
    return OC_OK;
}

/* ---- graphs ---- */

static oc_value_info *copy_infos(inliner *x, env *v, const oc_value_info *info, int n, bool defines)
{
    oc_value_info *list = oc_arena_array(&x->to->arena, (size_t)n, sizeof *list);
    for (int i = 0; list && i < n; i++) {
        list[i] = info[i];
        list[i].name = defines ? define(x, v, info[i].name) : look_up(x, v, info[i].name);
    }
    return list;
}

static oc_status rewrite_graph(inliner *x, const oc_graph *g, env *v, oc_graph *out)
{
    oc_arena *a = &x->to->arena;
    *out = *g;
    out->name = keep(x, g->name);
    out->node = NULL;
    out->n_node = 0;
    out->input = copy_infos(x, v, g->input, g->n_input, true);
    out->initializer = oc_arena_array(a, (size_t)g->n_initializer, sizeof *out->initializer);
    out->sparse = oc_arena_array(a, (size_t)g->n_sparse, sizeof *out->sparse);
    OC_TRY(check_memory(x));
    for (int i = 0; i < g->n_initializer; i++) {
        out->initializer[i] = g->initializer[i];
        out->initializer[i].name = define(x, v, g->initializer[i].name);
    }
    for (int i = 0; i < g->n_sparse; i++) {
        out->sparse[i] = g->sparse[i];
        out->sparse[i].name = define(x, v, g->sparse[i].name);
    }
    OC_TRY(rewrite_nodes(x, g, v, out));
    out->output = copy_infos(x, v, g->output, g->n_output, false);
    if (v->call)
        out->n_value = out->n_quantization = 0; /* declared for the body's names, not for ours */
    else
        out->value = copy_infos(x, v, g->value, g->n_value, false);
    return check_memory(x);
}

static oc_status index_functions(inliner *x)
{
    x->functions = oc_name_map_new(&x->scratch);
    for (int i = x->from->n_function - 1; i >= 0; i--) /* the first of each name stays */
        oc_name_map_put(&x->functions, x->from->function[i].name, i);
    return check_memory(x);
}

static oc_status rewrite_model(inliner *x)
{
    const oc_model *m = x->from;
    oc_model *to = x->to;
    to->ir_version = m->ir_version;
    to->model_version = m->model_version;
    to->producer_name = m->producer_name;
    to->producer_version = m->producer_version;
    to->domain = m->domain;
    to->doc = m->doc;
    to->metadata = m->metadata;
    to->opsets.item = oc_arena_array(&to->arena, (size_t)m->opsets.n, sizeof *to->opsets.item);
    OC_TRY(check_memory(x));
    for (to->opsets.n = 0; to->opsets.n < m->opsets.n; to->opsets.n++) {
        const oc_opset *o = &m->opsets.item[to->opsets.n];
        to->opsets.item[to->opsets.n] = (oc_opset){keep(x, o->domain), o->version};
    }
    OC_TRY(index_functions(x));
    OC_TRY(reserve_names(x, &m->graph));
    env v = new_env(x, NULL, NULL);
    return rewrite_graph(x, &m->graph, &v, &to->graph);
}

oc_status oc_model_inline(const oc_model *m, oc_body_fn *body_of, void *ctx, oc_model **out,
                          oc_error *e)
{
    inliner x = {.from = m, .body_of = body_of, .ctx = ctx, .e = e};
    x.budget = NODE_BUDGET + m->graph.n_node;
    OC_TRY(oc_model_new(&m->options, &x.to, e));
    x.scratch = oc_arena_new(&x.to->memory);
    x.used = oc_name_map_new(&x.scratch);
    const oc_status status = rewrite_model(&x);
    oc_arena_free(&x.scratch);
    if (status != OC_OK) {
        oc_model_free(x.to);
        return status;
    }
    *out = x.to;
    return OC_OK;
}
