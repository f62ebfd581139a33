/* SPDX-License-Identifier: Apache-2.0
 * layouts.c - which values of the main graph lie in NCHW16c, and where steps convert.
 *
 * Steps that run as one are a unit, and so is any other step. A unit runs in NCHW or in NCHW16c, as
 * far as its operators can (ops/kit/layout.h); that gives its value a layout, and tells which it
 * needs of the values that it reads. A value that is needed otherwise than it lies costs a
 * conversion, one for all who need it so. At first NCHW16c follows from the values that a unit
 * reads; then units change sides as long as that saves bytes. */
#include "base/int.h"
#include "plan/planner.h"

typedef struct slot_facts {
    int maker;      /* the step; -1: none */
    double size[2]; /* bytes in NCHW, in NCHW16c */
    int needed[2];  /* how many readers need it so */
    int converted;  /* the slot of its conversion; -1: none yet */
} slot_facts;

typedef struct unit_facts {
    bool can, fixed; /* may it run in NCHW16c; is it to, whatever conversions cost? */
    bool side;       /* it runs in NCHW16c */
} unit_facts;

/* A step to come before another one. */
typedef struct inserted {
    struct inserted *next;
    int from, to; /* slots */
    oc_name name; /* of the value */
    bool nchw16c; /* what it converts to */
} inserted;

typedef struct pass {
    oc_planner *p;
    oc_graph_plan *g;
    const oc_layouts *of; /* of each step */
    slot_facts *slot;
    unit_facts *unit;  /* of each step that is the last of its unit */
    inserted **before; /* of each step, and of the end */
    int n_inserted;
    oc_arena *scratch;
} pass;

static int index_of(const pass *t, const oc_step *s)
{
    return (int)(s - t->g->step);
}

/* The last step of the unit of step i. */
static int unit_of(const pass *t, int i)
{
    const oc_step *last = t->g->step[i].last;
    return last ? index_of(t, last) : i;
}

/* Does step i follow, in its unit, one that makes NCHW of NCHW16c? Then it runs in NCHW. */
static bool follows_nchw(const pass *t, int i)
{
    const oc_group *group = t->g->step[unit_of(t, i)].group;
    const int first = group ? index_of(t, group->step[0]) : i;
    return first != i && t->of[first].blocked && !t->of[first].out;
}

static bool lies_in_nchw16c(const pass *t, int slot)
{
    const int maker = t->slot[slot].maker;
    return maker >= 0 && t->of[maker].out && t->unit[unit_of(t, maker)].side &&
           !follows_nchw(t, maker);
}

/* Is the value of a slot one between steps of the unit? */
static bool is_inside(const pass *t, int unit, int slot)
{
    const int maker = t->slot[slot].maker;
    return maker >= 0 && maker != unit && unit_of(t, maker) == unit;
}

typedef enum { NEEDS_NCHW, NEEDS_NCHW16C, NEEDS_NONE } need;

/* The layout that step i needs of input k if its unit runs so. */
static need need_of(const pass *t, int i, int k, bool side)
{
    const oc_step *s = &t->g->step[i];
    if (!oc_place_is_slot(s->in[k]) || is_inside(t, unit_of(t, i), s->in[k]) ||
        (side && oc_layouts_leaves(&t->of[i], k) && !follows_nchw(t, i)))
        return NEEDS_NONE;
    return side && oc_layouts_blocks(&t->of[i], k) && !follows_nchw(t, i) ? NEEDS_NCHW16C
                                                                          : NEEDS_NCHW;
}

/* ---- what is known ---- */

static void note_size(slot_facts *f, const oc_value *v)
{
    const oc_dims *d = &v->dims;
    if (d->rank < 0)
        return;
    const oc_dims blocked = d->rank >= 2 && d->rank < OC_MAX_RANK ? oc_value_block_dims(d) : *d;
    f->size[0] = f->size[1] = (double)oc_type_size(v->type);
    for (int a = 0; a < d->rank; a++)
        f->size[0] *= (double)d->n[a];
    for (int a = 0; a < blocked.rank; a++)
        f->size[1] *= (double)blocked.n[a];
}

static void note_units(const pass *t)
{
    for (int i = 0; i < t->g->n_step; i++)
        t->unit[i].can = true;
    for (int i = 0; i < t->g->n_step; i++) {
        unit_facts *u = &t->unit[unit_of(t, i)];
        u->can = u->can && (oc_layouts_nchw16c(&t->of[i]) || follows_nchw(t, i));
        u->fixed = u->fixed || t->of[i].faster || t->of[i].only;
    }
}

static void note_slots(const pass *t, const oc_value *known)
{
    for (int k = 0; k < t->g->n_slot; k++) {
        t->slot[k].maker = t->slot[k].converted = -1;
        note_size(&t->slot[k], &known[k]);
    }
    for (int i = 0; i < t->g->n_step; i++)
        for (int k = 0; k < t->g->step[i].op.n_out; k++)
            if (oc_place_is_slot(t->g->step[i].out[k]))
                t->slot[t->g->step[i].out[k]].maker = i;
}

/* Counts what a step needs; by: 1, or -1 to take it back. */
static void count_needs(const pass *t, int i, bool side, int by)
{
    const oc_step *s = &t->g->step[i];
    for (int k = 0; k < s->op.n_in; k++) {
        const need n = need_of(t, i, k, side);
        if (n != NEEDS_NONE)
            t->slot[s->in[k]].needed[n] += by;
    }
}

/* Graphs within steps, and whoever reads the outputs, need NCHW. */
static void count_fixed_needs(const pass *t)
{
    for (int i = 0; i < t->g->n_step; i++) {
        const oc_step *s = &t->g->step[i];
        for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
            for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
                t->slot[s->graph[a]->capture[k].outer].needed[NEEDS_NCHW]++;
    }
    for (int i = 0; i < t->g->n_output; i++)
        if (oc_place_is_slot(t->g->output[i]))
            t->slot[t->g->output[i]].needed[NEEDS_NCHW]++;
}

/* ---- the choice ---- */

/* Does the step read a value in NCHW16c that it can take so? */
static bool follows(const pass *t, int i)
{
    const oc_step *s = &t->g->step[i];
    for (int k = 0; k < s->op.n_in; k++)
        if (need_of(t, i, k, true) == NEEDS_NCHW16C && lies_in_nchw16c(t, s->in[k]))
            return true;
    return false;
}

static void begin(const pass *t)
{
    for (int i = 0; i < t->g->n_step; i++) {
        unit_facts *u = &t->unit[unit_of(t, i)];
        u->side = u->can && (u->side || u->fixed || follows(t, i));
    }
    for (int i = 0; i < t->g->n_step; i++)
        count_needs(t, i, t->unit[unit_of(t, i)].side, 1);
    count_fixed_needs(t);
}

static double conversion_cost(const pass *t, int slot)
{
    const slot_facts *f = &t->slot[slot];
    const bool converts = f->needed[lies_in_nchw16c(t, slot) ? NEEDS_NCHW : NEEDS_NCHW16C] > 0;
    return converts ? f->size[0] + f->size[1] : 0;
}

/* Calls fn for each step of a unit. */
static double over_unit(const pass *t, int unit, double (*fn)(const pass *t, int i))
{
    const oc_group *group = t->g->step[unit].group;
    double sum = 0;
    for (int k = 0; group && k < group->n; k++)
        sum += fn(t, index_of(t, group->step[k]));
    return group ? sum : fn(t, unit);
}

/* What a step writes, and the conversions of all that it reads and writes. */
static double step_cost(const pass *t, int i)
{
    const oc_step *s = &t->g->step[i];
    double cost = 0;
    for (int k = 0; k < s->op.n_in; k++)
        if (oc_place_is_slot(s->in[k]))
            cost += conversion_cost(t, s->in[k]);
    for (int k = 0; k < s->op.n_out; k++)
        if (oc_place_is_slot(s->out[k]))
            cost += conversion_cost(t, s->out[k]) +
                    t->slot[s->out[k]].size[lies_in_nchw16c(t, s->out[k])];
    return cost;
}

static double leave_side(const pass *t, int i)
{
    count_needs(t, i, t->unit[unit_of(t, i)].side, -1);
    return 0;
}

static double join_side(const pass *t, int i)
{
    count_needs(t, i, t->unit[unit_of(t, i)].side, 1);
    return 0;
}

static void change(const pass *t, int unit)
{
    over_unit(t, unit, leave_side);
    t->unit[unit].side = !t->unit[unit].side;
    over_unit(t, unit, join_side);
}

static void choose(const pass *t)
{
    enum { ROUNDS = 8 };
    begin(t);
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        for (int i = 0; i < t->g->n_step; i++) {
            if (t->g->step[i].last || !t->unit[i].can || t->unit[i].fixed)
                continue;
            const double before = over_unit(t, i, step_cost);
            change(t, i);
            if (over_unit(t, i, step_cost) < before)
                changed = true;
            else
                change(t, i);
        }
    }
    for (int i = 0; i < t->g->n_step; i++)
        t->g->step[i].op.nchw16c = t->unit[unit_of(t, i)].side && !follows_nchw(t, i);
}

/* ---- conversions ---- */

/* The slot of a value in the layout that the reader, step i or the end, needs. */
static oc_status convert(pass *t, int i, oc_name name, need needed, int *place)
{
    const bool nchw16c = lies_in_nchw16c(t, *place);
    slot_facts *f = &t->slot[*place];
    if (needed == NEEDS_NONE || (needed == NEEDS_NCHW16C) == nchw16c)
        return OC_OK;
    if (f->converted < 0) {
        inserted *c = oc_arena_alloc(t->scratch, sizeof *c);
        OC_TRY(oc_arena_check(t->scratch, t->p->e));
        f->converted = oc_plan_add_slot(t->g, "");
        *c = (inserted){t->before[i], *place, f->converted, name, !nchw16c};
        t->before[i] = c;
        t->n_inserted++;
    }
    *place = f->converted;
    return OC_OK;
}

static oc_status convert_inputs(pass *t, int i)
{
    const oc_step *s = &t->g->step[i];
    const bool side = t->unit[unit_of(t, i)].side;
    for (int k = 0; k < s->op.n_in; k++)
        if (oc_place_is_slot(s->in[k]))
            OC_TRY(convert(t, i, s->node->in[k], need_of(t, i, k, side), &s->in[k]));
    for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
        for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
            OC_TRY(convert(t, i, "", NEEDS_NCHW, &s->graph[a]->capture[k].outer));
    return OC_OK;
}

static oc_status convert_values(pass *t)
{
    for (int i = 0; i < t->g->n_step; i++)
        OC_TRY(convert_inputs(t, i));
    for (int i = 0; i < t->g->n_output; i++)
        if (oc_place_is_slot(t->g->output[i]))
            OC_TRY(convert(t, t->g->n_step, t->g->graph->output[i].name, NEEDS_NCHW,
                           &t->g->output[i]));
    return OC_OK;
}

/* ---- steps ---- */

static oc_status make_step(const pass *t, const inserted *c, oc_step *s)
{
    oc_arena *arena = &t->p->plan->arena;
    const char *layout = c->nchw16c ? "NCHW16c" : "NCHW";
    oc_node *node = oc_arena_alloc(arena, sizeof *node);
    oc_name *names = oc_arena_array(arena, 2, sizeof *names);
    int *places = oc_arena_array(arena, 2, sizeof *places);
    *s = (oc_step){
        .op = {.version = c->nchw16c ? oc_to_nchw16c : oc_to_nchw, .n_in = 1, .n_out = 1}};
    s->declared = oc_arena_array(arena, 1, sizeof *s->declared);
    s->op.node = oc_arena_printf(arena, "'%s' to %s", c->name, layout);
    const char *name = oc_arena_printf(arena, "%s:%s", c->name, layout);
    OC_TRY(oc_arena_check(arena, t->p->e));
    OC_TRY(oc_sig_cached(&t->p->sigs, s->op.version->signature, &s->op.sig, t->p->e));
    names[0] = c->name;
    names[1] = name;
    *node = (oc_node){.name = "",
                      .op_type = s->op.sig->name,
                      .domain = s->op.sig->domain,
                      .overload = "",
                      .in = names,
                      .out = names + 1,
                      .n_in = 1,
                      .n_out = 1};
    places[0] = c->from;
    places[1] = c->to;
    s->node = node;
    s->op.seed_name = "";
    s->in = places;
    s->out = places + 1;
    s->op.nchw16c = true;
    return OC_OK;
}

/* *step becomes the first of the list c, in whatever order, and those after it. */
static oc_status make_steps(const pass *t, const inserted *c, oc_step **step)
{
    for (; c; c = c->next)
        OC_TRY(make_step(t, c, (*step)++));
    return OC_OK;
}

static oc_status insert(pass *t)
{
    oc_graph_plan *g = t->g;
    const int n = g->n_step;
    oc_step *all = oc_arena_array(&t->p->plan->arena, (size_t)(n + t->n_inserted), sizeof *all);
    oc_step **moved = oc_arena_array(t->scratch, (size_t)n, sizeof *moved), *next = all;
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    OC_TRY(oc_arena_check(t->scratch, t->p->e));
    for (int i = 0; i < n; i++) {
        OC_TRY(make_steps(t, t->before[i], &next));
        moved[i] = next;
        *next++ = g->step[i];
    }
    OC_TRY(make_steps(t, t->before[n], &next));
    for (int i = 0; i < n; i++) {
        oc_step *s = moved[i];
        if (s->last)
            s->last = moved[index_of(t, s->last)];
        for (int k = 0; s->group && k < s->group->n; k++)
            s->group->step[k] = moved[index_of(t, s->group->step[k])];
    }
    g->step = all;
    g->n_step = n + t->n_inserted;
    g->max_in = oc_max(g->max_in, 1);
    return OC_OK;
}

static oc_status lay_out(pass *t, const oc_value *known)
{
    const size_t n = (size_t)t->g->n_step;
    t->slot = oc_arena_array(t->scratch, (size_t)t->g->n_slot, sizeof *t->slot);
    t->unit = oc_arena_array(t->scratch, n, sizeof *t->unit);
    t->before = oc_arena_array(t->scratch, n + 1, sizeof(inserted *));
    OC_TRY(oc_arena_check(t->scratch, t->p->e));
    note_units(t);
    note_slots(t, known);
    choose(t);
    OC_TRY(convert_values(t));
    return insert(t);
}

oc_status oc_plan_lay_out(oc_planner *p, oc_graph_plan *g, const oc_layouts *of,
                          const oc_value *known)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    pass t = {.p = p, .g = g, .of = of, .scratch = &scratch};
    const oc_status status = lay_out(&t, known);
    oc_arena_free(&scratch);
    return status;
}
