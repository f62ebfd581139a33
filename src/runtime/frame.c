/* SPDX-License-Identifier: Apache-2.0
 * frame.c - the values of one graph of a plan while a session runs it. */
#include "runtime/frame.h"

oc_status oc_frames_new(const oc_plan *plan, oc_arena *arena, oc_run_frame **frames, oc_error *e)
{
    oc_run_frame *list = oc_arena_array(arena, (size_t)plan->n_graph, sizeof *list);
    OC_TRY(oc_arena_check(arena, e));
    for (int i = 0; i < plan->n_graph; i++) {
        const oc_graph_plan *g = plan->graph[i];
        oc_run_frame *f = &list[i];
        f->graph = g;
        f->outer = g->outer ? &list[g->outer->id] : NULL;
        f->slot = oc_arena_array(arena, (size_t)g->n_slot, sizeof *f->slot);
        f->in = oc_arena_array(arena, 2 * (size_t)g->max_in, sizeof *f->in);
        f->out = oc_arena_array(arena, 2 * (size_t)g->max_out, sizeof *f->out);
        OC_TRY(oc_arena_check(arena, e));
    }
    *frames = list;
    return OC_OK;
}

void oc_frame_clear(oc_run_frame *f)
{
    for (int i = 0; i < f->graph->n_slot; i++)
        oc_value_unref(&f->slot[i]);
}
