/* SPDX-License-Identifier: Apache-2.0
 * bodies.c - makes copies of models in which the bodies of functions replace their calls. */
#include "bodies/bodies.h"

#include "bodies/inline.h"
#include "bodies/inliner.h"
#include "bodies/unify_opsets.h"
#include "graph/build.h"
#include "graph/check.h"
#include "graph/ports.h"
#include "ops/kit/registry.h"

enum { MAX_ROUNDS = 8 };

/* ---- which functions are replaced ---- */

static bool needs_inlining(const oc_model *m, const oc_chooser *c)
{
    for (int i = 0; i < m->n_usage; i++)
        if (oc_chooser_has(c, m->usage[i].domain, m->usage[i].op_type, m->usage[i].opset))
            return true;
    return m->n_function > 0;
}

/* c->served[i] becomes true when function i of the model is called and kernels run every call of
 * it. */
static oc_status find_served(const oc_model *m, oc_chooser *c, oc_arena *arena)
{
    bool *served = oc_arena_array(arena, (size_t)m->n_function, sizeof *served);
    int oldest;
    c->served = served;
    OC_TRY(oc_arena_check(arena, c->e));
    if (!c->choice.kernels_first)
        return OC_OK;
    for (int k = 0; k < m->n_usage; k++)
        if (m->usage[k].function >= 0)
            served[m->usage[k].function] = true;
    for (int k = 0; k < m->n_usage; k++) {
        const oc_usage *u = &m->usage[k];
        if (u->function >= 0 && !oc_op_find(c->host_ops, u->domain, u->op_type, u->opset, &oldest))
            served[u->function] = false;
    }
    for (int i = 0; i < m->n_function; i++)
        served[i] = served[i] && !oc_chooser_prefers(c, m->function[i].name);
    return OC_OK;
}

/* ---- one rewrite ---- */

/* The nodes of the new model borrow from the functions that the chooser parsed. The new model takes
 * those functions over. */
static oc_status keep_library(oc_model *out, oc_chooser *c)
{
    OC_TRY(oc_model_own(out, c->library.model, c->e));
    c->library.model = NULL;
    return OC_OK;
}

static oc_status inline_calls(const oc_model *m, oc_chooser *c, oc_types *types, oc_arena *arena,
                              oc_model **out)
{
    OC_TRY(find_served(m, c, arena));
    const oc_status status = oc_model_inline(m, c, types, out, c->e);
    c->served = NULL;
    return status == OC_OK ? keep_library(*out, c) : status;
}

static oc_status examine(oc_model *m, oc_error *e)
{
    OC_TRY(oc_model_check(m, e));
    return oc_model_count_usage(m, e);
}

oc_status oc_bodies_rewrite(const oc_model *m, oc_chooser *c, bool unify, oc_model **out)
{
    oc_memory memory = oc_memory_beside(c->library.memory, 0, c->library.memory->watch);
    oc_arena arena = oc_arena_new(&memory);
    oc_types types = oc_types_new(&arena, c->host_ops);
    *out = NULL;
    oc_status status = inline_calls(m, c, &types, &arena, out);
    if (status == OC_OK && unify)
        status = oc_unify_opsets(*out, &types, c->e);
    if (status == OC_OK)
        status = examine(*out, c->e);
    oc_arena_free(&arena);
    if (status == OC_OK)
        oc_model_leave_as(*out, m);
    else {
        oc_model_free(*out);
        *out = NULL;
    }
    return status;
}

oc_status oc_bodies_inline(const oc_model *m, const oc_body_options *choice, const oc_op *host_ops,
                           oc_watch *watch, oc_model **out, oc_error *e)
{
    const oc_memory memory = oc_memory_beside(&m->memory, 0, watch);
    oc_chooser c;
    *out = NULL;
    OC_TRY(oc_chooser_new(choice, host_ops, &memory, &c, e));
    const oc_status status = needs_inlining(m, &c) ? oc_bodies_rewrite(m, &c, false, out) : OC_OK;
    oc_chooser_free(&c);
    oc_model_end_watch(*out);
    return status;
}

/* ---- a model that other programs can read ---- */

static oc_status expand_once(const oc_model *m, const oc_body_options *choice,
                             const oc_memory *memory, oc_model **out, bool *again, oc_error *e)
{
    oc_chooser c;
    OC_TRY(oc_chooser_new(choice, NULL, memory, &c, e));
    const oc_status status = oc_bodies_rewrite(m, &c, true, out);
    *again = status == OC_OK && needs_inlining(*out, &c);
    oc_chooser_free(&c);
    return status;
}

/* Replaces *m, a model that oc_bodies_expand made, by its expansion, which borrows from it and
 * owns it. */
static oc_status expand_again(oc_model **m, const oc_body_options *choice, const oc_memory *memory,
                              bool *again, oc_error *e)
{
    oc_model *next;
    OC_TRY(expand_once(*m, choice, memory, &next, again, e));
    const oc_status status = oc_model_own(next, *m, e);
    if (status == OC_OK)
        *m = next;
    else
        oc_model_free(next);
    return status;
}

/* Under the version that oc_unify_opsets chose, a node may call a function that it did not call
 * under its own version. The new model is then expanded again. */
oc_status oc_bodies_expand(const oc_model *m, const oc_body_options *choice, oc_watch *watch,
                           oc_model **out, oc_error *e)
{
    const oc_memory memory = oc_memory_beside(&m->memory, 0, watch);
    bool again;
    *out = NULL;
    OC_TRY(expand_once(m, choice, &memory, out, &again, e));
    oc_status status = OC_OK;
    for (int i = 0; i < MAX_ROUNDS && status == OC_OK && again; i++)
        status = expand_again(out, choice, &memory, &again, e);
    oc_model_end_watch(*out);
    if (status != OC_OK) {
        oc_model_free(*out);
        *out = NULL;
    }
    return status;
}
