/* SPDX-License-Identifier: Apache-2.0
 * frame.c - the values of one graph of a plan while a session runs it. */
#include "runtime/frame.h"

/* No step of a group runs a graph, so only one group runs at a time, and all frames share the
 * memory for its calls. */
static oc_status share_calls(const oc_plan *plan, oc_arena *arena, oc_frame *list, oc_error *e)
{
    oc_group most = {0};
    for (int i = 0; i < plan->n_graph; i++)
        for (int k = 0; k < plan->graph[i]->n_step; k++) {
            const oc_group *g = plan->graph[i]->step[k]->group;
            if (!g)
                continue;
            most.n = oc_max(g->n, most.n);
            most.n_in = oc_max(g->n_in, most.n_in);
            most.n_out = oc_max(g->n_out, most.n_out);
        }
    oc_call *call = oc_arena_array(arena, (size_t)most.n, sizeof *call);
    oc_call **group = oc_arena_array(arena, (size_t)most.n, sizeof *group);
    const oc_value **in = oc_arena_array(arena, (size_t)most.n_in, sizeof *in);
    oc_value **out = oc_arena_array(arena, (size_t)most.n_out, sizeof *out);
    for (int i = 0; i < plan->n_graph; i++) {
        list[i].group_call = call;
        list[i].group = group;
        list[i].group_in = in;
        list[i].group_out = out;
    }
    return oc_arena_check(arena, e);
}

oc_status oc_frames_new(const oc_plan *plan, oc_arena *arena, oc_frame **frames, oc_error *e)
{
    oc_frame *list = oc_arena_array(arena, (size_t)plan->n_graph, sizeof *list);
    OC_TRY(oc_arena_check(arena, e));
    for (int i = 0; i < plan->n_graph; i++) {
        const oc_graph_plan *g = plan->graph[i];
        oc_frame *f = &list[i];
        f->graph = g;
        f->outer = g->outer ? &list[g->outer->id] : NULL;
        f->slot = oc_arena_array(arena, (size_t)g->n_slot, sizeof *f->slot);
        f->in = oc_arena_array(arena, (size_t)g->max_in, sizeof *f->in);
        f->out = oc_arena_array(arena, (size_t)g->max_out, sizeof *f->out);
        OC_TRY(oc_arena_check(arena, e));
    }
    *frames = list;
    return share_calls(plan, arena, list, e);
}

void oc_frames_keep(const oc_plan *plan, oc_arena *kept, oc_frame *frames)
{
    for (int i = 0; i < plan->n_graph && !frames[i].seen; i++)
        frames[i].seen = oc_arena_array(kept, (size_t)plan->graph[i]->n_step, sizeof(oc_planned *));
}

void oc_frame_clear(oc_frame *f)
{
    for (int i = 0; i < f->graph->n_slot; i++)
        oc_value_unref(&f->slot[i]);
}
