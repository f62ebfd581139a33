/* SPDX-License-Identifier: Apache-2.0
 * join_graphs.c - puts one model behind another: the second one's graph becomes nodes of the first
 * one's, as a body replaces a call. */
#include "bodies/joiner.h"

#include "base/int.h"
#include "graph/build.h"

enum { FIRST_WITHOUT_WEIGHTS = 4 }; /* IR version in which inputs need not list the weights */

/* ---- what the second model brings along ---- */

/* Adds pairs of the second model to those of the first, where it has no such key. */
static oc_status add_pairs(oc_inliner *x, oc_pairs *pairs, const oc_pairs *more)
{
    oc_model *to = x->to;
    oc_name_map seen = oc_name_map_new(x->names.scratch);
    const oc_pairs old = *pairs;
    pairs->item = NULL;
    pairs->n = 0;
    for (int i = 0; i < old.n + more->n; i++) {
        const oc_pair *p = i < old.n ? &old.item[i] : &more->item[i - old.n];
        const oc_name key = oc_model_name(to, p->key);
        const int at = i < old.n || !key ? -1 : oc_name_map_get(&seen, key);
        if (at >= 0 && strcmp(pairs->item[at].value, p->value) != 0)
            OC_TRY(oc_model_remark(to, x->e,
                                   "metadata '%s' of the second model is left out: the first has "
                                   "another value",
                                   key));
        oc_pair *last = at >= 0 ? NULL : OC_PUSH(&to->arena, pairs->item, pairs->n);
        OC_TRY(oc_renamer_check(&x->names));
        if (!last)
            continue;
        *last = (oc_pair){key, p->value};
        oc_name_map_put(&seen, key, pairs->n - 1);
    }
    return oc_renamer_check(&x->names);
}

static oc_status describe(oc_inliner *x, const oc_model *second)
{
    oc_model *to = x->to;
    to->ir_version =
        oc_max(oc_max(to->ir_version, second->ir_version), (int64_t)FIRST_WITHOUT_WEIGHTS);
    OC_TRY(add_pairs(x, &to->metadata, &second->metadata));
    OC_TRY(add_pairs(x, &to->graph.metadata, &second->graph.metadata));
    if (*second->doc || *second->graph.doc || second->metadata.rest || second->graph.metadata.rest)
        OC_TRY(oc_model_remark(to, x->e,
                               "doc_string and unknown fields of the second model are left out"));
    for (int i = 0; i < second->n_function; i++)
        oc_opkey_map_put(&x->functions, oc_opkey_of_function(&second->function[i]),
                         x->names.from->n_function + i);
    return oc_renamer_check(&x->names);
}

/* ---- both graphs ---- */

/* An input that a link gives has no default: its initializer is left out of the second model's,
 * which the new graph has from n and n_sparse on. */
static void drop_defaults(oc_joiner *j, int n, int n_sparse)
{
    const oc_graph *from = &j->second->graph;
    const oc_name_map *linked = &j->joint.linked;
    oc_graph *g = &j->x->to->graph;
    g->n_initializer = n;
    g->n_sparse = n_sparse;
    for (int i = 0; i < from->n_initializer; i++)
        if (oc_name_map_get(linked, from->initializer[i].name) < 0)
            g->initializer[g->n_initializer++] = g->initializer[n + i];
    for (int i = 0; i < from->n_sparse; i++)
        if (oc_name_map_get(linked, from->sparse[i].values.name) < 0)
            g->sparse[g->n_sparse++] = g->sparse[n_sparse + i];
}

static oc_status append_second(oc_joiner *j)
{
    const oc_model *m = j->second;
    oc_inliner *x = j->x;
    const oc_function body = {.name = j->joint.prefix, .body = m->graph, .opsets = m->opsets};
    const oc_node call = {.name = j->joint.prefix,
                          .in = j->in,
                          .out = j->out,
                          .n_in = m->graph.n_input,
                          .n_out = m->graph.n_output};
    oc_env outer = {.local = true}, *env;
    oc_graph *g = &x->to->graph;
    OC_TRY(oc_env_new(&x->names, &outer, &call, &body, true, &env));
    env->foreign = true;
    env->joint = &j->joint;
    OC_TRY(oc_join_set_ports(j, env));
    const int n = g->n_initializer, n_sparse = g->n_sparse;
    OC_TRY(oc_inline_initializers(x, env, &m->graph, g));
    drop_defaults(j, n, n_sparse);
    OC_TRY(oc_inline_nodes(x, env, &m->graph, g));
    OC_TRY(oc_inline_identities(x, env, g));
    return oc_join_declare(x, env, &m->graph, g);
}

/* Makes the main graph of the new model from those of the two models. */
static oc_status copy_graphs(oc_inliner *x, oc_env *main_env)
{
    const oc_join *join = x->join;
    const oc_graph *first = &join->first->graph, *second = &join->second->graph;
    oc_arena *scratch = x->names.scratch;
    oc_joiner j = {
        .x = x,
        .first = join->first,
        .second = join->second,
        .main_env = main_env,
        .joint = {.model = join->second,
                  .prefix = *join->prefix ? join->prefix : "second",
                  .rename_dims = oc_join_rename_dims,
                  .linked = oc_name_map_new(scratch),
                  .symbols = oc_name_map_new(scratch)},
        .feed = oc_arena_array(scratch, (size_t)second->n_input, sizeof *j.feed),
        .feeds = oc_arena_array(scratch, (size_t)first->n_output, sizeof *j.feeds),
        .in = oc_arena_array(scratch, (size_t)second->n_input, sizeof *j.in),
        .out = oc_arena_array(scratch, (size_t)second->n_output, sizeof *j.out),
    };
    main_env->index = oc_name_map_new(scratch);
    OC_TRY(oc_arena_check(scratch, x->e));
    OC_TRY(oc_join_link(&j));
    oc_join_link_symbols(&j);
    OC_TRY(oc_join_name_ports(&j));
    OC_TRY(oc_inline_copy(x, main_env, NULL, NULL, first, &x->to->graph));
    OC_TRY(describe(x, join->second));
    return append_second(&j);
}

oc_status oc_bodies_join(oc_join *join, oc_watch *watch, oc_model **out, oc_error *e)
{
    const oc_memory memory = oc_memory_beside(&join->first->memory, 0, watch);
    oc_chooser c = {.join = join, .library = {.memory = &memory}, .e = e};
    join->copy = copy_graphs;
    join->declare = oc_join_declare;
    OC_TRY(oc_bodies_rewrite(join->first, &c, true, out));
    const oc_status status = oc_model_leave_also(*out, join->second, e);
    oc_model_end_watch(*out);
    if (status != OC_OK)
        oc_model_free(*out);
    return status;
}
