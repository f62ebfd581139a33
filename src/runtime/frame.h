/* SPDX-License-Identifier: Apache-2.0
 * frame.h - the values of one graph of a plan while a session runs it.
 *
 * No graph contains itself, so a session needs one frame for each graph of its plan, and entering a
 * loop body allocates nothing. */
#ifndef OC_RUNTIME_FRAME_H
#define OC_RUNTIME_FRAME_H

#include "plan/plan.h"

typedef struct oc_frame {
    const oc_graph_plan *graph;
    struct oc_frame *outer; /* of the graph around; NULL: this is the main graph's */
    oc_value *slot;
    oc_planned **seen;   /* of each step: what its last call saw; NULL: nothing yet */
    const oc_value **in; /* of the step at hand */
    oc_value **out;
    /* For the calls of a group, their addresses and operands; all frames share them. */
    oc_call *group_call;
    oc_call **group;
    const oc_value **group_in;
    oc_value **group_out;
} oc_frame;

/* A frame for each graph of the plan, by id, with empty slots. */
oc_status oc_frames_new(const oc_plan *plan, oc_arena *arena, oc_frame **frames, oc_error *e);

/* Before a run: makes room for what calls see, once, so that a session that never runs has none.
 * Without memory nothing is kept. */
void oc_frames_keep(const oc_plan *plan, oc_arena *kept, oc_frame *frames);

/* The value at a place of the frame's graph; NULL for OC_NOWHERE. */
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

#endif
