/* SPDX-License-Identifier: Apache-2.0
 * stage_plan.c - places values, and finds stages that tiles or the rounding to halves do. */
#include "ops/kit/stage_plan.h"

#include <string.h>

/* ---- places ---- */

/* Finds a place for each value: the tile's own where nobody reads any more what is there. */
static bool place_values(const oc_stage_list *l, oc_stage_plan *c)
{
    int last_use[OC_MAX_STAGES + 1] = {0}, in[1 + OC_STAGE_SPARE] = {-1, -1, -1, -1};
    for (int s = 0; s < l->n; s++)
        for (int i = 0; i < l->at[s].stage.n_x; i++)
            if (l->at[s].x[i].kind == OC_OF_GROUP)
                last_use[l->at[s].x[i].value] = s;
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
static bool is_of_tile(const oc_stage_list *l, const oc_stage_plan *c, int s)
{
    return s < l->n && l->at[s].x[0].kind == OC_OF_GROUP && l->at[s].x[0].value == s &&
           c->place[s + 1] == 0;
}

/* Finds the first stages that are what tiles of floats can do. */
static void find_finish(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_stage *g = &l->at[0].stage;
    c->finish = (oc_tile_finish){.least = -INFINITY, .greatest = INFINITY};
    if (!OC_TILE_FINISHES || !l->has_producer || c->half || !is_of_tile(l, c, 0))
        return;
    if (g->channels && g->factor) {
        c->finish.center = g->center;
        c->finish.factor = g->factor;
        c->finish.offset = g->offset;
        c->finished++;
        g = &l->at[1].stage;
    }
    if (is_of_tile(l, c, c->finished) && g->row && g->clamps) {
        c->finish.least = g->least;
        c->finish.greatest = g->greatest;
        c->finished++;
    }
}

/* ---- halves: what rounding does ---- */

/* Finds stages that limit a value which nobody else reads: the value need not be rounded before. */
static void find_limits(const oc_stage_list *l, oc_stage_plan *c)
{
    int readers[OC_MAX_STAGES + 1] = {0};
    for (int s = 0; s < l->n; s++)
        for (int i = 0; i < l->at[s].stage.n_x; i++)
            if (l->at[s].x[i].kind == OC_OF_GROUP)
                readers[l->at[s].x[i].value]++;
    for (int s = 0; s < l->n; s++) {
        const oc_stage *g = &l->at[s].stage;
        const oc_stage_operand *x = &l->at[s].x[0];
        c->limits[s] = g->clamps && !(g->least > g->greatest) && g->greatest != 0 &&
                       x->kind == OC_OF_GROUP && readers[x->value] == 1;
        if (!c->limits[s])
            continue;
        c->limit[s] = oc_half_bounds_of(l->type, g->least, g->greatest);
        c->unrounded[x->value] = true;
        if (s + 1 == l->n && c->place[x->value] == 0) {
            c->bounds = c->limit[s];
            c->left = 1;
        }
    }
}

/* Leaves this number of last stages to the rounding, which rounds their operand x by itself. */
static void leave(oc_stage_plan *c, int stages, oc_narrow_limited_fn *fn, const oc_stage_operand *x)
{
    c->left = stages;
    c->bounds.instead = fn;
    c->unrounded[x->value] = true;
}

/* Does the group end with a sum of what is in the tile and of halves, which may be limited? */
static void find_sum(const oc_stage_list *l, oc_stage_plan *c)
{
    if (c->left == l->n)
        return;
    const oc_placed_stage *p = &l->at[l->n - 1 - c->left];
    if (p->stage.kind != OC_STAGE_Add)
        return;
    const int own = p->x[0].kind != OC_OF_GROUP;
    const oc_stage_operand *other = &p->x[!own];
    if (!is_in_tile(c, &p->x[own]) || other->kind != OC_OF_PLACES || !other->half)
        return;
    if (!c->left)
        c->bounds = (oc_half_bounds){OC_HALF_UNLIMITED};
    c->added = other;
    leave(c, c->left + 1, c->half->add_limited, &p->x[own]);
}

/* Is a half's product with a factor of its channel all that there is to do? */
static void find_scale(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_placed_stage *p = &l->at[0];
    const int x = p->x[0].kind != OC_OF_PLACES;
    if (l->has_producer || l->n > 1 || p->stage.kind != OC_STAGE_Mul ||
        p->x[x].kind != OC_OF_PLACES || !p->x[x].half || p->x[!x].kind != OC_OF_CHANNEL)
        return;
    c->scaled = &p->x[x];
    c->factors = &p->x[!x];
}

/* Float16: does the group end with a stage, or its product with what the stage reads, that one
 * function makes of floats? */
static void find_function(const oc_stage_list *l, oc_stage_plan *c)
{
    const oc_placed_stage *last = &l->at[l->n - 1], *before = last - (l->n > 1);
    const oc_stage_operand *x = last->x;
    if (last->stage.of_floats && !last->stage.times && is_in_tile(c, x))
        leave(c, 1, last->stage.of_floats, x);
    if (!before->stage.times || last->stage.kind != OC_STAGE_Mul)
        return;
    x += x[0].kind == OC_OF_GROUP && x[0].value == l->n - 2 + l->has_producer; /* of `before` */
    if (is_in_tile(c, x) && before->x[0].kind == OC_OF_GROUP && before->x[0].value == x->value)
        leave(c, 2, before->stage.of_floats, x);
}

bool oc_stages_plan(const oc_stage_list *l, oc_stage_plan *c)
{
    memset(c, 0, sizeof *c);
    if (!place_values(l, c))
        return false;
    if (oc_type_is_half(l->type)) {
        c->half = oc_half_pick(l->type, l->cpu);
        find_limits(l, c);
    }
    find_finish(l, c);
    /* In NCHW, and where size is asked for, all stages of halves run. */
    if (!OC_TILE_FINISHES || !c->half || !l->nchw16c)
        return true;
    find_scale(l, c);
    find_sum(l, c);
    if (!c->left && l->type == OC_F16)
        find_function(l, c);
    return true;
}
