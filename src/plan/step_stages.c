/* SPDX-License-Identifier: Apache-2.0
 * step_stages.c - decides, where dims are known, how the stages of each step run
 * (ops/kit/stages.h).
 *
 * The calls of a step, or of a group, are made as a run makes them, but with elements of constants
 * alone, and their stages are asked for. */
#include "ops/kit/call_run.h"
#include "ops/kit/stage_plan.h"
#include "ops/kit/stages.h"
#include "plan/ahead.h"
#include "plan/passes.h"

/* The calls of a step and of those that run as one with it, and their operands. */
typedef struct calls {
    oc_step *const *step;
    int n;
    oc_call *call, **list;
    const oc_value **in;
    oc_value **out, *value;
} calls;

static oc_value value_of(const oc_kept_shape *k)
{
    oc_value v = {.type = k->type, .dims.rank = k->rank};
    for (int a = 0; a < k->rank; a++)
        v.dims.n[a] = k->n[a];
    return v;
}

/* The value that one of the first n steps makes; NULL: none does. */
static const oc_value *made_inside(const calls *t, int n, int place)
{
    for (int i = 0; i < n; i++)
        if (t->step[i]->out[0] == place)
            return t->list[i]->out[0];
    return NULL;
}

/* May the stage of a step be asked for, as it reads no elements of input i that are not known? */
static bool may_ask(const oc_step *s, int i, const oc_value *v)
{
    const oc_sig_port *port = oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i);
    return v->data || (oc_value_n(v) > 1 && (!port->prepared || s->op.prepared));
}

static bool lies_in_nchw16c(const oc_step *s)
{
    return s->op.nchw16c && s->op.planned->layouts.out;
}

/* Makes the call of step k. false: only a run can ask for its stage. */
static bool make_call(calls *t, oc_planner *p, int k)
{
    const oc_step *s = t->step[k];
    const oc_kept_shape *port = s->op.planned->port;
    const bool is_stage = oc_step_traits(s) && oc_step_traits(s)->stage;
    bool good = true;
    t->call[k] = oc_step_call(s, t->in, t->out, &p->services);
    for (int i = 0; i < s->op.n_in; i++, port++, t->in++) {
        const oc_value *inside = made_inside(t, k, s->in[i]);
        if (s->in[i] == OC_NOWHERE)
            continue;
        *t->value = value_of(port);
        if (oc_place_is_constant(s->in[i]))
            t->value->data = p->plan->constant[oc_constant_at(s->in[i])].data;
        *t->in = inside ? inside : t->value;
        good = good && (inside || !is_stage || may_ask(s, i, t->value));
        t->value++;
    }
    for (int i = 0; i < s->op.n_out; i++, port++, t->out++)
        if (s->out[i] != OC_NOWHERE) {
            *t->value = value_of(port);
            *t->out = t->value++;
        }
    t->call[k].out[0]->nchw16c = lies_in_nchw16c(s);
    return good;
}

/* Plans calls as run_each of call_run.c runs them: first alone, until the rest runs together. */
static oc_status plan_parts(oc_arena *arena, const calls *t)
{
    const oc_stage_plan **plan = &t->step[t->n - 1]->op.stages;
    for (int k = 0; k < t->n; k++) {
        OC_TRY(oc_stages_plan(t->list + k, t->n - k, arena, plan));
        if ((*plan)->n)
            return OC_OK;
        t->list[k]->out[0]->nchw16c = lies_in_nchw16c(t->step[k]);
        if (k + 1 < t->n)
            OC_TRY(oc_stages_plan(t->list + k, 1, arena, &t->step[k]->op.stages));
    }
    return OC_OK;
}

static oc_status plan_calls(oc_planner *p, calls *t, oc_arena *scratch)
{
    int n = 0;
    bool good = true;
    oc_status status = OC_OK;
    for (int k = 0; k < t->n; k++)
        n += t->step[k]->op.n_in + t->step[k]->op.n_out;
    t->call = oc_arena_array(scratch, (size_t)t->n, sizeof *t->call);
    t->list = oc_arena_array(scratch, (size_t)t->n, sizeof *t->list);
    t->in = oc_arena_array(scratch, (size_t)n, sizeof *t->in);
    t->out = oc_arena_array(scratch, (size_t)n, sizeof *t->out);
    t->value = oc_arena_array(scratch, (size_t)n, sizeof *t->value);
    OC_TRY(oc_arena_check(scratch, p->e));
    for (int k = 0; k < t->n && good; k++) {
        t->list[k] = &t->call[k];
        good = make_call(t, p, k);
    }
    if (good)
        status = plan_parts(&p->plan->arena, t);
    for (int k = 0; k < t->n; k++)
        oc_call_release(&t->call[k]);
    if (oc_ahead_ends(status))
        return status;
    if (status != OC_OK) { /* each call decides, and the run will tell why */
        *p->e = (oc_error){.code = OC_OK};
        for (int k = 0; k < t->n; k++)
            t->step[k]->op.stages = NULL;
    }
    return oc_arena_check(&p->plan->arena, p->e);
}

/* Does a run make the step's output 0, by its stage, in a call that the plan knows? */
static bool is_known(const oc_step *s)
{
    return s->op.planned && !s->computed && s->op.n_out > 0 && s->out[0] != OC_NOWHERE;
}

OC_PASS(oc_plan_stages)
{
    oc_status status = OC_OK;
    for (oc_step *s = g->first; s && status == OC_OK; s = s->after) {
        calls t = {.step = s->group ? s->group->step : &s, .n = s->group ? s->group->n : 1};
        const oc_traits *traits = oc_step_traits(s);
        bool known = !s->last && traits && traits->stage;
        for (int k = 0; k < t.n; k++)
            known = known && is_known(t.step[k]);
        oc_arena scratch = oc_arena_new(&p->plan->memory);
        if (known)
            status = plan_calls(p, &t, &scratch);
        oc_arena_free(&scratch);
    }
    return status;
}
