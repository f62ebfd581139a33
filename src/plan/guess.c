/* SPDX-License-Identifier: Apache-2.0
 * guess.c - dims of the main graph's values where inputs have dims that are not known.
 *
 * Such a dim is taken for a likely one, for the choice of layouts alone. Where that leads to dims
 * that an operator refuses, nothing is known. */
#include "ops/kit/call_run.h"
#include "plan/ahead.h"
#include "plan/passes.h"

enum { IMAGES = 1, OTHER = 256 /* the likely dims */, LITTLE = 4096 /* bytes of values */ };

static bool has_little(const oc_call *c)
{
    for (int i = 0; i < c->op->n_out; i++)
        if (c->out[i] && (c->out[i]->kind != OC_TENSOR || oc_value_bytes(c->out[i]) > LITTLE))
            return false;
    return true;
}

/* Are the dims of all outputs known, and with elements the elements too, unless there are many? */
static bool is_known(const oc_walk *w, const oc_step *s, bool elements)
{
    for (int i = 0; i < s->op.n_out; i++) {
        const oc_slot *slot = oc_place_is_slot(s->out[i]) ? &w->g->slot[s->out[i]] : NULL;
        if (slot && (!slot->has_shape ||
                     (elements && !slot->value.data && oc_value_bytes(&slot->value) <= LITTLE)))
            return false;
    }
    return true;
}

static oc_status guess_step(oc_walk *w, oc_step *s)
{
    bool done;
    OC_TRY(oc_plan_find_inputs(w, s));
    const bool values = w->has_values && oc_ahead_may(s);
    if (s->computed || !w->has_shapes || !s->op.version->shape || is_known(w, s, values))
        return OC_OK;
    oc_call c = oc_step_call(s, w->in, w->out, &w->p->services);
    OC_TRY(oc_ahead_call(w->p, &c, oc_call_plan, &done));
    if (done && oc_step_traits(s))
        s->layouts = oc_call_layouts(&c);
    if (done && values && has_little(&c))
        OC_TRY(oc_ahead_call(w->p, &c, oc_call_run, &done));
    for (int i = 0; i < s->op.n_out; i++)
        if (w->out[i])
            w->g->slot[s->out[i]].has_shape = done;
    return OC_OK;
}

static void guess_input(oc_slot *slot, const oc_type_info *t)
{
    if (slot->has_shape || t->kind != OC_TYPE_TENSOR || t->rank < 0 || t->rank > OC_MAX_RANK)
        return;
    slot->value = (oc_value){.type = t->type, .dims.rank = t->rank};
    for (int a = 0; a < t->rank; a++)
        slot->value.dims.n[a] = t->dims[a].n >= 0 ? t->dims[a].n : a ? OTHER : IMAGES;
    slot->has_shape = true;
}

static oc_status guess_steps(oc_walk *w)
{
    for (oc_step *s = w->g->first; s; s = s->after)
        if (s->op.version)
            OC_TRY(guess_step(w, s));
    return OC_OK;
}

OC_PASS(oc_plan_guess)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    oc_walk w = {.p = p, .g = g};
    w.in = oc_arena_array(&scratch, (size_t)g->max_in, sizeof *w.in);
    w.out = oc_arena_array(&scratch, (size_t)g->max_out, sizeof *w.out);
    oc_status status = oc_arena_check(&scratch, p->e);
    for (int i = 0; i < g->n_input; i++)
        if (!oc_plan_may_differ(p->plan, g, i))
            guess_input(&g->slot[g->input[i]], &g->graph->input[i].type);
    if (status == OC_OK)
        status = guess_steps(&w);
    oc_arena_free(&scratch);
    return status;
}
