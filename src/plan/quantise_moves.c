/* SPDX-License-Identifier: Apache-2.0
 * quantise_moves.c - makes steps that only move numbers move the codes of these, if someone
 * needs the codes. */
#include "ops/kit/layout.h"
#include "plan/quantise.h"

#include <string.h>

/* The codes that output i of a step would have if it moved codes; -1: it cannot. */
static int moved_slot(const oc_quantiser *t, int step, int i)
{
    const oc_step *s = &t->g->step[step];
    const int place = s->out[i];
    const oc_code_function *f = oc_place_is_slot(place) ? &t->function[place] : NULL;
    return f && f->name && t->moved[f->codes].out == i && t->moved[f->codes].step == step ? f->codes
                                                                                          : -1;
}

static int first_moved(const oc_quantiser *t, int step)
{
    int found = -1;
    for (int i = 0; i < t->g->step[step].op.n_out && found < 0; i++)
        found = moved_slot(t, step, i);
    return found;
}

static bool is_needed(const oc_quantiser *t, int step)
{
    for (int i = 0; i < t->g->step[step].op.n_out; i++) {
        const int slot = moved_slot(t, step, i);
        if (slot >= 0 && t->needed[slot])
            return true;
    }
    return false;
}

static oc_moves moves_of(const oc_quantiser *t, const oc_step *s)
{
    const oc_call c = oc_step_call(s, NULL, NULL, &t->p->services);
    oc_moves m = {0};
    oc_step_traits(s)->moves(&c, &m);
    return m;
}

/* Marks the codes that needed codes are made from. Returns how many steps move such. */
static int mark_needed(const oc_quantiser *t)
{
    int n = 0;
    for (int i = t->g->n_step - 1; i >= 0; i--) {
        const oc_step *s = &t->g->step[i];
        if (!is_needed(t, i))
            continue;
        const oc_moves m = moves_of(t, s);
        n++;
        for (int k = 0; k < s->op.n_in && k < 64; k++)
            if ((m.inputs >> k & 1) && t->function[s->in[k]].name)
                t->needed[t->function[s->in[k]].codes] = true;
    }
    return n;
}

/* ---- the steps ---- */

static int variable_of(const oc_step *s, int i)
{
    return oc_sig_port_at(s->op.sig->in, s->op.sig->n_in, i)->var;
}

oc_move_role oc_quantise_move_role(const oc_step *s, const oc_moves *m, int i)
{
    const uint64_t bit = i < 64 ? UINT64_C(1) << i : 0;
    if (m->inputs & bit)
        return OC_MOVE_CODES;
    if (m->fill && i == m->fill)
        return OC_MOVE_FILL;
    for (int k = 0; k < s->op.n_in && k < 64; k++)
        if ((m->inputs >> k & 1) && variable_of(s, k) >= 0 &&
            variable_of(s, k) == variable_of(s, i))
            return OC_MOVE_NOTHING;
    return OC_MOVE_AS_IT_IS;
}

static oc_status name_inputs(oc_quantiser *t, const oc_step *s, const oc_moved *moved, oc_name *in)
{
    const oc_moves m = moves_of(t, s);
    for (int i = 0; i < s->op.n_in; i++) {
        const oc_move_role role = oc_quantise_move_role(s, &m, i);
        in[i] = role == OC_MOVE_CODES     ? t->function[s->in[i]].name
                : role == OC_MOVE_NOTHING ? ""
                                          : s->node->in[i];
    }
    if (!m.fill)
        return OC_OK;
    for (int i = s->op.n_in; i < m.fill; i++)
        in[i] = "";
    uint8_t *code = oc_arena_alloc(&t->p->plan->arena, sizeof *code);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    *code = moved->fill;
    const oc_value v = oc_value_borrow(t->function[s->in[0]].type, (oc_dims){0, {0}}, code);
    return oc_quantise_constant(t, s->node->out[0], "fill", &v, &in[m.fill]);
}

static oc_status make_node(oc_quantiser *t, int step, oc_node *node)
{
    oc_arena *arena = &t->p->plan->arena;
    const oc_step *s = &t->g->step[step];
    const oc_moves m = moves_of(t, s);
    const int n_in = m.fill >= s->op.n_in ? m.fill + 1 : s->op.n_in;
    oc_name *in = oc_arena_array(arena, (size_t)n_in, sizeof *in);
    oc_name *out = oc_arena_array(arena, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(arena, t->p->e));
    *node = *s->node;
    node->in = in;
    node->out = out;
    node->n_in = n_in;
    node->n_out = s->op.n_out;
    node->expect = NULL;
    for (int i = 0; i < s->op.n_out; i++) {
        const int slot = moved_slot(t, step, i);
        out[i] = slot < 0 ? "" : t->moved[slot].name;
        if (!out[i])
            out[i] = t->function[s->out[i]].name;
    }
    return name_inputs(t, s, &t->moved[first_moved(t, step)], in);
}

static oc_status make_step(oc_quantiser *t, int step, oc_step *fresh)
{
    const oc_step *s = &t->g->step[step];
    oc_node *node = oc_arena_alloc(&t->p->plan->arena, sizeof *node);
    int *out = oc_arena_array(&t->p->plan->arena, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    OC_TRY(make_node(t, step, node));
    *fresh = (oc_step){.node = node,
                       .op = {.version = s->op.version, .n_in = node->n_in, .n_out = node->n_out}};
    OC_TRY(oc_plan_step(t->p, t->g, fresh));
    for (int i = 0; i < s->op.n_out; i++)
        out[i] = moved_slot(t, step, i); /* -1: OC_NOWHERE */
    fresh->out = out;
    for (int i = 0; i < fresh->op.n_in; i++)
        if (oc_place_is_slot(fresh->in[i]))
            t->readers[fresh->in[i]]++;
    return OC_OK;
}

static oc_status insert(oc_quantiser *t, int n)
{
    oc_graph_plan *g = t->g;
    oc_step *all = oc_arena_array(&t->p->plan->arena, (size_t)(g->n_step + n), sizeof *all),
            *next = all;
    OC_TRY(oc_arena_check(&t->p->plan->arena, t->p->e));
    for (int i = 0; i < g->n_step; i++) {
        for (const oc_inserted *x = t->before[i]; x; x = x->next)
            *next++ = x->step;
        if (is_needed(t, i))
            OC_TRY(make_step(t, i, next++));
        *next++ = g->step[i];
    }
    g->step = all;
    g->n_step = (int)(next - all);
    return OC_OK;
}

/* ---- codes that stand for others ---- */

static void redirect(oc_quantiser *t, int *place)
{
    if (!oc_place_is_slot(*place) || t->same[*place] == *place)
        return;
    t->readers[*place]--;
    while (t->same[*place] != *place)
        *place = t->same[*place];
    t->readers[*place]++;
}

static void redirect_all(oc_quantiser *t)
{
    oc_graph_plan *g = t->g;
    for (int i = 0; i < g->n_step; i++) {
        const oc_step *s = &g->step[i];
        for (int k = 0; k < s->op.n_in; k++)
            redirect(t, &s->in[k]);
        for (int a = 0; s->op.version && a < s->op.sig->n_attr; a++)
            for (int k = 0; s->graph[a] && k < s->graph[a]->n_capture; k++)
                redirect(t, &s->graph[a]->capture[k].outer);
    }
    for (int i = 0; i < g->n_output; i++)
        redirect(t, &g->output[i]);
}

oc_status oc_quantise_move(oc_quantiser *t)
{
    const int n = mark_needed(t) + t->n_inserted;
    if (n)
        OC_TRY(insert(t, n));
    redirect_all(t);
    return OC_OK;
}
