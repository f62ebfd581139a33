/* SPDX-License-Identifier: Apache-2.0
 * environment.c - binds the names and attribute references of a function's body to one call. */
#include "bodies/environment.h"

#include "base/int.h"
#include "bodies/call_text.h"
#include "graph/build.h"

enum { MAX_PART = 200 }; /* in bytes; longer parts of a name are not copied into new names */

oc_renamer oc_renamer_new(const oc_model *from, oc_model *to, oc_arena *scratch, oc_error *e)
{
    return (oc_renamer){.from = from,
                        .to = to,
                        .scratch = scratch,
                        .values = oc_name_map_new(scratch),
                        .nodes = oc_name_map_new(scratch),
                        .prefixes = oc_name_map_new(scratch),
                        .e = e};
}

oc_status oc_renamer_check(const oc_renamer *r)
{
    OC_TRY(oc_arena_check(r->scratch, r->e));
    return oc_arena_check(&r->to->arena, r->e);
}

/* ---- new names ---- */

/* Is the name in use? A prefix must differ from all other prefixes; the name of a value or a node
 * must differ from those of all other new ones and from every name in the old model. */
static bool is_taken(const oc_renamer *r, const oc_name_map *made, oc_name name)
{
    return oc_name_map_get(made, name) >= 0 ||
           (made != &r->prefixes && oc_names_find(&r->from->names, name, strlen(name)));
}

/* Returns base, or base with a number if base is taken. The map remembers the next number of each
 * base, so the cost of a name does not grow with the number of calls. */
static oc_name make_unique(oc_renamer *r, oc_name_map *made, oc_name base)
{
    if (!base || !is_taken(r, made, base))
        return base && oc_name_map_put(made, base, 2) ? base : NULL;
    int number = oc_name_map_get(made, base);
    oc_name name;
    do {
        number = oc_max(number, 2);
        const char *text = oc_arena_printf(r->scratch, "%s_%d", base, number++);
        name = text ? oc_model_name(r->to, text) : NULL;
    } while (name && is_taken(r, made, name));
    if (!name || !oc_name_map_put(made, base, number) || !oc_name_map_put(made, name, 2))
        return NULL;
    return name;
}

static oc_name join(oc_renamer *r, const char *prefix, const char *name)
{
    const char *end = strlen(name) > MAX_PART ? "long" : name;
    const char *text = oc_arena_printf(r->scratch, "%s/%s", prefix, end);
    return text ? oc_model_name(r->to, text) : NULL;
}

oc_name oc_renamer_join(oc_renamer *r, const char *prefix, oc_name name)
{
    return make_unique(r, &r->values, join(r, prefix, name));
}

static oc_name make_prefix(oc_renamer *r, const oc_env *caller, const oc_node *call)
{
    const char *own = *call->name ? call->name : call->op_type;
    const size_t size = strlen(own) + (caller->function ? strlen(caller->prefix) : 0);
    oc_name base;
    if (size > MAX_PART)
        base = oc_model_name(r->to, "call");
    else if (caller->function)
        base = join(r, caller->prefix, own);
    else
        base = oc_model_name(r->to, own);
    return make_unique(r, &r->prefixes, base);
}

/* ---- bindings ---- */

bool oc_env_bind(oc_renamer *r, oc_env *env, oc_name name, oc_name renamed)
{
    const int at = env->n_renamed;
    oc_name *item = renamed ? OC_PUSH(r->scratch, env->renamed, env->n_renamed) : NULL;
    if (!item || !oc_name_map_put(&env->index, name, at))
        return false;
    *item = renamed;
    return true;
}

int oc_env_n_out(const oc_env *env)
{
    return oc_ports_trimmed(env->call->out, env->call->n_out, env->function->body.n_output);
}

static oc_status bind_ports(oc_renamer *r, oc_env *caller, oc_env *env)
{
    const oc_graph *body = &env->function->body;
    const oc_node *call = env->call;
    for (int i = 0; i < body->n_input; i++) {
        const oc_name given =
            i < call->n_in ? oc_env_value(r, caller, call->in[i]) : oc_model_name(r->to, "");
        if (!oc_env_bind(r, env, body->input[i].name, given))
            return oc_renamer_check(r);
    }
    for (int i = 0; i < oc_env_n_out(env); i++) {
        const oc_name formal = body->output[i].name;
        if (!*call->out[i] || oc_name_map_get(&env->index, formal) >= 0)
            continue;
        if (!oc_env_bind(r, env, formal, oc_env_value(r, caller, call->out[i])))
            return oc_renamer_check(r);
    }
    return OC_OK;
}

static oc_status bind_attrs(oc_renamer *r, oc_env *caller, oc_env *env)
{
    const oc_function *function = env->function;
    const oc_node *call = env->call;
    oc_name_map declared = oc_name_map_new(r->scratch);
    for (int i = 0; i < function->n_attr_default; i++) {
        const oc_name name = oc_env_text(r, env, function->attr_default[i].name);
        if (!name || !oc_name_map_put(&env->attr, name, call->n_attr + i))
            return oc_renamer_check(r);
    }
    for (int i = 0; i < function->n_attr_name; i++) {
        const oc_name name = oc_env_text(r, env, function->attr_name[i]);
        if (!name || !oc_name_map_put(&declared, name, 0))
            return oc_renamer_check(r);
    }
    for (int i = 0; i < call->n_attr; i++) {
        const oc_name name = oc_env_text(r, caller, call->attr[i].name);
        if (!name)
            return oc_renamer_check(r);
        const bool known =
            oc_name_map_get(&declared, name) >= 0 || oc_name_map_get(&env->attr, name) >= 0;
        if (!known && oc_attr_is_note(name))
            continue;
        if (!known)
            return oc_error_set(r->e, OC_MODEL, "%s: function '%s' has no attribute '%s'",
                                oc_env_label(r, caller, call, env->local), function->name, name);
        if (!oc_name_map_put(&env->attr, name, i))
            return oc_renamer_check(r);
    }
    return OC_OK;
}

oc_status oc_env_new(oc_renamer *r, oc_env *caller, const oc_node *call,
                     const oc_function *function, bool local, oc_env **env)
{
    const oc_graph *body = &function->body;
    const int n_in = oc_ports_trimmed(call->in, call->n_in, body->n_input);
    const int n_out = oc_ports_trimmed(call->out, call->n_out, body->n_output);
    if (n_in > body->n_input || n_out > body->n_output)
        return oc_error_set(r->e, OC_MODEL,
                            "%s: %d inputs and %d outputs, function '%s' has %d and %d",
                            oc_env_label(r, caller, call, local), n_in, n_out, function->name,
                            body->n_input, body->n_output);
    oc_env *made = oc_arena_alloc(r->scratch, sizeof *made);
    OC_TRY(oc_renamer_check(r));
    *made = (oc_env){.caller = caller,
                     .function = function,
                     .call = call,
                     .local = local,
                     .foreign = !local || caller->foreign,
                     .prefix = make_prefix(r, caller, call),
                     .index = oc_name_map_new(r->scratch),
                     .attr = oc_name_map_new(r->scratch)};
    OC_TRY(oc_renamer_check(r));
    OC_TRY(bind_ports(r, caller, made));
    OC_TRY(bind_attrs(r, caller, made));
    *env = made;
    return OC_OK;
}

static bool rename_own(oc_renamer *r, const oc_env *user, oc_env *env, oc_name name)
{
    if (!*name || oc_name_map_get(&env->index, name) >= 0)
        return true;
    return oc_env_bind(r, env, name, oc_renamer_join(r, user->prefix, name));
}

oc_status oc_env_of_graph(oc_renamer *r, oc_env *user, oc_env *owner, const oc_graph *g,
                          oc_env **env)
{
    oc_env *made = oc_arena_alloc(r->scratch, sizeof *made);
    OC_TRY(oc_renamer_check(r));
    *made = *owner;
    made->outer = owner;
    made->index = oc_name_map_new(r->scratch);
    made->renamed = NULL;
    made->n_renamed = 0;
    bool done = true;
    for (int i = 0; i < g->n_input; i++)
        done &= rename_own(r, user, made, g->input[i].name);
    for (int i = 0; i < g->n_initializer; i++)
        done &= rename_own(r, user, made, g->initializer[i].name);
    for (int i = 0; i < g->n_sparse; i++)
        done &= rename_own(r, user, made, g->sparse[i].values.name);
    for (int i = 0; i < g->n_node; i++)
        for (int k = 0; k < g->node[i].n_out; k++)
            done &= rename_own(r, user, made, g->node[i].out[k]);
    *env = made;
    return done ? OC_OK : oc_renamer_check(r);
}

/* ---- what names and references in a body mean ---- */

oc_name oc_env_text(oc_renamer *r, const oc_env *env, oc_name name)
{
    return env->foreign ? oc_model_name(r->to, name) : name;
}

oc_name oc_env_value(oc_renamer *r, oc_env *env, oc_name name)
{
    int at;
    for (; env->outer; env = env->outer)
        if ((at = oc_name_map_get(&env->index, name)) >= 0)
            return env->renamed[at];
    at = oc_name_map_get(&env->index, name);
    if (at >= 0)
        return env->renamed[at];
    if (!env->function || !*name)
        return oc_env_text(r, env, name);
    const oc_name renamed = oc_renamer_join(r, env->prefix, name);
    return oc_env_bind(r, env, name, renamed) ? renamed : NULL;
}

oc_name oc_env_node(oc_renamer *r, const oc_env *env, oc_name name)
{
    if (!env->function || !*name)
        return oc_env_text(r, env, name);
    const oc_name joined = join(r, env->prefix, name);
    return env->joint ? make_unique(r, &r->nodes, joined) : joined;
}

/* Returns the attribute that "@ref" is bound to: the call's, or else the function's default;
 * NULL when there is neither. */
static const oc_attr *resolve(oc_renamer *r, oc_env **owner, const oc_attr *a)
{
    while (a && a->ref && (*owner)->function) {
        oc_env *env = *owner;
        const int at = oc_name_map_get(&env->attr, oc_env_text(r, env, a->ref));
        if (at >= env->call->n_attr) {
            a = &env->function->attr_default[at - env->call->n_attr];
            return a->ref ? NULL : a;
        }
        a = at >= 0 ? &env->call->attr[at] : NULL;
        *owner = env->caller;
    }
    return a;
}

oc_status oc_env_attr(oc_renamer *r, oc_env *env, const oc_attr *a, const oc_attr **found,
                      oc_env **owner)
{
    *owner = env;
    *found = resolve(r, owner, a);
    OC_TRY(oc_renamer_check(r));
    if (*found && a->kind != OC_ATTR_UNDEFINED && a->kind != (*found)->kind)
        return oc_error_set(
            r->e, OC_MODEL, "%s: attribute '%s' is of kind %s, function '%s' expects %s",
            oc_env_label(r, env->caller, env->call, env->local), a->ref,
            oc_attr_kind_name((*found)->kind), env->function->name, oc_attr_kind_name(a->kind));
    return OC_OK;
}

oc_status oc_env_names(oc_renamer *r, oc_env *env, oc_arena *arena, oc_node *n)
{
    oc_name *in = oc_arena_array(arena, (size_t)n->n_in, sizeof *in);
    oc_name *out = oc_arena_array(arena, (size_t)n->n_out, sizeof *out);
    OC_TRY(oc_arena_check(arena, r->e));
    for (int i = 0; i < n->n_in; i++)
        in[i] = oc_env_value(r, env, n->in[i]);
    for (int i = 0; i < n->n_out; i++)
        out[i] = oc_env_value(r, env, n->out[i]);
    n->name = oc_env_node(r, env, n->name);
    n->in = in;
    n->out = out;
    return oc_renamer_check(r);
}

int64_t oc_env_opset(const oc_renamer *r, const oc_env *env, const oc_node *n)
{
    const oc_opsets *imports = env->function ? &env->function->opsets : &r->from->opsets;
    return n->opset ? n->opset : oc_opsets_find(imports, n->domain);
}

const char *oc_env_label(oc_renamer *r, oc_env *caller, const oc_node *call, bool local)
{
    char text[OC_NODE_TEXT];
    oc_node named = *call;
    if (oc_env_names(r, caller, r->scratch, &named) != OC_OK)
        return "node"; /* the error is set already */
    oc_call_text(&named, local ? 0 : oc_env_opset(r, caller, call), text);
    const char *label = oc_arena_text(r->scratch, text, strlen(text));
    return label ? label : "node";
}
