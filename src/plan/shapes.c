/* SPDX-License-Identifier: Apache-2.0
 * shapes.c - runs the shape rule of a step before any input is known, and keeps what it says for
 * calls with such inputs. */
#include "graph/build.h"
#include "graph/declared.h"
#include "ops/kit/call_run.h"
#include "plan/edit.h"
#include "plan/passes.h"

/* Has the input the same elements in each call? Large ones may be another process's to change. */
static bool is_constant(const oc_walk *w, const oc_step *s, int i)
{
    const int place = s->in[i];
    return (oc_place_is_constant(place) ||
            (oc_place_is_slot(place) && w->g->slot[place].constant != OC_NOWHERE)) &&
           oc_value_bytes(w->in[i]) < OC_LEAST_MAPPED;
}

/* May what a version says depend on elements that a call alone knows? */
static bool reads_elements(const oc_walk *w, const oc_step *s)
{
    for (int i = 0; i < s->op.n_in; i++)
        if (w->in[i] && oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->value &&
            !is_constant(w, s, i))
            return true;
    return false;
}

/* Keeps what the version says, so that calls with such inputs need not ask again. */
static oc_status keep_planned(oc_walk *w, oc_step *s)
{
    oc_planned *planned = NULL;
    oc_call_remember(&w->call, &w->p->plan->arena, &planned);
    s->op.planned = planned && planned->is_set ? planned : NULL;
    return oc_arena_check(&w->p->plan->arena, w->p->e);
}

OC_STEP_PASS(oc_plan_infer_shapes)
{
    s->op.by_dims = s->op.version->shape && !s->op.hosts && !reads_elements(w, s);
    if (!s->op.version->shape || !w->has_shapes)
        return OC_OK;
    w->call = oc_step_call(s, w->in, w->out, &w->p->services);
    OC_TRY(oc_call_plan(&w->call));
    w->has_run = true;
    for (int i = 0; i < s->op.n_out; i++)
        if (w->out[i])
            w->g->slot[s->out[i]].has_shape = true;
    if (!w->p->options->no_nchw16c && oc_step_traits(s))
        s->layouts = oc_call_layouts(&w->call);
    return s->op.by_dims ? keep_planned(w, s) : OC_OK;
}

OC_STEP_PASS(oc_plan_compare_dims)
{
    for (int i = 0; i < s->op.n_out && w->has_run && !w->g->outer; i++) {
        oc_declared *d = &s->declared[i];
        char actual[OC_VALUE_TEXT], text[OC_CONTRADICTION];
        if (!w->out[i] || !d->info || oc_declared_fits(&d->info->type, w->out[i]))
            continue;
        d->told = true;
        oc_value_text(w->out[i], actual);
        oc_declared_contradiction(s->op.node, "output", d->info, actual, text);
        OC_TRY(oc_plan_remark(w->p, text));
    }
    return OC_OK;
}
