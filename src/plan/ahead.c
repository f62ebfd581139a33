/* SPDX-License-Identifier: Apache-2.0
 * ahead.c - computes steps before a run, and values that follow from few constants. */
#include "plan/ahead.h"

#include "ops/kit/call_run.h"

enum {
    MOST = 64 << 10, /* values of more bytes are not computed */
    DEEPEST = 8      /* more steps than these are not followed back */
};

bool oc_ahead_may(const oc_step *s)
{
    if (!s->op.version || s->op.hosts || s->op.sig->random || !s->op.version->shape)
        return false;
    for (int a = 0; a < s->op.sig->n_attr; a++)
        if (s->graph[a])
            return false;
    return true;
}

bool oc_ahead_ends(oc_status status)
{
    return status == OC_CANCELLED || status == OC_DEADLINE || status == OC_NOMEM;
}

static void no_remark(OC_UNUSED void *runtime, OC_UNUSED const void *about,
                      OC_UNUSED const char *line)
{
}

oc_status oc_ahead_call(oc_planner *p, oc_call *c, oc_status (*rule)(oc_call *c), bool *done)
{
    oc_services *real = c->services, services = *real;
    OC_TRY(oc_watch_check(services.watch, p->e));
    services.remark = no_remark;
    services.quiet = true;
    c->services = &services;
    const oc_status status = rule(c);
    c->services = real;
    *done = status == OC_OK;
    if (oc_ahead_ends(status))
        return status;
    if (status != OC_OK)
        *p->e = (oc_error){.code = OC_OK};
    return OC_OK;
}

static oc_status compute_slot(oc_planner *p, oc_graph_plan *g, int slot, int deepest, bool *done);

static oc_status find(oc_planner *p, oc_graph_plan *g, int place, int deepest, oc_value *v,
                      bool *done)
{
    *done = false;
    if (oc_place_is_constant(place)) {
        const oc_value *constant = &p->plan->constant[oc_constant_at(place)];
        if (constant->kind != OC_TENSOR || oc_value_bytes(constant) > MOST)
            return OC_OK;
        OC_TRY(oc_plan_align(p, place));
        *v = p->plan->constant[oc_constant_at(place)];
        *done = true;
    } else if (oc_edit_maker(g, place)) {
        OC_TRY(compute_slot(p, g, place, deepest, done));
        *v = g->slot[place].value;
    }
    return OC_OK;
}

/* Computes the step that makes a slot's value from few known values. */
static oc_status compute_step(oc_planner *p, oc_graph_plan *g, const oc_step *s, int deepest,
                              oc_value *y, bool *done)
{
    oc_value *values = oc_arena_array(p->services.strings, (size_t)s->op.n_in, sizeof *values);
    const oc_value **in = oc_arena_array(p->services.strings, (size_t)s->op.n_in, sizeof *in);
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    *done = oc_ahead_may(s) && s->op.n_out == 1;
    for (int k = 0; k < s->op.n_in && *done; k++)
        if (s->in[k] != OC_NOWHERE) {
            OC_TRY(find(p, g, s->in[k], deepest - 1, &values[k], done));
            in[k] = &values[k];
        }
    oc_call c = oc_step_call(s, in, &y, &p->services);
    return *done ? oc_ahead_call(p, &c, oc_call_run, done) : OC_OK;
}

/* *done is set to whether the slot's value is known afterwards. */
static oc_status compute_slot(oc_planner *p, oc_graph_plan *g, int slot, int deepest, bool *done)
{
    oc_value y = {0};
    *done = g->slot[slot].value.data != NULL;
    if (g->slot[slot].asked || deepest == 0)
        return OC_OK;
    g->slot[slot].asked = true;
    OC_TRY(compute_step(p, g, g->slot[slot].maker, deepest, &y, done));
    *done = *done && y.kind == OC_TENSOR && oc_value_bytes(&y) <= MOST;
    if (*done)
        g->slot[slot].value = y;
    else
        oc_value_unref(&y);
    return OC_OK;
}

bool oc_ahead_known(oc_planner *p, oc_graph_plan *g, int place, oc_value *v)
{
    bool done;
    return find(p, g, place, DEEPEST, v, &done) == OC_OK && done;
}

void oc_ahead_forget(oc_graph_plan *g)
{
    for (int i = 0; g->slot && i < g->n_slot; i++) {
        oc_value_unref(&g->slot[i].value);
        g->slot[i].value = (oc_value){0};
        g->slot[i].symbolic = NULL;
        g->slot[i].asked = g->slot[i].has_shape = false;
    }
}
