/* SPDX-License-Identifier: Apache-2.0
 * frame.h - the values of one graph of a plan while a session runs it.
 *
 * No graph contains itself, so a session needs one frame for each graph of its plan, and entering a
 * loop body allocates nothing. */
#pragma once

#include "plan/plan.h"

typedef struct oc_frame {
    const oc_graph_plan *graph;
    struct oc_frame *outer; /* frame of the graph around this one; NULL for the main graph */
    oc_value *slot;
    oc_planned **seen;   /* for each step, what its last call saw; NULL: nothing yet */
    const oc_value **in; /* operands of the step that runs */
    oc_value **out;
    /* Room for the calls of one group, with their addresses and operands; all frames share it. */
    oc_call *group_call;
    oc_call **group;
    const oc_value **group_in;
    oc_value **group_out;
} oc_frame;

/* Makes a frame with empty slots for each graph of the plan; the index is the graph's id. */
oc_status oc_frames_new(const oc_plan *plan, oc_arena *arena, oc_frame **frames, oc_error *e);

/* Called before a run. Makes room, once, for what calls see; a session that never runs has none.
 * When memory runs out, nothing is kept. */
void oc_frames_keep(const oc_plan *plan, oc_arena *kept, oc_frame *frames);

/* Returns the value at a place of the frame's graph; NULL for OC_NOWHERE. */
static inline const oc_value *oc_frame_at(const oc_plan *plan, const oc_frame *f, int place)
{
    return oc_place_is_slot(place)       ? &f->slot[place]
           : oc_place_is_constant(place) ? &plan->constant[oc_constant_at(place)]
                                         : NULL;
}

/* Where a step whose output has the place puts its value; NULL for OC_NOWHERE. A step that was
 * computed with the plan has put it there. */
static inline oc_value *oc_frame_out(const oc_plan *plan, const oc_frame *f, int place)
{
    return oc_place_is_slot(place)       ? &f->slot[place]
           : oc_place_is_constant(place) ? &plan->constant[oc_constant_at(place)]
                                         : NULL;
}

/* Releases the values of all slots. */
void oc_frame_clear(oc_frame *f);
