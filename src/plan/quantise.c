/* SPDX-License-Identifier: Apache-2.0
 * quantise.c - has 8-bit networks compute on their codes.
 *
 * Quantisers write a network as one of floats, in which QuantizeLinear and DequantizeLinear stand
 * around each operator. Here steps between them become steps on the codes. Where the session fuses
 * nothing, as one that looks at every value, the steps of floats stay beside those. */
#include "plan/quantise.h"

#include <string.h>

static void note_makers(const oc_quantiser *t)
{
    for (int i = 0; i < t->g->n_step; i++)
        for (int k = 0; k < t->g->step[i].op.n_out; k++)
            if (oc_place_is_slot(t->g->step[i].out[k]))
                t->maker[t->g->step[i].out[k]] = &t->g->step[i];
}

static bool quantises_any(const oc_graph_plan *g)
{
    for (int i = 0; i < g->n_step; i++) {
        const oc_traits *traits = g->step[i].op.version ? oc_step_traits(&g->step[i]) : NULL;
        if (traits && traits->codes == OC_QUANTISES)
            return true;
    }
    return false;
}

/* How many slots may there be, with those for codes that are moved? */
static int count_slots(const oc_graph_plan *g)
{
    int n = g->n_slot;
    for (int i = 0; i < g->n_step; i++) {
        const oc_traits *traits = g->step[i].op.version ? oc_step_traits(&g->step[i]) : NULL;
        n += traits && traits->moves ? g->step[i].op.n_in + g->step[i].op.n_out : 0;
    }
    return n;
}

static oc_status make_lists(oc_quantiser *t)
{
    oc_arena *arena = &t->scratch;
    t->most = count_slots(t->g);
    const size_t n = (size_t)t->most;
    t->readers = oc_arena_array(arena, n, sizeof *t->readers);
    t->maker = oc_arena_array(arena, n, sizeof *t->maker);
    t->value = oc_arena_array(arena, n, sizeof *t->value);
    t->asked = oc_arena_array(arena, n, sizeof *t->asked);
    t->function = oc_arena_array(arena, n, sizeof *t->function);
    t->moved = oc_arena_array(arena, n, sizeof *t->moved);
    t->needed = oc_arena_array(arena, n, sizeof *t->needed);
    t->same = oc_arena_array(arena, n, sizeof *t->same);
    t->before = oc_arena_array(arena, (size_t)t->g->n_step, sizeof(oc_inserted *));
    OC_TRY(oc_arena_check(arena, t->p->e));
    for (int i = 0; i < t->most; i++) {
        t->moved[i].out = -1;
        t->same[i] = i;
    }
    return OC_OK;
}

static oc_status rewrite(oc_quantiser *t)
{
    oc_graph_plan *g = t->g;
    int *before = oc_arena_array(&t->scratch, (size_t)t->most, sizeof *before);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    oc_plan_count_readers(g, t->readers);
    memcpy(before, t->readers, (size_t)t->most * sizeof *before);
    note_makers(t);
    for (int i = 0; i < g->n_step && t->p->options->quantise; i++)
        OC_TRY(oc_quantise_product(t, &g->step[i]));
    if (!t->p->options->fuse) /* steps of floats stay, and all that follows changes no bit */
        return OC_OK;
    for (int i = 0; i < g->n_step; i++)
        OC_TRY(oc_quantise_tables(t, i));
    OC_TRY(oc_quantise_move(t));
    oc_quantise_drop(t, before);
    return OC_OK;
}

oc_status oc_plan_quantise(oc_planner *p, oc_graph_plan *g)
{
    oc_quantiser t = {.p = p, .g = g, .scratch = oc_arena_new(&p->plan->memory)};
    if (!quantises_any(g))
        return OC_OK;
    t.names = oc_names_new(&p->plan->arena);
    oc_status status = make_lists(&t);
    if (status == OC_OK)
        status = rewrite(&t);
    for (int i = 0; i < t.most && t.value; i++)
        oc_value_unref(&t.value[i]);
    oc_arena_free(&t.scratch);
    return status == OC_OK ? p->e->code : status; /* of a value that could not be looked at */
}
