/* SPDX-License-Identifier: Apache-2.0
 * stage_plan.c - places values, and finds stages that tiles or the rounding to halves do. */
#include "ops/kit/stage_plan.h"

#include "ops/kit/call.h"

/* ---- operands and places ---- */

/* The number of the group's value that v is; -1: it is none. */
static int value_of(const oc_stage_list *l, const oc_value *v)
{
    for (int i = 0; i < l->n + l->has_producer; i++)
        if (l->call[i]->out[0] == v)
            return i;
    return -1;
}

/* Finds the form of each operand of a stage. A stage of channels reads blocks. */
static bool find_operands(const oc_stage_list *l, oc_stage_plan *c, int s)
{
    const oc_stage *g = &l->at[s].stage;
    const oc_call *call = l->call[s + l->has_producer];
    bool good = g->channels || (g->row && g->type == OC_F32);
    for (int i = 0; i < g->n_x && good; i++) {
        oc_stage_operand *x = &c->x[s][i];
        *x = (oc_stage_operand){.kind = OC_OF_GROUP, .value = value_of(l, g->x[i]), .buffer = -1};
        if (x->value < 0)
            good =
                oc_stage_operand_decide(g->x[i], call->out[0], oc_call_cpu(call), &c->buffers, x) &&
                !(x->kind == OC_OF_ONE && g->channels);
    }
    return good;
}

/* Finds a place for each value: the tile's own where nobody reads any more what is there. */
static bool place_values(const oc_stage_list *l, oc_stage_plan *c)
{
    int last_use[OC_MAX_STAGES + 1] = {0}, in[1 + OC_STAGE_SPARE] = {-1, -1, -1, -1};
    for (int s = 0; s < l->n; s++)
        for (int i = 0; i < l->at[s].stage.n_x; i++)
            if (c->x[s][i].kind == OC_OF_GROUP)
                last_use[c->x[s][i].value] = s;
    if (l->has_producer)
        in[0] = c->place[0] = 0;
    for (int s = 0; s < l->n; s++) {
        const int value = s + l->has_producer;
        int to = 0;
        while (to <= OC_STAGE_SPARE && in[to] >= 0 && last_use[in[to]] > s)
            to++;
        if (to > OC_STAGE_SPARE || (s + 1 == l->n && to != 0))
            return false;
        in[to] = value;
        c->place[value] = to;
    }
    return true;
}

/* Is x a value of the group that the tile holds? */
static bool is_in_tile(const oc_stage_plan *c, const oc_stage_operand *x)
{
    return x->kind == OC_OF_GROUP && c->place[x->value] == 0;
}

/* ---- floats: what the producer's tile does ---- */

/* Does the stage make of the tile alone what nobody reads but the one behind it? */
static bool is_of_tile(const oc_stage_plan *c, int s)
{
    return s < c->n && c->x[s][0].kind == OC_OF_GROUP && c->x[s][0].value == s &&
           c->place[s + 1] == 0;
}

/* Finds the first stages that are what tiles of floats can do. */
static void find_finish(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_stage *g = &l->at[0].stage;
    if (!OC_TILE_FINISHES || !l->has_producer || c->half || !is_of_tile(c, 0))
        return;
    c->scales = g->channels && g->factor;
    g = &l->at[c->scales].stage;
    c->clamps = is_of_tile(c, c->scales) && g->row && g->clamps;
    c->finished = c->scales + c->clamps;
}

/* ---- halves: what rounding does ---- */

/* Finds stages that limit a value which nobody else reads: the value need not be rounded before. */
static void find_limits(const oc_stage_list *l, oc_stage_plan *c)
{
    int readers[OC_MAX_STAGES + 1] = {0};
    for (int s = 0; s < l->n; s++)
        for (int i = 0; i < l->at[s].stage.n_x; i++)
            if (c->x[s][i].kind == OC_OF_GROUP)
                readers[c->x[s][i].value]++;
    for (int s = 0; s < l->n; s++) {
        const oc_stage *g = &l->at[s].stage;
        const oc_stage_operand *x = &c->x[s][0];
        c->limits[s] = g->clamps && !(g->least > g->greatest) && g->greatest != 0 &&
                       x->kind == OC_OF_GROUP && readers[x->value] == 1;
        if (c->limits[s])
            c->unrounded[x->value] = true;
        c->left = c->limits[s] && s + 1 == l->n && c->place[x->value] == 0;
    }
}

/* Leaves this number of last stages to the rounding, which rounds their operand x by itself. */
static void leave(oc_stage_plan *c, int stages, oc_narrow_limited_fn *fn, const oc_stage_operand *x)
{
    c->left = stages;
    c->instead = fn;
    c->unrounded[x->value] = true;
}

/* Does the group end with a sum of what is in the tile and of halves, which may be limited? */
static void find_sum(const oc_stage_list *l, oc_stage_plan *c)
{
    if (c->left == l->n)
        return;
    const int s = l->n - 1 - c->left;
    const oc_stage_operand *x = c->x[s];
    if (l->at[s].stage.kind != OC_STAGE_Add)
        return;
    const int own = x[0].kind != OC_OF_GROUP;
    if (!is_in_tile(c, &x[own]) || x[!own].kind != OC_OF_PLACES || !x[!own].half)
        return;
    c->added = s * OC_MAP_OPERANDS + !own;
    leave(c, c->left + 1, c->half->add_limited, &x[own]);
}

/* Is a half's product with a factor of its channel all that there is to do? */
static void find_scale(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_stage_operand *x = c->x[0];
    const int own = x[0].kind != OC_OF_PLACES;
    if (l->has_producer || l->n > 1 || l->at[0].stage.kind != OC_STAGE_Mul ||
        x[own].kind != OC_OF_PLACES || !x[own].half || x[!own].kind != OC_OF_CHANNEL)
        return;
    c->scaled = own;
    c->factors = !own;
}

/* Float16: does the group end with a stage, or its product with what the stage reads, that one
 * function makes of floats? */
static void find_function(const oc_stage_list *l, oc_stage_plan *c)
{
    const int s = l->n - 1, b = s - (s > 0);
    const oc_stage *last = &l->at[s].stage, *before = &l->at[b].stage;
    const oc_stage_operand *x = c->x[s], *first = c->x[b];
    if (last->of_floats && !last->times && is_in_tile(c, x))
        leave(c, 1, last->of_floats, x);
    if (!before->times || last->kind != OC_STAGE_Mul)
        return;
    x += x[0].kind == OC_OF_GROUP && x[0].value == b + l->has_producer; /* of `before` */
    if (is_in_tile(c, x) && first->kind == OC_OF_GROUP && first->value == x->value)
        leave(c, 2, before->of_floats, x);
}

bool oc_stages_decide(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_call *call = l->call[l->n - 1 + l->has_producer];
    const oc_value *y = call->out[0];
    *c = (oc_stage_plan){.n = l->n, .has_producer = l->has_producer, .nchw16c = oc_is_nchw16c(y)};
    c->added = c->scaled = c->factors = -1;
    for (int s = 0; s < l->n; s++)
        if (!find_operands(l, c, s))
            return false;
    if (!place_values(l, c))
        return false;
    if (oc_type_is_half(y->type)) {
        c->half = oc_half_pick(y->type, oc_call_cpu(call));
        find_limits(l, c);
    }
    find_finish(l, c);
    /* In NCHW, and where size is asked for, all stages of halves run. */
    if (!OC_TILE_FINISHES || !c->half || !OC_HAS_NCHW16C || !c->nchw16c)
        return true;
    find_scale(l, c);
    find_sum(l, c);
    if (!c->left && y->type == OC_F16)
        find_function(l, c);
    return true;
}
