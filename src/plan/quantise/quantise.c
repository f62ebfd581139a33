/* SPDX-License-Identifier: Apache-2.0
 * quantise.c - has 8-bit networks compute on their codes.
 *
 * Quantisers write a network as one of floats, in which QuantizeLinear and DequantizeLinear stand
 * around each operator. Here steps between them become steps on the codes. Where the session fuses
 * nothing, as one that looks at every value, the steps of floats stay beside those. */
#include "plan/quantise/quantise.h"

static bool quantises_any(const oc_graph_plan *g)
{
    for (const oc_step *s = g->first; s; s = s->after) {
        const oc_traits *traits = s->op.version ? oc_step_traits(s) : NULL;
        if (traits && traits->codes == OC_QUANTISES)
            return true;
    }
    return false;
}

/* Counts the slots that there may be, with those for codes that are moved. */
static int count_slots(const oc_graph_plan *g)
{
    int n = g->n_slot;
    for (const oc_step *s = g->first; s; s = s->after) {
        const oc_traits *traits = s->op.version ? oc_step_traits(s) : NULL;
        n += traits && traits->moves ? s->op.n_in + s->op.n_out : 0;
    }
    return n;
}

static oc_status make_lists(oc_quantiser *t)
{
    oc_arena *arena = &t->scratch;
    t->most = count_slots(t->g);
    const size_t n = (size_t)t->most;
    t->function = oc_arena_array(arena, n, sizeof *t->function);
    t->moved = oc_arena_array(arena, n, sizeof *t->moved);
    t->needed = oc_arena_array(arena, n, sizeof *t->needed);
    t->same = oc_arena_array(arena, n, sizeof *t->same);
    OC_TRY(oc_arena_check(arena, t->p->e));
    for (int i = 0; i < t->most; i++)
        t->same[i] = i;
    return OC_OK;
}

static oc_status rewrite(oc_quantiser *t)
{
    oc_graph_plan *g = t->g;
    int *before = oc_arena_array(&t->scratch, (size_t)t->most, sizeof *before);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    for (int i = 0; i < g->n_slot; i++)
        before[i] = g->slot[i].n_readers;
    for (oc_step *s = g->first; s && !t->p->options->exact_quant; s = s->after)
        OC_TRY(oc_quantise_product(t, s));
    if (t->p->options->no_fusion) /* steps of floats stay, and all that follows changes no bit */
        return OC_OK;
    for (oc_step *s = g->first; s; s = s->after)
        OC_TRY(oc_quantise_tables(t, s));
    OC_TRY(oc_quantise_move(t));
    oc_quantise_drop(t, before);
    return OC_OK;
}

OC_PASS(oc_plan_quantise)
{
    oc_quantiser t = {.p = p, .g = g, .scratch = oc_arena_new(&p->plan->memory)};
    if (!quantises_any(g))
        return OC_OK;
    t.names = oc_names_new(&p->plan->arena);
    oc_status status = make_lists(&t);
    if (status == OC_OK)
        status = rewrite(&t);
    oc_ahead_forget(g);
    oc_arena_free(&t.scratch);
    return status == OC_OK ? p->e->code : status; /* p->e has the error of a value that could not be
                                                   * computed */
}
