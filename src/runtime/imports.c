/* SPDX-License-Identifier: Apache-2.0
 * imports.c - which versions of operators does a model mean that uses a domain without importing
 * it? */
#include "runtime/functions.h"

#include "bodies/library.h"
#include "graph/build.h"
#include "graph/opkey.h"
#include "graph/walk.h"
#include "ops/kit/registry.h"

/* Does the signature begin with the domain? A signature of ONNX's own domain begins with the
 * operator's name. */
static bool is_of_domain(const char *signature, const char *domain)
{
    const size_t n = strlen(domain);
    return strncmp(signature, domain, n) == 0 && strncmp(signature + n, "::", 2) == 0;
}

/* Returns the newest version of a domain in which a built-in operator begins; 0 when there is
 * none. */
static int64_t find_newest(const char *domain)
{
    int newest = *domain ? 0 : OC_MAX_OPSET;
    const oc_op *version;
    for (int i = 0; *domain && (version = oc_op_at(i)) != NULL; i++)
        if (version->since > newest && is_of_domain(version->signature, domain))
            newest = version->since;
    const oc_body *body;
    for (int i = 0; *domain && (body = oc_body_at(i)) != NULL; i++)
        if (body->since > newest && strcmp(body->domain, domain) == 0)
            newest = body->since;
    return newest;
}

static oc_status add_import(oc_model *m, oc_name domain, oc_error *e)
{
    const int64_t newest = find_newest(domain);
    oc_opset *o = OC_PUSH(&m->arena, m->opsets.item, m->opsets.n);
    OC_TRY(oc_arena_check(&m->arena, e));
    /* without built-in operators the domain is the host's */
    *o = (oc_opset){domain, newest ? newest : 1};
    return oc_model_remark(m, e,
                           "model: domain '%s' is not among the opset imports, which the standard "
                           "does not allow; its %s version is taken, %" PRId64,
                           domain, newest ? "newest" : "first", o->version);
}

oc_status oc_imports_complete(oc_model *m, oc_error *e)
{
    if (m->opsets.n > OC_MAX_IMPORTS) /* the check of the model refuses further imports */
        return OC_OK;
    oc_arena scratch = oc_arena_new(&m->memory);
    oc_opkey_map functions = oc_opkey_map_new(&scratch);
    for (int i = 0; i < m->n_function; i++)
        oc_opkey_map_put(&functions, oc_opkey_of_function(&m->function[i]), i);
    oc_status status = oc_arena_check(&scratch, e);
    size_t steps = 0;
    oc_walk w = oc_walk_new(&m->graph);
    for (const oc_node *n; status == OC_OK && (n = oc_walk_next(&w));) {
        status = oc_watch_check_some(m->memory.watch, &steps, e);
        if (n->opset || oc_opsets_find(&m->opsets, n->domain) ||
            oc_opkey_map_get(&functions, oc_opkey_of_call(n)) >= 0 ||
            (!*n->domain && m->ir_version < OC_FIRST_IR_WITH_IMPORTS))
            continue;
        if (m->opsets.n == OC_MAX_IMPORTS) /* the check of the model refuses the node */
            break;
        if (status == OC_OK)
            status = add_import(m, n->domain, e);
    }
    if (status == OC_OK)
        status = oc_arena_check(&scratch, e);
    oc_arena_free(&scratch);
    return status;
}
