/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - which calls become their bodies: the policy in front of the inliner. */
#include "graph/build.h"
#include "graph/check.h"
#include "graph/inline.h"
#include "graph/usage.h"
#include "loader/functions.h"
#include "loader/loader.h"
#include "ops/kit/registry.h"
#include "runtime/session.h"
#include "runtime/types.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ROUNDS = 8 };

/* A body that the host gives. */
typedef struct own_body {
    const char *domain, *name; /* of the operator it stands for */
    const char *text, *file;
} own_body;

typedef struct chooser {
    oc_body_policy policy;
    const char *only;
    bool kernels_first; /* functions of the model are bodies where there is a kernel */
    const oc_op *host_ops;
    own_body *own;
    int n_own;
    oc_body_library library;
    oc_sig_cache sigs;
    oc_types types; /* of the new model's values */
    oc_error *e;
} chooser;

/* ---- bodies of the host's own ---- */

/* An error in a text says in which. */
static oc_status wrong_text(const own_body *own, oc_error *e)
{
    const oc_error found = *e;
    snprintf(e->text, sizeof e->text, "%.300s: %.700s", own->file, found.text);
    return e->code;
}

static oc_status read_own(chooser *c, const oc_function_text *given)
{
    for (; given && given->text; given++) {
        own_body own = {.text = given->text, .file = given->file ? given->file : "text"};
        const oc_function *f = oc_body_parse_header(&c->library, &own.text, c->e);
        if (!f)
            return wrong_text(&own, c->e);
        oc_arena *arena = &c->library.model->arena;
        const char *op = given->op, *colons = op ? strstr(op, "::") : NULL;
        own.domain = colons ? oc_arena_text(arena, op, (size_t)(colons - op)) : op ? "" : f->domain;
        own.name = colons ? colons + 2 : op ? op : f->name;
        own_body *last = OC_PUSH(arena, c->own, c->n_own);
        OC_TRY(oc_arena_check(arena, c->e));
        own.domain = strcmp(own.domain, "ai.onnx") == 0 ? "" : own.domain;
        *last = own;
    }
    return OC_OK;
}

static const own_body *find_own(const chooser *c, const char *domain, const char *name)
{
    for (int i = 0; i < c->n_own; i++)
        if (strcmp(c->own[i].name, name) == 0 && strcmp(c->own[i].domain, domain) == 0)
            return &c->own[i];
    return NULL;
}

/* ---- which calls become bodies ---- */

static bool wants_body(const chooser *c, const char *name)
{
    return c->policy != OC_BODY_NATIVE && (!c->only || strcmp(c->only, name) == 0);
}

static const oc_body *choose(const chooser *c, const char *domain, const char *name, int64_t opset)
{
    int oldest;
    const oc_body *body = oc_body_find(domain, name, opset);
    if (!body || wants_body(c, name))
        return body;
    return oc_op_find(c->host_ops, domain, name, opset, &oldest) ? NULL : body;
}

static const oc_function *body_of(void *ctx, const oc_node *node, int64_t opset,
                                  const oc_types *types)
{
    chooser *c = ctx;
    const oc_body_call call = {node, types, opset};
    const own_body *own = find_own(c, node->domain, node->op_type);
    if (own) {
        const oc_function *f = oc_body_parse(&c->library, own->text, &call, c->e);
        if (!f)
            wrong_text(own, c->e);
        return f;
    }
    const oc_body *body = choose(c, node->domain, node->op_type, opset);
    return body ? oc_body_function(&c->library, body, c->policy == OC_BODY_STANDARD, &call, c->e)
                : NULL;
}

static oc_status note_types(void *ctx, oc_types *types, const oc_node *node, int64_t opset)
{
    chooser *c = ctx;
    return oc_note_types(&c->sigs, c->host_ops, types, node, opset, c->e);
}

static bool needs_inlining(const oc_model *m, const chooser *c)
{
    for (int i = 0; i < m->n_usage; i++) {
        const oc_usage *u = &m->usage[i];
        if (find_own(c, u->domain, u->op_type) || choose(c, u->domain, u->op_type, u->opset))
            return true;
    }
    return m->n_function > 0;
}

/* Does a kernel serve every call of function i? */
static bool has_kernel(const oc_model *m, const chooser *c, int i)
{
    int oldest, n_calls = 0;
    for (int k = 0; k < m->n_usage; k++) {
        const oc_usage *u = &m->usage[k];
        if (u->function != i)
            continue;
        n_calls++;
        if (!oc_op_find(c->host_ops, u->domain, u->op_type, u->opset, &oldest))
            return false;
    }
    return n_calls > 0;
}

/* Inlines what c chooses. A function that is no longer among the model's is an operator. */
static oc_status inline_chosen(const oc_model *m, chooser *c, oc_arena *arena, oc_model **out)
{
    const oc_body_source source = {c, body_of, note_types, &c->types};
    oc_model view = *m;
    c->sigs = oc_sig_cache_new(arena);
    c->types = oc_types_new(arena);
    view.n_function = 0;
    view.function = oc_arena_array(arena, (size_t)m->n_function, sizeof *view.function);
    OC_TRY(oc_arena_check(arena, c->e));
    for (int i = 0; i < m->n_function; i++)
        if (!c->kernels_first || wants_body(c, m->function[i].name) || !has_kernel(m, c, i))
            view.function[view.n_function++] = m->function[i];
    return oc_model_inline(&view, &source, out, c->e);
}

static void free_model(void *ctx, size_t size)
{
    (void)size;
    oc_model_free(ctx);
}

/* The rewritten model keeps the library alive, since its nodes borrow from it. arena is for the
 * chooser's sigs and types. */
static oc_status inline_all(const oc_model *m, chooser *c, oc_arena *arena, oc_model **out)
{
    oc_status status = inline_chosen(m, c, arena, out);
    if (status == OC_OK && c->e->code != OC_OK)
        status = c->e->code; /* a body could not be parsed */
    if (status == OC_OK && c->library.model)
        status = oc_model_on_free(*out, free_model, c->library.model, 0, c->e);
    if (status != OC_OK)
        oc_model_free(c->library.model);
    return status;
}

static oc_status examine(oc_model *m, oc_error *e)
{
    OC_TRY(oc_model_check(m, e));
    return oc_model_count_usage(m, e);
}

oc_status oc_session_inline(oc_session *s, oc_error *e)
{
    chooser c = {.policy = s->options.body,
                 .only = s->options.body_only,
                 .kernels_first = s->options.kernels_first,
                 .host_ops = s->options.ops,
                 .library = {.options = &s->model->options},
                 .e = e};
    oc_status status = read_own(&c, s->options.functions);
    s->options.functions = NULL; /* need not outlive the call */
    if (status != OC_OK || !needs_inlining(s->model, &c)) {
        oc_model_free(c.library.model);
        return status;
    }
    oc_memory memory = oc_memory_new(&s->model->memory.hook, 0);
    oc_arena arena = oc_arena_new(&memory);
    status = inline_all(s->model, &c, &arena, &s->expanded);
    oc_arena_free(&arena);
    return status == OC_OK ? examine(s->expanded, e) : status;
}

static oc_status expand_once(const oc_model *m, chooser *c, oc_model **out)
{
    oc_memory memory = oc_memory_new(&m->memory.hook, 0);
    oc_arena arena = oc_arena_new(&memory);
    c->library = (oc_body_library){.options = &m->options};
    oc_status status = inline_all(m, c, &arena, out);
    if (status == OC_OK)
        status = oc_settle_opsets(*out, &c->types, &c->sigs, c->e);
    if (status == OC_OK)
        status = examine(*out, c->e);
    oc_arena_free(&arena);
    return status;
}

/* *m, a model of ours, becomes one that borrows from it. */
static oc_status expand_more(oc_model **m, chooser *c)
{
    oc_model *next = NULL;
    oc_status status = expand_once(*m, c, &next);
    if (status == OC_OK)
        status = oc_model_on_free(next, free_model, *m, 0, c->e);
    if (status == OC_OK)
        *m = next;
    else
        oc_model_free(next);
    return status;
}

/* Under the version that a node settles for it may be a call of a function, which it was not under
 * its own: once more then. */
oc_status oc_expand(const oc_model *m, oc_body_policy policy, const char *only, oc_model **out,
                    oc_error *e)
{
    chooser c = {.policy = policy, .only = only, .e = e};
    oc_status status = expand_once(m, &c, out);
    for (int i = 0; i < MAX_ROUNDS && status == OC_OK && needs_inlining(*out, &c); i++)
        status = expand_more(out, &c);
    if (status != OC_OK) {
        oc_model_free(*out);
        *out = NULL;
    }
    return status;
}
