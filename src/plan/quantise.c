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

static oc_status rewrite(oc_quantiser *t)
{
    const size_t n = (size_t)t->g->n_slot;
    int *before = oc_arena_array(&t->scratch, n, sizeof *before);
    OC_TRY(oc_arena_check(&t->scratch, t->p->e));
    oc_plan_count_readers(t->g, t->readers);
    memcpy(before, t->readers, n * sizeof *before);
    note_makers(t);
    for (int i = 0; i < t->g->n_step && t->p->options->quantise; i++)
        OC_TRY(oc_quantise_product(t, &t->g->step[i]));
    if (t->p->options->fuse)
        oc_quantise_drop(t, before);
    return t->p->e->code; /* of a value that could not be looked at */
}

oc_status oc_plan_quantise(oc_planner *p, oc_graph_plan *g)
{
    oc_quantiser t = {.p = p, .g = g, .scratch = oc_arena_new(&p->plan->memory)};
    const size_t n = (size_t)g->n_slot;
    if (!quantises_any(g))
        return OC_OK;
    t.readers = oc_arena_array(&t.scratch, n, sizeof *t.readers);
    t.maker = oc_arena_array(&t.scratch, n, sizeof *t.maker);
    t.value = oc_arena_array(&t.scratch, n, sizeof *t.value);
    t.asked = oc_arena_array(&t.scratch, n, sizeof *t.asked);
    oc_status status = oc_arena_check(&t.scratch, p->e);
    if (status == OC_OK)
        status = rewrite(&t);
    for (size_t i = 0; i < n && t.value; i++)
        oc_value_unref(&t.value[i]);
    oc_arena_free(&t.scratch);
    return status;
}
