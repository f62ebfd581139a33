/* SPDX-License-Identifier: Apache-2.0
 * moves.c - has steps that move numbers move codes instead, if a step needs the codes. */
#include "plan/quantise/quantise.h"

/* Returns the slot of codes that output i would have if the step moved codes; -1: it cannot. */
static int moved_slot(const oc_quantiser *t, const oc_step *s, int i)
{
    const int place = s->out[i];
    const oc_code_function *f = oc_place_is_slot(place) ? &t->function[place] : NULL;
    return f && f->name && t->moved[f->codes].step == s && t->moved[f->codes].out == i ? f->codes
                                                                                       : -1;
}

static int first_moved(const oc_quantiser *t, const oc_step *s)
{
    int found = -1;
    for (int i = 0; i < s->op.n_out && found < 0; i++)
        found = moved_slot(t, s, i);
    return found;
}

static bool is_needed(const oc_quantiser *t, const oc_step *s)
{
    for (int i = 0; i < s->op.n_out; i++) {
        const int slot = moved_slot(t, s, i);
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

/* Marks as needed the codes from which needed codes are made. */
static void mark_needed(const oc_quantiser *t)
{
    for (const oc_step *s = t->g->end; s; s = s->before) {
        if (!is_needed(t, s))
            continue;
        const oc_moves m = moves_of(t, s);
        for (int k = 0; k < s->op.n_in && k < 64; k++)
            if ((m.inputs >> k & 1) && t->function[s->in[k]].name)
                t->needed[t->function[s->in[k]].codes] = true;
    }
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

static oc_status make_node(oc_quantiser *t, const oc_step *s, oc_node *node)
{
    oc_arena *arena = &t->p->plan->arena;
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
        const int slot = moved_slot(t, s, i);
        out[i] = slot < 0 ? "" : t->moved[slot].name;
        if (!out[i])
            out[i] = t->function[s->out[i]].name;
    }
    return name_inputs(t, s, &t->moved[first_moved(t, s)], in);
}

/* Puts a step before s that moves the codes of the numbers that s moves. */
static oc_status insert_step(oc_quantiser *t, oc_step *s)
{
    oc_arena *arena = &t->p->plan->arena;
    oc_step *fresh = oc_arena_alloc(arena, sizeof *fresh);
    oc_node *node = oc_arena_alloc(arena, sizeof *node);
    int *out = oc_arena_array(arena, (size_t)s->op.n_out, sizeof *out);
    OC_TRY(oc_arena_check(arena, t->p->e));
    OC_TRY(make_node(t, s, node));
    *fresh = (oc_step){.node = node,
                       .op = {.version = s->op.version, .n_in = node->n_in, .n_out = node->n_out}};
    OC_TRY(oc_plan_make_step(t->p, t->g, fresh));
    for (int i = 0; i < s->op.n_out; i++)
        out[i] = moved_slot(t, s, i); /* -1: OC_NOWHERE */
    fresh->out = out;
    oc_edit_insert(t->g, fresh, s);
    return OC_OK;
}

/* ---- codes that stand for others ---- */

/* Redirects readers of codes for which other codes stand to those. */
static oc_status redirect(oc_quantiser *t)
{
    for (int i = 0; i < t->g->n_slot; i++)
        while (t->same[i] != t->same[t->same[i]])
            t->same[i] = t->same[t->same[i]];
    return oc_edit_redirect(t->p, t->g, t->same);
}

oc_status oc_quantise_move(oc_quantiser *t)
{
    mark_needed(t);
    for (oc_step *s = t->g->first; s; s = s->after)
        if (is_needed(t, s))
            OC_TRY(insert_step(t, s));
    return redirect(t);
}
