/* SPDX-License-Identifier: Apache-2.0
 * check.c - the rules of a valid model. */
#include "graph/check.h"

#include "graph/scope.h"

#include <inttypes.h>

typedef struct checker {
    oc_model *model;
    oc_name_map functions; /* name to the first function of that name */
    int *next;             /* per function: the next of the same name; -1: none */
    oc_arena *arena;
    oc_error *e;
} checker;

static const char *text_or(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

/* ---- versions ---- */

static oc_status check_opsets(const oc_opsets *o, const char *what, oc_error *e)
{
    for (int i = 0; i < o->n; i++) {
        const oc_opset *x = &o->item[i];
        if (x->version < 1)
            return oc_error_set(e, OC_MODEL, "%s: opset %" PRId64 " of domain '%s', expected >= 1",
                                what, x->version, x->domain);
        if (!*x->domain && x->version > OC_MAX_OPSET)
            return oc_error_set(e, OC_UNSUPPORTED,
                                "%s: opset %" PRId64 " is newer than %d, the newest known", what,
                                x->version, OC_MAX_OPSET);
        for (int k = 0; k < i; k++)
            if (o->item[k].domain == x->domain)
                return oc_error_set(e, OC_MODEL, "%s: opset of domain '%s' is imported twice", what,
                                    x->domain);
    }
    return OC_OK;
}

static oc_status check_versions(const oc_model *m, oc_error *e)
{
    if (m->ir_version < OC_MIN_IR_VERSION || m->ir_version > OC_MAX_IR_VERSION)
        return oc_error_set(e, OC_UNSUPPORTED, "model: IR version %" PRId64 ", expected %d to %d",
                            m->ir_version, OC_MIN_IR_VERSION, OC_MAX_IR_VERSION);
    return check_opsets(&m->opsets, "model", e);
}

/* ---- functions by name ---- */

static int find_function(const checker *c, const oc_node *n)
{
    const oc_function *f = c->model->function;
    int i = oc_name_map_get(&c->functions, n->op_type);
    while (i >= 0 && (f[i].domain != n->domain || f[i].overload != n->overload))
        i = c->next[i];
    return i;
}

static oc_status index_functions(checker *c)
{
    const oc_model *m = c->model;
    c->functions = oc_name_map_new(c->arena);
    c->next = oc_arena_array(c->arena, (size_t)m->n_function, sizeof *c->next);
    OC_TRY(oc_arena_check(c->arena, c->e));
    for (int i = 0; i < m->n_function; i++) {
        const oc_function *f = &m->function[i];
        const int first = oc_name_map_get(&c->functions, f->name);
        for (int k = first; k >= 0; k = c->next[k])
            if (m->function[k].domain == f->domain && m->function[k].overload == f->overload)
                return oc_error_set(c->e, OC_MODEL, "function '%s::%s%s%s' is defined twice",
                                    f->domain, f->name, *f->overload ? ":" : "", f->overload);
        c->next[i] = first;
        if (!oc_name_map_put(&c->functions, f->name, i))
            return oc_arena_check(c->arena, c->e);
    }
    return OC_OK;
}

/* ---- nodes ---- */

typedef struct context {
    const char *what;
    const oc_opsets *opsets;
    bool in_function;
} context;

static const char *node_name(const oc_node *n)
{
    return *n->name ? n->name : n->n_out ? n->out[0] : "";
}

static oc_status check_attrs(checker *c, const context *x, const oc_node *n)
{
    oc_name_map seen = oc_name_map_new(c->arena);
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *a = &n->attr[i];
        if (oc_name_map_get(&seen, a->name) >= 0)
            return oc_error_set(c->e, OC_MODEL, "%s: node '%s' (%s): attribute '%s' is given twice",
                                x->what, node_name(n), n->op_type, a->name);
        if (a->ref && !x->in_function)
            return oc_error_set(c->e, OC_MODEL,
                                "%s: node '%s' (%s): attribute '%s' refers to '@%s', which only a "
                                "function body may",
                                x->what, node_name(n), n->op_type, a->name, a->ref);
        if (n->n_attr > 1 && !oc_name_map_put(&seen, a->name, i))
            return oc_arena_check(c->arena, c->e);
    }
    return OC_OK;
}

static oc_status check_nodes(checker *c, const context *x, const oc_graph *g)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        if (!*n->op_type)
            return oc_error_set(c->e, OC_MODEL, "%s: node '%s' has no operator", x->what,
                                node_name(n));
        if (!n->opset && !oc_opsets_find(x->opsets, n->domain) && find_function(c, n) < 0)
            return oc_error_set(c->e, OC_MODEL,
                                "%s: node '%s' (%s): domain '%s' is not among the opset imports",
                                x->what, node_name(n), n->op_type, n->domain);
        OC_TRY(check_attrs(c, x, n));
        for (int a = 0; a < n->n_attr; a++) {
            const bool graphs =
                n->attr[a].kind == OC_ATTR_GRAPH || n->attr[a].kind == OC_ATTR_GRAPHS;
            for (int k = 0; graphs && !n->attr[a].ref && k < n->attr[a].n; k++)
                OC_TRY(check_nodes(c, x, n->attr[a].u.g[k]));
        }
    }
    return OC_OK;
}

static oc_status check_graph(checker *c, const context *x, oc_graph *g)
{
    OC_TRY(oc_scope_check(g, x->what, c->arena, c->e)); /* first: it bounds the nesting */
    return check_nodes(c, x, g);
}

/* ---- recursion ---- */

typedef struct call_path {
    const struct call_path *from;
    int function;
} call_path;

static const char *function_text(const checker *c, int f)
{
    const oc_function *x = &c->model->function[f];
    return text_or(oc_arena_printf(c->arena, "%s%s%s", x->domain, *x->domain ? "::" : "", x->name),
                   "?");
}

static oc_status recursion(const checker *c, const call_path *path, int f)
{
    const char *text = function_text(c, f);
    for (const call_path *p = path; p; p = p->from) {
        text = text_or(oc_arena_printf(c->arena, "%s -> %s", function_text(c, p->function), text),
                       "?");
        if (p->function == f)
            break;
    }
    return oc_error_set(c->e, OC_MODEL, "functions call each other in a circle: %s", text);
}

enum { UNSEEN, OPEN, DONE };
enum { MAX_CALL_DEPTH = 200 };

static oc_status follow_calls(checker *c, const oc_graph *g, const call_path *path, int depth,
                              char *state);

static oc_status follow_function(checker *c, int f, const call_path *path, int depth, char *state)
{
    const call_path here = {path, f};
    if (state[f] == OPEN)
        return recursion(c, path, f);
    if (state[f] == DONE)
        return OC_OK;
    if (depth > MAX_CALL_DEPTH)
        return oc_error_set(c->e, OC_LIMIT, "function '%s' is called through more than %d others",
                            c->model->function[f].name, MAX_CALL_DEPTH);
    state[f] = OPEN;
    OC_TRY(follow_calls(c, &c->model->function[f].body, &here, depth + 1, state));
    state[f] = DONE;
    return OC_OK;
}

static oc_status follow_calls(checker *c, const oc_graph *g, const call_path *path, int depth,
                              char *state)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        const int f = find_function(c, n);
        if (f >= 0)
            OC_TRY(follow_function(c, f, path, depth, state));
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; n->attr[a].kind == OC_ATTR_GRAPH && !n->attr[a].ref && k < n->attr[a].n;
                 k++)
                OC_TRY(follow_calls(c, n->attr[a].u.g[k], path, depth, state));
    }
    return OC_OK;
}

static oc_status check_recursion(checker *c)
{
    char *state = oc_arena_array(c->arena, (size_t)c->model->n_function, 1);
    OC_TRY(oc_arena_check(c->arena, c->e));
    for (int f = 0; f < c->model->n_function; f++)
        OC_TRY(follow_function(c, f, NULL, 0, state));
    return OC_OK;
}

/* ---- the whole model ---- */

static oc_status check_functions(checker *c)
{
    oc_model *m = c->model;
    for (int i = 0; i < m->n_function; i++) {
        oc_function *f = &m->function[i];
        const char *what = oc_arena_printf(c->arena, "function '%s'", f->name);
        OC_TRY(oc_arena_check(c->arena, c->e));
        if (!*f->name)
            return oc_error_set(c->e, OC_MODEL, "function %d has no name", i);
        OC_TRY(check_opsets(&f->opsets, what, c->e));
        const context x = {what, &f->opsets, true};
        OC_TRY(check_graph(c, &x, &f->body));
    }
    return check_recursion(c);
}

static oc_status check_all(checker *c)
{
    const context main_graph = {"graph", &c->model->opsets, false};
    OC_TRY(check_versions(c->model, c->e));
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
