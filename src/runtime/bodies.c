/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - which calls become their bodies: the policy in front of the inliner. */
#include "graph/build.h"
#include "graph/check.h"
#include "graph/inline.h"
#include "graph/usage.h"
#include "loader/functions.h"
#include "loader/loader.h"
#include "ops/registry.h"
#include "runtime/session.h"

#include <string.h>

typedef struct chooser {
    oc_body_policy policy;
    const char *only;
    const oc_op *host_ops;
    oc_model *library;         /* bodies parsed so far, as its functions; NULL: none yet */
    const oc_body *parsed[64]; /* which body function[i] of the library is */
    const oc_model_options *options;
    oc_error *e;
} chooser;

static const oc_body *choose(const chooser *c, const char *domain, const char *name, int64_t opset)
{
    int oldest;
    const oc_body *body = *domain ? NULL : oc_body_find(name, opset);
    const bool wanted = c->policy != OC_BODY_NATIVE && (!c->only || strcmp(c->only, name) == 0);
    if (!body || wanted)
        return body;
    return oc_op_find(c->host_ops, domain, name, opset, &oldest) ? NULL : body;
}

static const oc_function *parse_body(chooser *c, const oc_body *body)
{
    if (!c->library && oc_model_new(c->options, &c->library, c->e) != OC_OK)
        return NULL;
    for (int i = 0; i < c->library->n_function; i++)
        if (c->parsed[i] == body)
            return &c->library->function[i];
    const int n = c->library->n_function;
    if (n == (int)(sizeof c->parsed / sizeof *c->parsed)) {
        oc_error_set(c->e, OC_LIMIT, "more than %d different function bodies are used", n);
        return NULL;
    }
    const char *text =
        c->policy == OC_BODY_STANDARD || !body->repaired ? body->standard : body->repaired;
    if (oc_load_text_function(c->library, text, strlen(text), c->e) != OC_OK)
        return NULL;
    c->parsed[n] = body;
    return &c->library->function[n];
}

static const oc_function *body_of(void *ctx, const oc_node *node, int64_t opset)
{
    chooser *c = ctx;
    const oc_body *body = choose(c, node->domain, node->op_type, opset);
    return body ? parse_body(c, body) : NULL;
}

static bool needs_inlining(const oc_model *m, const chooser *c)
{
    for (int i = 0; i < m->n_usage; i++)
        if (choose(c, m->usage[i].domain, m->usage[i].op_type, m->usage[i].opset))
            return true;
    return m->n_function > 0;
}

static void free_library(void *ctx, size_t size)
{
    (void)size;
    oc_model_free(ctx);
}

/* The rewritten model keeps the library alive, since its nodes borrow from it. */
static oc_status inline_all(const oc_model *m, chooser *c, oc_model **out)
{
    oc_status status = oc_model_inline(m, body_of, c, out, c->e);
    if (status == OC_OK && c->e->code != OC_OK)
        status = c->e->code; /* a body could not be parsed */
    if (status == OC_OK && c->library)
        status = oc_model_on_free(*out, free_library, c->library, 0, c->e);
    if (status != OC_OK) {
        oc_model_free(c->library);
        return status;
    }
    OC_TRY(oc_model_check(*out, c->e));
    return oc_model_count_usage(*out, c->e);
}

oc_status oc_session_inline(oc_session *s, oc_error *e)
{
    chooser c = {.policy = s->options.body,
                 .only = s->options.body_only,
                 .host_ops = s->options.ops,
                 .options = &s->model->options,
                 .e = e};
    if (!needs_inlining(s->model, &c))
        return OC_OK;
    return inline_all(s->model, &c, &s->expanded);
}

/* ---- a model that other engines can read: one opset version per domain ---- */

/* Does every node of the domain mean the same under this version? */
static const oc_node *find_unsettled(const oc_graph *g, oc_name domain, int64_t now,
                                     int64_t version)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        int oldest;
        const int64_t own = n->opset ? n->opset : now;
        if (n->domain == domain && own != version &&
            oc_op_find(NULL, domain, n->op_type, own, &oldest) !=
                oc_op_find(NULL, domain, n->op_type, version, &oldest))
            return n;
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; n->attr[a].kind == OC_ATTR_GRAPH && k < n->attr[a].n; k++) {
                const oc_node *found = find_unsettled(n->attr[a].u.g[k], domain, now, version);
                if (found)
                    return found;
            }
    }
    return NULL;
}

/* Clears the nodes' own versions of a domain, and finds the newest of them. */
static void visit_opsets(const oc_graph *g, oc_name domain, bool clear, int64_t *newest)
{
    for (int i = 0; i < g->n_node; i++) {
        oc_node *n = &g->node[i];
        if (n->domain == domain && n->opset > *newest)
            *newest = n->opset;
        if (n->domain == domain && clear)
            n->opset = 0;
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; n->attr[a].kind == OC_ATTR_GRAPH && k < n->attr[a].n; k++)
                visit_opsets(n->attr[a].u.g[k], domain, clear, newest);
    }
}

static oc_status settle_domain(oc_model *m, oc_name domain, oc_error *e)
{
    oc_opset *import = NULL;
    for (int i = 0; i < m->opsets.n; i++)
        if (m->opsets.item[i].domain == domain)
            import = &m->opsets.item[i];
    int64_t newest = 0;
    visit_opsets(&m->graph, domain, false, &newest);
    if (!import) {
        import = OC_PUSH(&m->arena, m->opsets.item, m->opsets.n);
        OC_TRY(oc_arena_check(&m->arena, e));
        *import = (oc_opset){domain, newest};
    }
    int64_t version = import->version;
    const oc_node *n = find_unsettled(&m->graph, domain, import->version, version);
    if (n) {
        version = newest > version ? newest : version;
        n = find_unsettled(&m->graph, domain, import->version, version);
    }
    if (n)
        return oc_error_set(e, OC_UNSUPPORTED,
                            "node '%s' (%s): its body is written for opset %lld, the model imports "
                            "%lld, and the operator differs between them",
                            n->name, n->op_type, (long long)n->opset, (long long)import->version);
    import->version = version;
    visit_opsets(&m->graph, domain, true, &newest);
    return OC_OK;
}

static oc_status settle_graph(oc_model *m, const oc_graph *g, oc_error *e)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        if (n->opset)
            OC_TRY(settle_domain(m, n->domain, e));
        for (int a = 0; a < n->n_attr; a++)
            for (int k = 0; n->attr[a].kind == OC_ATTR_GRAPH && k < n->attr[a].n; k++)
                OC_TRY(settle_graph(m, n->attr[a].u.g[k], e));
    }
    return OC_OK;
}

oc_status oc_expand(const oc_model *m, oc_body_policy policy, const char *only, oc_model **out,
                    oc_error *e)
{
    chooser c = {.policy = policy, .only = only, .options = &m->options, .e = e};
    oc_status status = inline_all(m, &c, out);
    if (status == OC_OK)
        status = settle_graph(*out, &(*out)->graph, e);
    if (status != OC_OK) {
        oc_model_free(*out);
        *out = NULL;
    }
    return status;
}
