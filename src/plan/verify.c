/* SPDX-License-Identifier: Apache-2.0
 * verify.c - checks after each pass, in builds without NDEBUG, that steps are as edit.h promises.
 *
 * All is counted anew: which step makes a value and how many read it, whether a value is made once
 * and before it is read, and whether groups are whole. Once values share slots, nothing is checked.
 */
#include "plan/verify.h"

#ifndef NDEBUG
#include "plan/edit.h"

#include <stdlib.h>

/* What the steps tell of a slot. */
typedef struct facts {
    const oc_step *maker;
    int n_readers;
    bool is_made; /* the steps looked at so far make it, or it is there before the first step */
} facts;

typedef struct check {
    const oc_planner *p;
    const oc_graph_plan *g;
    const char *pass;
    facts *slot;
} check;

static oc_status wrong(const check *t, const oc_step *s, const char *what, int place)
{
    return oc_error_set(t->p->e, OC_UNSUPPORTED,
                        "the pass '%s' of the plan left %s of graph '%s' wrong: %s, place %d",
                        t->pass, s && s->op.node ? s->op.node : "a value", t->g->graph->name, what,
                        place);
}

static bool is_place(const check *t, int place)
{
    return oc_place_is_slot(place)       ? place < t->g->n_slot
           : oc_place_is_constant(place) ? oc_constant_at(place) < t->p->plan->n_constant
                                         : true;
}

static oc_status check_read(const check *t, const oc_step *s, int place)
{
    if (!is_place(t, place))
        return wrong(t, s, "it reads no place", place);
    if (!oc_place_is_slot(place))
        return OC_OK;
    t->slot[place].n_readers++;
    return t->slot[place].is_made ? OC_OK
                                  : wrong(t, s, "it reads what no step before it made", place);
}

static oc_status check_outputs(const check *t, const oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++) {
        if (!is_place(t, s->out[i]))
            return wrong(t, s, "it makes no place", s->out[i]);
        if (!oc_place_is_slot(s->out[i]))
            continue;
        facts *slot = &t->slot[s->out[i]];
        if (slot->is_made)
            return wrong(t, s, "it makes what was there", s->out[i]);
        slot->is_made = true;
        slot->maker = s;
    }
    return OC_OK;
}

static oc_status check_group(const check *t, const oc_step *s)
{
    const oc_group *group = s->group;
    if (s->last && (!s->last->group || s->computed))
        return wrong(t, s, "it is in a group that does not run", OC_NOWHERE);
    for (int k = 0; group && k + 1 < group->n; k++)
        if (group->step[k]->last != s)
            return wrong(t, s, "its group is not its own", OC_NOWHERE);
    return group && group->step[group->n - 1] != s
               ? wrong(t, s, "it is not the last of its group", OC_NOWHERE)
               : OC_OK;
}

static oc_status verify_graph(const oc_planner *p, const char *pass, const oc_graph_plan *g);

static oc_status check_inner(const check *t, const oc_step *s, const oc_graph_plan *inner)
{
    for (int k = 0; k < inner->n_capture; k++)
        OC_TRY(check_read(t, s, inner->capture[k].outer));
    return verify_graph(t->p, t->pass, inner);
}

static oc_status check_step(const check *t, const oc_step *s)
{
    if (s->after ? s->after->before != s : t->g->end != s)
        return wrong(t, s, "its neighbours are not those of the list", OC_NOWHERE);
    for (int i = 0; i < s->op.n_in; i++)
        OC_TRY(check_read(t, s, s->in[i]));
    for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
        if (s->graph[a])
            OC_TRY(check_inner(t, s, s->graph[a]));
    OC_TRY(check_group(t, s));
    return check_outputs(t, s);
}

static oc_status check_slots(const check *t)
{
    for (int i = 0; i < t->g->n_slot && t->g->slot; i++) {
        if (t->slot[i].n_readers != t->g->slot[i].n_readers)
            return wrong(t, t->g->slot[i].maker, "its value has another number of readers", i);
        if (t->slot[i].is_made && t->slot[i].maker != t->g->slot[i].maker)
            return wrong(t, t->slot[i].maker, "another step counts as the maker of its value", i);
    }
    return OC_OK;
}

static oc_status check_graph(const check *t)
{
    int n = 0;
    for (int i = 0; i < t->g->n_input; i++)
        t->slot[t->g->input[i]].is_made = true;
    for (int i = 0; i < t->g->n_capture; i++)
        t->slot[t->g->capture[i].inner].is_made = true;
    for (const oc_step *s = t->g->first; s; s = s->after, n++)
        OC_TRY(check_step(t, s));
    for (int i = 0; i < t->g->n_output; i++)
        OC_TRY(check_read(t, NULL, t->g->output[i]));
    if (n != t->g->n_step)
        return wrong(t, NULL, "the number of steps", n);
    return check_slots(t);
}

static oc_status verify_graph(const oc_planner *p, const char *pass, const oc_graph_plan *g)
{
    facts *slot = g->slot ? calloc((size_t)g->n_slot + 1, sizeof *slot) : NULL;
    const check t = {.p = p, .g = g, .pass = pass, .slot = slot};
    const oc_status status = slot ? check_graph(&t) : OC_OK;
    free(slot);
    return status;
}

/* A graph of a step that could not be built is not looked at: no pass takes it. */
oc_status oc_plan_verify(const oc_planner *p, const char *pass)
{
    return verify_graph(p, pass, p->plan->graph[0]);
}
#endif
