/* SPDX-License-Identifier: Apache-2.0
 * inline.c - the rewrite that replaces calls of functions by their bodies.
 *
 * Nodes of the main graph are copied as they are. A call is replaced by the nodes of its body
 * (inline_call.c). environment.h tells what names and attributes mean there. */
#include "bodies/inline.h"

#include "bodies/inliner.h"
#include "graph/build.h"
#include "ops/kit/pattern.h"

oc_status oc_inliner_spend(oc_inliner *x, int64_t n)
{
    if (x->n_calls == 0)
        return OC_OK;
    x->work -= n;
    if (x->work < 0)
        return oc_error_set(x->e, OC_LIMIT,
                            "model: its function calls expand to more than %d nodes and names",
                            OC_MAX_INLINED);
    return OC_OK;
}

oc_name *oc_inliner_names(oc_inliner *x, int n)
{
    return oc_arena_array(&x->to->arena, (size_t)n, sizeof(oc_name));
}

/* ---- attributes ---- */

static oc_status copy_graphs(oc_inliner *x, oc_env *env, const oc_node *n, oc_attr *a)
{
    oc_graph *const *old = a->u.g;
    oc_graph **list = oc_arena_array(&x->to->arena, (size_t)a->n, sizeof *list);
    oc_graph *graph = oc_arena_array(&x->to->arena, (size_t)a->n, sizeof *graph);
    OC_TRY(oc_renamer_check(&x->names));
    a->u.g = list;
    for (int i = 0; i < a->n; i++) {
        list[i] = &graph[i];
        OC_TRY(oc_inline_copy(x, env, n, a->name, old[i], list[i]));
    }
    return OC_OK;
}

/* Does the attribute tell what a chosen body expects of the node's inputs (conditions.h)? */
static bool is_expectation(const oc_env *env, const oc_attr *a)
{
    return env->function && !env->local && !env->outer && strcmp(a->name, "expect") == 0;
}

static oc_status put_expectation(oc_inliner *x, const oc_env *env, const oc_attr *a, oc_node *out)
{
    out->expect =
        a->kind == OC_ATTR_STRING ? oc_arena_text(&x->to->arena, a->u.s->data, a->u.s->size) : "";
    OC_TRY(oc_renamer_check(&x->names));
    if (oc_is_pattern(out->expect))
        return OC_OK;
    return oc_error_set(x->e, OC_FORMAT,
                        "body of %s: expect of node '%s' is \"%s\", expected a pattern such as "
                        "\"[...,N]\" for each input",
                        env->function->name, out->op_type, out->expect);
}

static oc_status copy_attrs(oc_inliner *x, oc_env *env, const oc_node *n, oc_node *out)
{
    oc_attr *list = oc_arena_array(&x->to->arena, (size_t)n->n_attr, sizeof *list);
    OC_TRY(oc_renamer_check(&x->names));
    out->attr = list;
    out->n_attr = 0;
    for (int i = 0; i < n->n_attr; i++) {
        const oc_attr *value;
        oc_env *owner;
        if (is_expectation(env, &n->attr[i])) {
            OC_TRY(put_expectation(x, env, &n->attr[i], out));
            continue;
        }
        OC_TRY(oc_env_attr(&x->names, env, &n->attr[i], &value, &owner));
        if (!value)
            continue;
        oc_attr *a = &list[out->n_attr++];
        *a = *value;
        a->name = oc_env_text(&x->names, env, n->attr[i].name);
        if (oc_attr_n_graphs(a))
            OC_TRY(copy_graphs(x, owner, out, a));
    }
    return oc_renamer_check(&x->names);
}

/* ---- nodes ---- */

static oc_status copy_node(oc_inliner *x, oc_env *env, const oc_node *n, oc_graph *out)
{
    oc_renamer *r = &x->names;
    oc_node copy = *n;
    OC_TRY(oc_env_names(r, env, &x->to->arena, &copy));
    copy.op_type = oc_env_text(r, env, n->op_type);
    copy.domain = oc_env_text(r, env, n->domain);
    copy.overload = oc_env_text(r, env, n->overload);
    copy.opset = env->function ? oc_env_opset(r, env, n) : n->opset;
    OC_TRY(copy_attrs(x, env, n, &copy));
    oc_node *node = OC_PUSH(&x->to->arena, out->node, out->n_node);
    OC_TRY(oc_renamer_check(r));
    *node = copy;
    OC_TRY(oc_types_follow(x->types, node, oc_env_opset(r, env, n), x->e));
    return oc_renamer_check(r);
}

oc_status oc_inline_initializers(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out)
{
    for (int i = 0; i < g->n_initializer; i++) {
        oc_constant *c = OC_PUSH(&x->to->arena, out->initializer, out->n_initializer);
        OC_TRY(oc_renamer_check(&x->names));
        *c = g->initializer[i];
        c->name = oc_env_value(&x->names, env, c->name);
        OC_TRY(oc_renamer_check(&x->names));
        oc_type_put(&x->types->of, c->name, (oc_known_type){OC_TENSOR, c->value.type});
    }
    for (int i = 0; i < g->n_sparse; i++) {
        oc_sparse *s = OC_PUSH(&x->to->arena, out->sparse, out->n_sparse);
        OC_TRY(oc_renamer_check(&x->names));
        *s = g->sparse[i];
        s->values.name = oc_env_value(&x->names, env, s->values.name);
        OC_TRY(oc_renamer_check(&x->names));
        oc_type_put(&x->types->of, s->values.name,
                    (oc_known_type){OC_TENSOR, s->values.value.type});
    }
    return oc_renamer_check(&x->names);
}

/* Returns the call without its expectation, which a body in place of its operator does not know. */
static const oc_node *plain_call(oc_inliner *x, const oc_env *env, const oc_node *n)
{
    int at = 0;
    while (at < n->n_attr && !is_expectation(env, &n->attr[at]))
        at++;
    if (at == n->n_attr)
        return n;
    oc_node *call = oc_arena_alloc(x->names.scratch, sizeof *call);
    oc_attr *attr = oc_arena_array(x->names.scratch, (size_t)n->n_attr, sizeof *attr);
    if (!call || !attr)
        return n; /* oc_renamer_check reports that memory ran out */
    memcpy(attr, n->attr, (size_t)at * sizeof *attr);
    memcpy(attr + at, n->attr + at + 1, (size_t)(n->n_attr - at - 1) * sizeof *attr);
    *call = *n;
    call->attr = attr;
    call->n_attr--;
    return call;
}

static bool is_said(const char *doc, const oc_pairs *metadata)
{
    return (doc && *doc) || metadata->n > 0;
}

/* Remembers a call whose annotations, or those of the called function, are lost: they have no
 * place among the nodes of the body. */
static void note_loss(oc_inliner *x, const oc_node *call, const oc_function *f, bool local)
{
    if (!x->untold &&
        (is_said(call->doc, &call->metadata) || (local && is_said(f->body.doc, &f->body.metadata))))
        x->untold = call;
}

oc_status oc_inline_nodes(oc_inliner *x, oc_env *env, const oc_graph *g, oc_graph *out)
{
    for (int i = 0; i < g->n_node; i++) {
        const oc_node *n = &g->node[i];
        const oc_function *callee;
        bool local;
        OC_TRY(oc_arena_check(x->types->sigs.arena, x->e));
        if (oc_is_graph_call(env, n)) {
            OC_TRY(oc_inline_graph(x, env, n, out));
            continue;
        }
        OC_TRY(oc_inline_callee(x, env, n, &callee, &local));
        OC_TRY(oc_inliner_spend(x, (int64_t)n->n_in + n->n_out + n->n_attr + 1));
        if (!callee) {
            OC_TRY(copy_node(x, env, n, out));
            continue;
        }
        const oc_node *call = plain_call(x, env, n);
        OC_TRY(oc_renamer_check(&x->names));
        note_loss(x, n, callee, local);
        OC_TRY(oc_inline_call(x, env, call, callee, local, out));
    }
    return OC_OK;
}

/* ---- graphs ---- */

oc_status oc_inline_infos(oc_inliner *x, oc_env *env, const oc_value_info *info, int n,
                          oc_value_info **list, int *n_list)
{
    for (int i = 0; i < n; i++) {
        oc_value_info *v = OC_PUSH(&x->to->arena, *list, *n_list);
        const oc_name name = oc_env_value(&x->names, env, info[i].name);
        OC_TRY(oc_renamer_check(&x->names));
        *v = info[i];
        v->name = name;
        oc_type_put(&x->types->of, name, oc_type_declared(&v->type));
        if (env->joint) {
            env->joint->rename_dims(x, env->joint, &v->type);
        } else if (env->function && v->type.rank > 0) {
            v->type.rank = -1;
            v->type.dims = NULL;
        }
    }
    return oc_renamer_check(&x->names);
}

/* What the main graph declares needs no copy, because its names stay. */
static void share_declarations(oc_inliner *x, const oc_graph *g, oc_graph *out)
{
    out->value = g->value;
    out->n_value = g->n_value;
    out->quantization = g->quantization;
    out->n_quantization = g->n_quantization;
    for (int i = 0; i < g->n_value; i++)
        oc_type_put(&x->types->of, g->value[i].name, oc_type_declared(&g->value[i].type));
}

oc_status oc_inline_copy(oc_inliner *x, oc_env *env, const oc_node *n, const char *attr,
                         const oc_graph *g, oc_graph *out)
{
    if (x->depth > OC_MAX_NESTING)
        return oc_error_set(x->e, OC_LIMIT, "graph '%s': graphs are nested deeper than %d", g->name,
                            OC_MAX_NESTING);
    OC_TRY(oc_inliner_spend(x, (int64_t)g->n_input + g->n_output + g->n_initializer + g->n_sparse +
                                   1));
    x->depth++;
    *out = (oc_graph){
        .name = oc_env_text(&x->names, env, g->name), .doc = g->doc, .metadata = g->metadata};
    OC_TRY(oc_inline_infos(x, env, g->input, g->n_input, &out->input, &out->n_input));
    OC_TRY(oc_inline_infos(x, env, g->output, g->n_output, &out->output, &out->n_output));
    if (x->join)
        OC_TRY(x->join->declare(x, env, g, out));
    else if (!env->function) /* declarations of a body's inner values are not copied */
        share_declarations(x, g, out);
    if (n)
        OC_TRY(oc_types_enter(x->types, n, oc_env_opset(&x->names, env, n), attr, out, x->e));
    OC_TRY(oc_inline_initializers(x, env, g, out));
    OC_TRY(oc_inline_nodes(x, env, g, out));
    x->depth--;
    return OC_OK;
}

/* ---- the model ---- */

static oc_status copy_model(oc_inliner *x, const oc_model *m)
{
    oc_model *to = x->to;
    for (int i = 0; i < m->opsets.n; i++) {
        oc_opset *o = OC_PUSH(&to->arena, to->opsets.item, to->opsets.n);
        OC_TRY(oc_arena_check(&to->arena, x->e));
        *o = m->opsets.item[i];
    }
    for (int i = 0; i < m->n_function; i++)
        if (!(x->chooser && x->chooser->served && x->chooser->served[i]) &&
            !oc_opkey_map_put(&x->functions, oc_opkey_of_function(&m->function[i]), i))
            return oc_renamer_check(&x->names);
    oc_env main_env = {.local = true};
    if (x->join)
        return x->join->copy(x, &main_env);
    return oc_inline_copy(x, &main_env, NULL, NULL, &m->graph, &to->graph);
}

oc_status oc_model_inline(const oc_model *m, oc_chooser *chooser, oc_types *types, oc_model **out,
                          oc_error *e)
{
    const oc_memory *memory = chooser ? chooser->library.memory : NULL;
    const oc_join *join = chooser ? chooser->join : NULL;
    oc_model *to = NULL;
    OC_TRY(oc_model_new_beside(memory ? memory : &m->memory, &to, e));
    oc_model_describe_as(to, m);
    oc_arena scratch = oc_arena_new(&to->memory);
    oc_types not_kept = oc_types_new(&scratch, NULL);
    oc_inliner x = {.names = oc_renamer_new(m, to, &scratch, e),
                    .to = to,
                    .chooser = join ? NULL : chooser,
                    .join = join,
                    .types = types ? types : &not_kept,
                    .functions = oc_opkey_map_new(&scratch),
                    .work = OC_MAX_INLINED,
                    .e = e};
    oc_status status =
        oc_names_share(&to->names, &m->names) ? OC_OK : oc_arena_check(&to->arena, e);
    if (status == OC_OK)
        status = copy_model(&x, m);
    if (status == OC_OK && x.untold)
        status = oc_model_remark(to, e,
                                 "doc_string and metadata_props of calls that bodies replace, and "
                                 "of functions, are left out, first of a node of '%s'",
                                 x.untold->op_type);
    oc_arena_free(&scratch);
    if (status != OC_OK)
        oc_model_free(to);
    else
        *out = to;
    return status;
}
