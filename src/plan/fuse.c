/* SPDX-License-Identifier: Apache-2.0
 * fuse.c - finds pairs of steps that can run as one: the rows are in ops/kit/fusion.h. */
#include "plan/plan.h"

/* How many look at each slot: inputs of steps, captures of graphs within, graph outputs. */
static void count_readers(const oc_plan *plan, int *readers)
{
    for (int s = 0; s < plan->n_step; s++) {
        const oc_step *step = &plan->step[s];
        for (int i = 0; i < step->n_in; i++)
            if (step->in[i] >= 0)
                readers[step->in[i]]++;
        for (int a = 0; a < step->sig->n_attr; a++)
            for (int k = 0; step->graph[a] && k < step->graph[a]->n_capture; k++)
                readers[step->graph[a]->capture[k].outer]++;
    }
    for (int i = 0; i < plan->n_output; i++)
        readers[plan->output[i]]++;
}

/* Fuses step with the one that makes its input i, if it may; tells whether it did. A step that
 * already takes part in a fusion is left alone. */
static bool fuse_input(oc_step *step, int i, oc_step *const *maker, const int *readers)
{
    const int slot = step->in[i];
    oc_step *make = slot < 0 || readers[slot] != 1 ? NULL : maker[slot];
    if (!make || make->n_out != 1 || make->fusion || step->fusion)
        return false;
    step->fusion = oc_fusion_find(make->row, step->row, i);
    if (!step->fusion)
        return false;
    step->make = make;
    make->use = step;
    return true;
}

oc_status oc_plan_fuse(oc_planner *p, oc_plan *plan)
{
    int *readers = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *readers);
    oc_step **maker = oc_arena_array(p->arena, (size_t)plan->n_slot, sizeof *maker);
    OC_TRY(oc_arena_check(p->arena, p->e));
    count_readers(plan, readers);
    for (int s = 0; s < plan->n_step; s++) {
        oc_step *step = &plan->step[s];
        for (int i = 0; i < step->n_in; i++)
            p->n_fused += fuse_input(step, i, maker, readers);
        for (int i = 0; i < step->n_out; i++)
            if (step->out[i] >= 0)
                maker[step->out[i]] = step;
    }
    return OC_OK;
}
