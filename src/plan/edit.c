/* SPDX-License-Identifier: Apache-2.0
 * edit.c - changes the steps of a graph, with the makers and the numbers of readers of values. */
#include "plan/edit.h"

bool oc_edit_reserve(oc_planner *p, oc_graph_plan *g, int n)
{
    oc_slot *slot = oc_arena_array(p->services.strings, (size_t)n, sizeof *slot);
    if (!slot)
        return false;
    if (g->n_slot)
        memcpy(slot, g->slot, (size_t)g->n_slot * sizeof *slot);
    g->slot = slot;
    g->slot_room = n;
    return true;
}

int oc_edit_add_slot(oc_planner *p, oc_graph_plan *g, oc_name name)
{
    const int more = g->slot_room / 4 + 16;
    if ((*name && !oc_name_map_put(&g->place_of, name, g->n_slot)) ||
        (g->n_slot == g->slot_room && !oc_edit_reserve(p, g, g->slot_room + more)))
        return OC_NOWHERE;
    g->slot[g->n_slot] = (oc_slot){.constant = OC_NOWHERE};
    return g->n_slot++;
}

/* ---- makers and readers */

static void count(oc_graph_plan *g, int place, int by)
{
    if (oc_place_is_slot(place))
        g->slot[place].n_readers += by;
}

/* Counts what a step reads: its inputs, and what the graphs of its attributes capture. */
static void count_reads(oc_graph_plan *g, const oc_step *s, int by)
{
    for (int i = 0; i < s->op.n_in; i++)
        count(g, s->in[i], by);
    for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
        for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
            count(g, s->graph[a]->capture[k].outer, by);
}

static void set_maker(const oc_graph_plan *g, const oc_step *s, oc_step *maker)
{
    for (int i = 0; i < s->op.n_out; i++)
        if (oc_place_is_slot(s->out[i]))
            g->slot[s->out[i]].maker = maker;
}

void oc_edit_count_reader(oc_graph_plan *g, int place)
{
    count(g, place, 1);
}

void oc_edit_read(oc_graph_plan *g, int *reader, int place)
{
    count(g, *reader, -1);
    *reader = place;
    count(g, place, 1);
}

/* ---- steps */

void oc_edit_insert(oc_graph_plan *g, oc_step *s, oc_step *next)
{
    oc_step *before = next ? next->before : g->end;
    s->before = before;
    s->after = next;
    *(before ? &before->after : &g->first) = s;
    *(next ? &next->before : &g->end) = s;
    g->n_step++;
    set_maker(g, s, s);
    count_reads(g, s, 1);
}

void oc_edit_replace(oc_graph_plan *g, oc_step *s, const oc_step *fresh)
{
    const oc_step old = *s;
    count_reads(g, s, -1);
    *s = *fresh;
    s->out = old.out;
    s->before = old.before;
    s->after = old.after;
    count_reads(g, s, 1);
}

void oc_edit_remove(oc_graph_plan *g, oc_step *s)
{
    *(s->before ? &s->before->after : &g->first) = s->after;
    *(s->after ? &s->after->before : &g->end) = s->before;
    g->n_step--;
    set_maker(g, s, NULL);
    count_reads(g, s, -1);
}

void oc_edit_number(oc_graph_plan *g)
{
    int n = 0;
    for (oc_step *s = g->first; s; s = s->after)
        s->id = n++;
}

/* ---- places */

static void redirect(oc_graph_plan *g, int *reader, const int *to)
{
    if (oc_place_is_slot(*reader) && to[*reader] != *reader)
        oc_edit_read(g, reader, to[*reader]);
}

/* A capture of a value that has become a constant ends: the graph within reads the constant. */
static oc_status redirect_captures(oc_planner *p, oc_graph_plan *g, oc_graph_plan *inner,
                                   const int *to)
{
    int n = 0;
    int *to_within = oc_arena_array(p->services.strings, (size_t)inner->n_slot, sizeof *to_within);
    OC_TRY(oc_arena_check(p->services.strings, p->e));
    for (int i = 0; i < inner->n_slot; i++)
        to_within[i] = i;
    for (int i = 0; i < inner->n_capture; i++) {
        oc_capture c = inner->capture[i];
        redirect(g, &c.outer, to);
        if (oc_place_is_slot(c.outer))
            inner->capture[n++] = c;
        else
            to_within[c.inner] = c.outer;
    }
    const bool same = n == inner->n_capture;
    inner->n_capture = n;
    return same ? OC_OK : oc_edit_redirect(p, inner, to_within);
}

oc_status oc_edit_redirect(oc_planner *p, oc_graph_plan *g, const int *to)
{
    for (oc_step *s = g->first; s; s = s->after) {
        for (int i = 0; i < s->op.n_in; i++)
            redirect(g, &s->in[i], to);
        for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
            if (s->graph[a])
                OC_TRY(redirect_captures(p, g, s->graph[a], to));
    }
    for (int i = 0; i < g->n_output; i++)
        redirect(g, &g->output[i], to);
    return OC_OK;
}
