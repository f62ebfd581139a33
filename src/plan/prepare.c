/* SPDX-License-Identifier: Apache-2.0
 * prepare.c - lets operators prepare data from constant inputs once, when the plan is made. */
#include "graph/build.h"
#include "plan/planner.h"

/* Does the step have inputs that the signature marks for prepare, all of them known or missing? */
static bool is_ready(const oc_step *s, const oc_value *const *in)
{
    bool marked = false;
    for (int i = 0; i < s->n_in; i++) {
        const oc_sig_port *port = oc_sig_port_at(s->sig->in, s->sig->n_in, i);
        if (port->prepared && in[i] && !in[i]->data)
            return false;
        marked |= port->prepared && in[i];
    }
    return marked;
}

/* Calls the row's function. given: the step's inputs, all aligned. */
static oc_status prepare(oc_planner *p, oc_step *s, const oc_value *const *given)
{
    oc_call c = oc_step_call(s, given, NULL, &p->services);
    c.n_out = 0;
    c.keep = &p->plan->arena;
    c.planning = true;
    OC_TRY(oc_call_prepare(&c));
    s->prepared = c.prepared;
    s->consumed = c.prepared && c.consumed;
    return OC_OK;
}

/* With aligned copies of the inputs that are not, as long as the function needs them. */
static oc_status prepare_aligned(oc_planner *p, oc_step *s, const oc_value *const *in,
                                 oc_arena *scratch)
{
    const oc_value **given = oc_arena_array(scratch, (size_t)s->n_in, sizeof *given);
    oc_value *copies = oc_arena_array(scratch, (size_t)s->n_in, sizeof *copies);
    OC_TRY(oc_arena_check(scratch, p->e));
    for (int i = 0; i < s->n_in; i++) {
        given[i] = in[i];
        if (!in[i] || !in[i]->data || oc_value_is_aligned(in[i]))
            continue;
        copies[i] = *in[i];
        OC_TRY(oc_plan_copy_aligned(p, scratch, &copies[i]));
        given[i] = &copies[i];
    }
    return prepare(p, s, given);
}

oc_status oc_plan_prepare_step(oc_planner *p, oc_step *s, const oc_value *const *in)
{
    if (!s->row->prepare || !is_ready(s, in))
        return OC_OK;
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    const oc_status status = prepare_aligned(p, s, in, &scratch);
    oc_arena_free(&scratch);
    for (int i = 0; i < s->n_in && s->consumed; i++)
        if (in[i] && in[i]->data && oc_sig_port_at(s->sig->in, s->sig->n_in, i)->prepared)
            oc_model_leave(p->plan->model, in[i]->data, oc_value_bytes(in[i]));
    return status;
}

static oc_status prepare_graph(oc_planner *p, const oc_graph_plan *g, const oc_value **in)
{
    for (int i = 0; i < g->n_step; i++) {
        oc_step *s = &g->step[i];
        static const oc_value unknown = {.dims.rank = -1};
        for (int k = 0; s->row->prepare && k < s->n_in; k++)
            in[k] = oc_place_is_constant(s->in[k]) ? &p->plan->constant[oc_constant_at(s->in[k])]
                    : s->in[k] == OC_NOWHERE       ? NULL
                                                   : &unknown;
        OC_TRY(oc_plan_prepare_step(p, s, in));
    }
    return OC_OK;
}

oc_status oc_plan_prepare_inner(oc_planner *p)
{
    for (int i = 1; i < p->plan->n_graph; i++) {
        const oc_graph_plan *g = p->plan->graph[i];
        oc_arena scratch = oc_arena_new(&p->plan->memory);
        const oc_value **in = oc_arena_array(&scratch, (size_t)g->max_in, sizeof *in);
        oc_status status = oc_arena_check(&scratch, p->e);
        if (status == OC_OK)
            status = prepare_graph(p, g, in);
        oc_arena_free(&scratch);
        OC_TRY(status);
    }
    return OC_OK;
}
