/* SPDX-License-Identifier: Apache-2.0
 * layouts.c - which values of the main graph lie in NCHW16c, and where steps convert.
 *
 * Steps that run as one are a unit, and so is any other step. A unit runs in NCHW or in NCHW16c, as
 * far as its operators can (ops/kit/layout.h). Its side is the layout of its value, and the one in
 * which it needs the values that it reads. A value costs one conversion if some reader needs the
 * other layout. At first a unit takes the side of the values that it reads; then units change
 * sides as long as that saves bytes. */
#include "plan/edit.h"
#include "plan/passes.h"

typedef struct slot_facts {
    int maker;      /* the step that makes the value; -1: none */
    double size[2]; /* bytes of the value in NCHW and in NCHW16c */
    int needed[2];  /* number of readers that need NCHW, and NCHW16c */
    int converted;  /* slot of the converted value; -1: there is none yet */
} slot_facts;

typedef struct unit_facts {
    bool can, fixed; /* the unit may run in NCHW16c; it must, whatever conversions cost */
    bool side;       /* true: it runs in NCHW16c */
} unit_facts;

/* The steps by their ids, and what is known of each; conversions that the pass puts in are not
 * among them. */
typedef struct pass {
    oc_planner *p;
    oc_graph_plan *g;
    oc_step **step;
    int n;
    slot_facts *slot;
    unit_facts *unit; /* facts of the unit that ends with the step */
} pass;

/* The last step of the unit of step i. */
static int unit_of(const pass *t, int i)
{
    const oc_step *last = t->step[i]->last;
    return last ? last->id : i;
}

/* Does step i follow, in its unit, one that makes NCHW of NCHW16c? Then it runs in NCHW. */
static bool follows_nchw(const pass *t, int i)
{
    const oc_group *group = t->step[unit_of(t, i)]->group;
    const int first = group ? group->step[0]->id : i;
    return first != i && t->step[first]->layouts.blocked && !t->step[first]->layouts.out;
}

static bool lies_in_nchw16c(const pass *t, int slot)
{
    const int maker = t->slot[slot].maker;
    return maker >= 0 && t->step[maker]->layouts.out && t->unit[unit_of(t, maker)].side &&
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
    const oc_step *s = t->step[i];
    if (!oc_place_is_slot(s->in[k]) || is_inside(t, unit_of(t, i), s->in[k]) ||
        (side && oc_layouts_leaves(&t->step[i]->layouts, k) && !follows_nchw(t, i)))
        return NEEDS_NONE;
    return side && oc_layouts_blocks(&t->step[i]->layouts, k) && !follows_nchw(t, i) ? NEEDS_NCHW16C
                                                                                     : NEEDS_NCHW;
}

/* ---- what is known ---- */

static void note_size(slot_facts *f, const oc_value *v)
{
    const oc_dims *d = &v->dims;
    const oc_dims blocked = d->rank >= 2 && d->rank < OC_MAX_RANK ? oc_value_block_dims(d) : *d;
    f->size[0] = f->size[1] = (double)oc_type_size(v->type);
    for (int a = 0; a < d->rank; a++)
        f->size[0] *= (double)d->n[a];
    for (int a = 0; a < blocked.rank; a++)
        f->size[1] *= (double)blocked.n[a];
}

static void note_units(const pass *t)
{
    for (int i = 0; i < t->n; i++)
        t->unit[i].can = true;
    for (int i = 0; i < t->n; i++) {
        unit_facts *u = &t->unit[unit_of(t, i)];
        u->can = u->can && (oc_layouts_nchw16c(&t->step[i]->layouts) || follows_nchw(t, i));
        u->fixed = u->fixed || t->step[i]->layouts.faster || t->step[i]->layouts.only;
    }
}

static void note_slots(const pass *t)
{
    for (int k = 0; k < t->g->n_slot; k++) {
        t->slot[k].maker = t->slot[k].converted = -1;
        if (t->g->slot[k].has_shape)
            note_size(&t->slot[k], &t->g->slot[k].value);
    }
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->step[i]->op.n_out; k++)
            if (oc_place_is_slot(t->step[i]->out[k]))
                t->slot[t->step[i]->out[k]].maker = i;
}

/* Adds `by` (1, or -1 to take it back) to the readers of each value that the step needs. */
static void count_needs(const pass *t, int i, bool side, int by)
{
    const oc_step *s = t->step[i];
    for (int k = 0; k < s->op.n_in; k++) {
        const need n = need_of(t, i, k, side);
        if (n != NEEDS_NONE)
            t->slot[s->in[k]].needed[n] += by;
    }
}

/* Graphs within steps, and whoever reads the outputs, need NCHW. */
static void count_fixed_needs(const pass *t)
{
    for (int i = 0; i < t->n; i++) {
        const oc_step *s = t->step[i];
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
    const oc_step *s = t->step[i];
    for (int k = 0; k < s->op.n_in; k++)
        if (need_of(t, i, k, true) == NEEDS_NCHW16C && lies_in_nchw16c(t, s->in[k]))
            return true;
    return false;
}

static void begin(const pass *t)
{
    for (int i = 0; i < t->n; i++) {
        unit_facts *u = &t->unit[unit_of(t, i)];
        u->side = u->can && (u->side || u->fixed || follows(t, i));
    }
    for (int i = 0; i < t->n; i++)
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
    const oc_group *group = t->step[unit]->group;
    double sum = 0;
    for (int k = 0; group && k < group->n; k++)
        sum += fn(t, group->step[k]->id);
    return group ? sum : fn(t, unit);
}

/* Adds up the bytes of a step's outputs, and of the conversions of all that it reads and writes. */
static double step_cost(const pass *t, int i)
{
    const oc_step *s = t->step[i];
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
        for (int i = 0; i < t->n; i++) {
            if (t->step[i]->last || !t->unit[i].can || t->unit[i].fixed)
                continue;
            const double before = over_unit(t, i, step_cost);
            change(t, i);
            if (over_unit(t, i, step_cost) < before)
                changed = true;
            else
                change(t, i);
        }
    }
    for (int i = 0; i < t->n; i++)
        t->step[i]->op.nchw16c = t->unit[unit_of(t, i)].side && !follows_nchw(t, i);
}

/* ---- conversions ---- */

/* Puts in a step that converts the value of slot `from`, which has this name, to slot `to`. */
static oc_status make_step(const pass *t, oc_name value, int from, int to, oc_step **made)
{
    oc_arena *arena = &t->p->plan->arena;
    const bool nchw16c = !lies_in_nchw16c(t, from);
    const char *layout = nchw16c ? "NCHW16c" : "NCHW";
    oc_step *s = oc_arena_alloc(arena, sizeof *s);
    oc_node *node = oc_arena_alloc(arena, sizeof *node);
    oc_name *names = oc_arena_array(arena, 2, sizeof *names);
    int *places = oc_arena_array(arena, 2, sizeof *places);
    oc_declared *declared = oc_arena_array(arena, 1, sizeof *declared);
    const char *text = oc_arena_printf(arena, "'%s' to %s", value, layout);
    const char *name = oc_arena_printf(arena, "%s:%s", value, layout);
    OC_TRY(oc_arena_check(arena, t->p->e));
    names[0] = value;
    names[1] = name;
    places[0] = from;
    places[1] = to;
    *s = (oc_step){.op = {.version = nchw16c ? oc_to_nchw16c : oc_to_nchw,
                          .node = text,
                          .seed_name = "",
                          .n_in = 1,
                          .n_out = 1,
                          .nchw16c = true},
                   .node = node,
                   .in = places,
                   .out = places + 1,
                   .declared = declared};
    OC_TRY(oc_sig_cached(&t->p->sigs, s->op.version->signature, &s->op.sig, t->p->e));
    *node = (oc_node){.name = "",
                      .op_type = s->op.sig->name,
                      .domain = s->op.sig->domain,
                      .overload = "",
                      .in = names,
                      .out = names + 1,
                      .n_in = 1,
                      .n_out = 1};
    *made = s;
    return OC_OK;
}

/* Has the reader of a value with this name read it in the layout that it needs. A conversion is put
 * in before step `next`, or behind all steps. */
static oc_status convert(const pass *t, oc_step *next, oc_name name, need needed, int *reader)
{
    oc_step *s;
    if (!oc_place_is_slot(*reader) || needed == NEEDS_NONE ||
        (needed == NEEDS_NCHW16C) == lies_in_nchw16c(t, *reader))
        return OC_OK;
    slot_facts *f = &t->slot[*reader];
    if (f->converted < 0) {
        f->converted = oc_edit_add_slot(t->p, t->g, "");
        OC_TRY(oc_arena_check(t->p->services.strings, t->p->e));
        OC_TRY(make_step(t, name, *reader, f->converted, &s));
        oc_edit_insert(t->g, s, next);
    }
    oc_edit_read(t->g, reader, f->converted);
    return OC_OK;
}

static oc_status convert_inputs(const pass *t, int i)
{
    oc_step *s = t->step[i];
    const bool side = t->unit[unit_of(t, i)].side;
    for (int k = 0; k < s->op.n_in; k++)
        OC_TRY(convert(t, s, s->node->in[k], need_of(t, i, k, side), &s->in[k]));
    for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
        for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
            OC_TRY(convert(t, s, "", NEEDS_NCHW, &s->graph[a]->capture[k].outer));
    return OC_OK;
}

static oc_status convert_values(const pass *t)
{
    t->g->max_in = oc_max(t->g->max_in, 1);
    t->g->max_out = oc_max(t->g->max_out, 1);
    for (int i = 0; i < t->n; i++)
        OC_TRY(convert_inputs(t, i));
    for (int i = 0; i < t->g->n_output; i++)
        OC_TRY(convert(t, NULL, t->g->graph->output[i].name, NEEDS_NCHW, &t->g->output[i]));
    return OC_OK;
}

static oc_status lay_out(pass *t, oc_arena *scratch)
{
    t->n = t->g->n_step;
    t->slot = oc_arena_array(scratch, (size_t)t->g->n_slot, sizeof *t->slot);
    t->unit = oc_arena_array(scratch, (size_t)t->n, sizeof *t->unit);
    t->step = oc_arena_array(scratch, (size_t)t->n, sizeof *t->step);
    OC_TRY(oc_arena_check(scratch, t->p->e));
    oc_edit_number(t->g);
    for (oc_step *s = t->g->first; s; s = s->after)
        t->step[s->id] = s;
    note_units(t);
    note_slots(t);
    choose(t);
    return convert_values(t);
}

OC_PASS(oc_plan_layouts)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    pass t = {.p = p, .g = g};
    const oc_status status = lay_out(&t, &scratch);
    oc_arena_free(&scratch);
    return status;
}
