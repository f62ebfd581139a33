/* SPDX-License-Identifier: Apache-2.0
 * fuse.c - finds pairs of steps that can run as one: the rows are in ops/kit/fusion.h. */
#include "plan/planner.h"

static void count_reader(int place, int *readers)
{
    if (oc_place_is_slot(place))
        readers[place]++;
}

void oc_plan_count_readers(const oc_graph_plan *g, int *readers)
{
    for (int s = 0; s < g->n_step; s++) {
        const oc_step *step = &g->step[s];
        for (int i = 0; i < step->n_in; i++)
            count_reader(step->in[i], readers);
        for (int a = 0; a < step->sig->n_attr; a++)
            for (int k = 0; step->graph[a] && k < step->graph[a]->n_capture; k++)
                count_reader(step->graph[a]->capture[k].outer, readers);
    }
    for (int i = 0; i < g->n_output; i++)
        count_reader(g->output[i], readers);
}

/* Fuses step with the step that makes its input i, if a fusion allows it; returns whether it did. A
 * step that already takes part in a fusion is left alone. */
static bool fuse_input(oc_step *step, int i, oc_step *const *maker, const int *readers)
{
    const int place = step->in[i];
    oc_step *producer = oc_place_is_slot(place) && readers[place] == 1 ? maker[place] : NULL;
    if (!producer || producer->n_out != 1 || producer->fusion || step->fusion)
        return false;
    step->fusion = oc_fusion_find(producer->op, step->op, i);
    if (!step->fusion)
        return false;
    step->producer = producer;
    producer->consumer = step;
    return true;
}

static int fuse_steps(oc_graph_plan *g, oc_step **maker, const int *readers)
{
    int n_fused = 0;
    for (int s = 0; s < g->n_step; s++) {
        oc_step *step = &g->step[s];
        for (int i = 0; i < step->n_in; i++)
            n_fused += fuse_input(step, i, maker, readers);
        for (int i = 0; i < step->n_out; i++)
            if (oc_place_is_slot(step->out[i]))
                maker[step->out[i]] = step;
    }
    return n_fused;
}

oc_status oc_plan_fuse(oc_planner *p, oc_graph_plan *g)
{
    oc_arena scratch = oc_arena_new(&p->plan->memory);
    int *readers = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *readers);
    oc_step **maker = oc_arena_array(&scratch, (size_t)g->n_slot, sizeof *maker);
    const oc_status status = oc_arena_check(&scratch, p->e);
    if (status == OC_OK) {
        oc_plan_count_readers(g, readers);
        p->plan->n_fused += fuse_steps(g, maker, readers);
    }
    oc_arena_free(&scratch);
    return status;
}
