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
    oc_body_library library;
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

static const oc_function *body_of(void *ctx, const oc_node *node, int64_t opset)
{
    chooser *c = ctx;
    const oc_body *body = choose(c, node->domain, node->op_type, opset);
    if (!body)
        return NULL;
    const char *text = oc_body_text(&c->library, body, c->policy == OC_BODY_STANDARD, c->e);
    return text ? oc_body_parse(&c->library, text, node, c->e) : NULL;
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
    if (status == OC_OK && c->library.model)
        status = oc_model_on_free(*out, free_library, c->library.model, 0, c->e);
    if (status != OC_OK) {
        oc_model_free(c->library.model);
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
                 .library = {.options = &s->model->options},
                 .e = e};
    if (!needs_inlining(s->model, &c))
        return OC_OK;
    return inline_all(s->model, &c, &s->expanded);
}

oc_status oc_expand(const oc_model *m, oc_body_policy policy, const char *only, oc_model **out,
                    oc_error *e)
{
    chooser c = {.policy = policy, .only = only, .library = {.options = &m->options}, .e = e};
    oc_status status = inline_all(m, &c, out);
    if (status == OC_OK)
        status = oc_settle_opsets(*out, e);
    if (status != OC_OK) {
        oc_model_free(*out);
        *out = NULL;
    }
    return status;
}
