/* SPDX-License-Identifier: Apache-2.0
 * lifetimes.c - which step is the last to read each value, which values share a slot, and which
 * steps run. */
#include "plan/ahead.h"
#include "plan/passes.h"

static void note_use(const int *places, int n, int step, int *last)
{
    for (int i = 0; i < n; i++)
        if (oc_place_is_slot(places[i]))
            last[places[i]] = step;
}

/* last[slot] becomes the last step that writes or reads the slot. */
static void find_last_uses(const oc_graph_plan *g, int *last)
{
    for (int s = 0; s < g->n_step; s++) {
        const oc_step *step = g->step[s];
        note_use(step->in, step->op.n_in, s, last);
        note_use(step->out, step->op.n_out, s, last);
        for (int k = 0; step->group && k < step->group->n; k++) {
            const oc_step *part = step->group->step[k];
            note_use(part->in, part->op.n_in, s, last);
            note_use(part->out, part->op.n_out, s, last);
        }
        for (int a = 0; a < step->op.sig->n_attr; a++)
            for (int k = 0; step->graph[a] && k < step->graph[a]->n_capture; k++)
                last[step->graph[a]->capture[k].outer] = s;
    }
    for (int i = 0; i < g->n_output; i++)
        if (oc_place_is_slot(g->output[i]))
            last[g->output[i]] = -1; /* the value stays until the next run */
}

/* Fills the steps' release lists, in order of slots. */
static void list_releases(oc_graph_plan *g, const int *last, int *count, int *all)
{
    for (int i = 0; i < g->n_slot; i++)
        if (last[i] >= 0)
            count[last[i]]++;
    for (int s = 0, at = 0; s < g->n_step; at += count[s++])
        g->step[s]->release = all + at;
    for (int i = 0; i < g->n_slot; i++)
        if (last[i] >= 0) {
            oc_step *s = g->step[last[i]];
            s->release[s->n_release++] = i;
        }
}

/* ---- slots used again ---- */

/* Before this pass each value has a slot of its own; renamed[slot] is the slot of the frame that
 * the value shares. */
typedef struct reuse {
    int *renamed; /* -1: the value has no slot of the frame yet */
    int *idle;    /* a stack of slots of the frame without a value */
    int n_idle, n_slot;
} reuse;

static int rename_slot(reuse *r, int slot)
{
    if (!oc_place_is_slot(slot))
        return slot;
    if (r->renamed[slot] < 0)
        r->renamed[slot] = r->n_idle ? r->idle[--r->n_idle] : r->n_slot++;
    return r->renamed[slot];
}

static void rename_slots(reuse *r, int *places, int n)
{
    for (int i = 0; i < n; i++)
        places[i] = rename_slot(r, places[i]);
}

/* Graphs within the step read the slots that they capture while the step runs. */
static void rename_captured(reuse *r, const oc_step *s)
{
    for (int a = 0; a < s->op.sig->n_attr; a++)
        for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
            s->graph[a]->capture[k].outer = rename_slot(r, s->graph[a]->capture[k].outer);
}

/* Gives a value the slot of an earlier value that no later step reads. A frame then has as many
 * slots as values live at one time. */
static void reuse_slots(oc_graph_plan *g, reuse *r)
{
    rename_slots(r, g->input, g->n_input);
    for (int i = 0; i < g->n_capture; i++)
        g->capture[i].inner = rename_slot(r, g->capture[i].inner);
    for (int i = 0; i < g->n_step; i++) {
        oc_step *s = g->step[i];
        rename_slots(r, s->in, s->op.n_in);
        rename_captured(r, s);
        rename_slots(r, s->out, s->op.n_out);
        rename_slots(r, s->release, s->n_release);
        for (int k = 0; k < s->n_release; k++)
            r->idle[r->n_idle++] = s->release[k];
    }
    rename_slots(r, g->output, g->n_output);
    g->n_slot = r->n_slot;
}

/* ---- steps that run */

/* A computed step only releases what it was the last to read. A step of a group is looked at with
 * the last step of the group. */
static bool is_idle(const oc_step *s)
{
    return s->computed ? s->n_release == 0 : s->last && s->last->group->gathers;
}

static bool gathers(const oc_group *group)
{
    for (int i = 0; i + 1 < group->n; i++) {
        const oc_step *s = group->step[i];
        if (!s->op.by_dims || s->op.wants_snapshot || s->n_release)
            return false;
    }
    return true;
}

static oc_status list_steps(oc_planner *p, oc_graph_plan *g)
{
    g->run = oc_arena_array(&p->plan->arena, (size_t)g->n_step, sizeof *g->run);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    for (int i = 0; i < g->n_step; i++)
        if (g->step[i]->group)
            g->step[i]->group->gathers = gathers(g->step[i]->group);
    for (int i = 0; i < g->n_step; i++)
        if (!is_idle(g->step[i]))
            g->run[g->n_run++] = g->step[i];
    return OC_OK;
}

/* The list of steps becomes an array. */
static oc_status number_steps(oc_planner *p, oc_graph_plan *g)
{
    g->step = oc_arena_array(&p->plan->arena, (size_t)g->n_step, sizeof *g->step);
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    oc_edit_number(g);
    for (oc_step *s = g->first; s; s = s->after)
        g->step[s->id] = s;
    return OC_OK;
}

static oc_status set_lifetimes(oc_planner *p, oc_graph_plan *g, oc_arena *scratch)
{
    const size_t n = (size_t)g->n_slot;
    int *last = oc_arena_array(scratch, n, sizeof *last);
    int *count = oc_arena_array(scratch, (size_t)g->n_step, sizeof *count);
    int *all = oc_arena_array(&p->plan->arena, n, sizeof *all);
    reuse r = {.renamed = oc_arena_array(scratch, n, sizeof *r.renamed),
               .idle = oc_arena_array(scratch, n, sizeof *r.idle)};
    OC_TRY(oc_arena_check(scratch, p->e));
    OC_TRY(oc_arena_check(&p->plan->arena, p->e));
    memset(last, 0xff, n * sizeof *last); /* -1: no step */
    memset(r.renamed, 0xff, n * sizeof *r.renamed);
    find_last_uses(g, last);
    list_releases(g, last, count, all);
    oc_ahead_forget(g); /* from here on several values may share a slot */
    g->slot = NULL;
    reuse_slots(g, &r);
    return list_steps(p, g);
}

OC_PASS(oc_plan_lifetimes)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    oc_status status = number_steps(p, g);
    if (status == OC_OK)
        status = set_lifetimes(p, g, &scratch);
    oc_arena_free(&scratch);
    return status;
}
