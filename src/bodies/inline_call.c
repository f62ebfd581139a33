/* SPDX-License-Identifier: Apache-2.0
 * inline_call.c - replaces one call by the nodes of its body, or by those of a graph attribute. */
#include "bodies/inliner.h"

#include "graph/build.h"

enum { CALL_WORK = 16 }; /* units of work for each call, even if its body is empty */

/* ---- identities ---- */

/* Returns the imported version of ONNX's own domain; 0 if none is imported. The names may be of
 * any table. */
static int64_t find_onnx(const oc_opsets *o)
{
    for (int i = 0; i < o->n; i++)
        if (!*o->item[i].domain)
            return o->item[i].version;
    return 0;
}

/* Appends to = Identity (from). */
static oc_status add_identity(oc_inliner *x, const oc_env *env, oc_name from, oc_name to,
                              oc_graph *out)
{
    OC_TRY(oc_renamer_check(&x->names));
    oc_name *ports = oc_inliner_names(x, 2);
    oc_node *n = OC_PUSH(&x->to->arena, out->node, out->n_node);
    OC_TRY(oc_renamer_check(&x->names));
    const int64_t of_body = find_onnx(&env->function->opsets);
    const int64_t of_model = find_onnx(&x->names.from->opsets);
    ports[0] = from;
    ports[1] = to;
    oc_type_put(&x->types->of, to, oc_type_get(&x->types->of, from));
    *n = oc_model_node(x->to, "Identity", ports,
                       of_body    ? of_body
                       : of_model ? of_model
                                  : OC_MAX_OPSET);
    return oc_renamer_check(&x->names);
}

oc_status oc_inline_identities(oc_inliner *x, oc_env *env, oc_graph *out)
{
    oc_renamer *r = &x->names;
    for (int i = 0; i < oc_env_n_out(env); i++) {
        const oc_name formal = env->function->body.output[i].name;
        const oc_name made = oc_env_value(r, env, formal);
        const oc_name wanted = oc_env_value(r, env->caller, env->call->out[i]);
        OC_TRY(oc_renamer_check(r));
        if (!*wanted || made == wanted)
            continue;
        if (!*made)
            return oc_error_set(x->e, OC_MODEL,
                                "%s: output %d is input '%s' of function '%s', which is missing",
                                oc_env_label(r, env->caller, env->call, env->local), i, formal,
                                env->function->name);
        OC_TRY(add_identity(x, env, made, wanted, out));
    }
    return OC_OK;
}

/* ---- calls ---- */

/* Refuses a call of a function that is being expanded already. Such a function is recognised by its
 * array of nodes, because its struct may have moved. */
static oc_status refuse_recursion(oc_inliner *x, oc_env *caller, const oc_node *n,
                                  const oc_function *f, bool local)
{
    const oc_env *p = caller;
    while (p->function && p->function->body.node != f->body.node)
        p = p->caller;
    if (!p->function)
        return OC_OK;
    const char *path = f->name;
    for (const oc_env *q = caller; path && q != p->caller; q = q->caller)
        path = oc_arena_printf(x->names.scratch, "%s -> %s", q->function->name, path);
    return oc_error_set(x->e, OC_MODEL, "%s: functions call each other in a circle: %s",
                        oc_env_label(&x->names, caller, n, local), path ? path : f->name);
}

oc_status oc_inline_call(oc_inliner *x, oc_env *caller, const oc_node *n, const oc_function *f,
                         bool local, oc_graph *out)
{
    oc_env *env;
    OC_TRY(refuse_recursion(x, caller, n, f, local));
    if (x->n_calls == OC_MAX_CALLS)
        return oc_error_set(x->e, OC_LIMIT, "function '%s' is called through more than %d others",
                            f->name, OC_MAX_CALLS);
    x->n_calls++;
    OC_TRY(oc_inliner_spend(x, (int64_t)f->body.n_input + f->body.n_output + f->body.n_initializer +
                                   f->body.n_sparse + f->n_attr_name + f->n_attr_default +
                                   CALL_WORK));
    OC_TRY(oc_env_new(&x->names, caller, n, f, local, &env));
    OC_TRY(oc_inline_initializers(x, env, &f->body, out));
    OC_TRY(oc_inline_nodes(x, env, &f->body, out));
    OC_TRY(oc_inline_identities(x, env, out));
    x->n_calls--;
    return OC_OK;
}

/* ---- graph attributes ---- */

bool oc_is_graph_call(const oc_env *env, const oc_node *n)
{
    return env->function && !env->local && strcmp(n->domain, "attribute") == 0;
}

oc_status oc_inline_graph(oc_inliner *x, oc_env *env, const oc_node *n, oc_graph *out)
{
    oc_renamer *r = &x->names;
    const oc_attr wanted = {.name = n->op_type, .kind = OC_ATTR_GRAPH, .ref = n->op_type};
    const oc_attr *value;
    oc_env *owner, *inner;
    OC_TRY(oc_env_attr(r, env, &wanted, &value, &owner));
    if (!value || !oc_attr_n_graphs(value))
        return oc_error_set(x->e, OC_MODEL, "%s: graph attribute '%s' is missing",
                            oc_env_label(r, env->caller, env->call, env->local), n->op_type);
    const oc_graph *g = value->u.g[0];
    if (x->depth > OC_MAX_NESTING) /* the default of a graph attribute may call that attribute */
        return oc_error_set(x->e, OC_LIMIT, "%s: graphs are nested deeper than %d",
                            oc_env_label(r, env->caller, env->call, env->local), OC_MAX_NESTING);
    if (g->n_input != n->n_in || g->n_output != n->n_out)
        return oc_error_set(x->e, OC_MODEL,
                            "%s: graph attribute '%s' has %d inputs and %d outputs, expected %d "
                            "and %d",
                            oc_env_label(r, env->caller, env->call, env->local), n->op_type,
                            g->n_input, g->n_output, n->n_in, n->n_out);
    OC_TRY(oc_inliner_spend(x, (int64_t)g->n_input + g->n_output + g->n_initializer + g->n_sparse +
                                   CALL_WORK));
    OC_TRY(oc_env_of_graph(r, env, owner, g, &inner));
    for (int i = 0; i < g->n_input; i++)
        OC_TRY(add_identity(x, env, oc_env_value(r, env, n->in[i]),
                            oc_env_value(r, inner, g->input[i].name), out));
    OC_TRY(oc_inline_initializers(x, inner, g, out));
    x->depth++;
    OC_TRY(oc_inline_nodes(x, inner, g, out));
    x->depth--;
    for (int i = 0; i < g->n_output; i++)
        OC_TRY(add_identity(x, env, oc_env_value(r, inner, g->output[i].name),
                            oc_env_value(r, env, n->out[i]), out));
    return OC_OK;
}

/* ---- which function does a node call? ---- */

static oc_status choose(oc_inliner *x, const oc_env *env, const oc_node *n,
                        const oc_function **function)
{
    const oc_body_call call = {n, x->types, oc_env_opset(&x->names, env, n)};
    return oc_choose_body(x->chooser, &call, function);
}

/* Chooses the body of a node within a body. The choice may depend on the inputs and attributes that
 * are given and on their values, so the node gets the names and attributes of this call first. */
static oc_status choose_within(oc_inliner *x, oc_env *env, const oc_node *n,
                               const oc_function **function)
{
    oc_renamer *r = &x->names;
    oc_attr *attr = oc_arena_array(r->scratch, (size_t)n->n_attr, sizeof *attr);
    oc_node call = *n;
    OC_TRY(oc_env_names(r, env, r->scratch, &call));
    call.attr = attr;
    call.n_attr = 0;
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *value;
        oc_env *owner;
        OC_TRY(oc_env_attr(r, env, &n->attr[i], &value, &owner));
        if (!value)
            continue;
        attr[call.n_attr] = *value;
        attr[call.n_attr++].name = n->attr[i].name;
    }
    OC_TRY(oc_renamer_check(r));
    return choose(x, env, &call, function);
}

oc_status oc_inline_callee(oc_inliner *x, oc_env *env, const oc_node *n,
                           const oc_function **function, bool *local)
{
    const int i = env->local ? oc_opkey_map_get(&x->functions, oc_opkey_of_call(n)) : -1;
    *local = i >= 0;
    const int behind = i - x->names.from->n_function;
    *function = !*local       ? NULL
                : behind >= 0 ? &x->join->second->function[behind]
                              : &x->names.from->function[i];
    if (*local || !x->chooser ||
        !oc_chooser_has(x->chooser, n->domain, n->op_type, oc_env_opset(&x->names, env, n)))
        return OC_OK;
    return env->function || env->outer ? choose_within(x, env, n, function)
                                       : choose(x, env, n, function);
}
