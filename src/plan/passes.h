/* SPDX-License-Identifier: Apache-2.0
 * passes.h - the passes that make a plan of steps; make_plan.c lists them in their order. */
#pragma once

#include "plan/planner.h"

/* ---- over graphs */

typedef struct oc_pass {
    const char *name;
    /* Of each graph, the main graph first; or of the main graph alone, where the pass goes into the
     * graphs within itself. */
    oc_status (*run)(oc_planner *p, oc_graph_plan *g);
    bool whole;
    bool examines; /* runs for a listener too, who wants to know what is wrong with a model */
    bool (*is_wanted)(const oc_plan_options *o); /* NULL: always */
    const char *then;                            /* what holds after the pass */
} oc_pass;

extern const oc_pass oc_passes[]; /* ends with one that has no name */

/* step_types.c */
oc_status oc_plan_types(oc_planner *p, oc_graph_plan *main_graph);
/* quantise/ */
oc_status oc_plan_quantise(oc_planner *p, oc_graph_plan *g);
/* groups.c */
oc_status oc_plan_groups(oc_planner *p, oc_graph_plan *g);
/* walk_steps.c */
oc_status oc_plan_walk(oc_planner *p, oc_graph_plan *main_graph);
/* guess.c */
oc_status oc_plan_guess(oc_planner *p, oc_graph_plan *g);
/* layouts.c */
oc_status oc_plan_layouts(oc_planner *p, oc_graph_plan *g);
/* constants.c */
oc_status oc_plan_place_constants(oc_planner *p, oc_graph_plan *g);
/* value_places.c */
oc_status oc_plan_align_constants(oc_planner *p, oc_graph_plan *g);
/* lifetimes.c */
oc_status oc_plan_lifetimes(oc_planner *p, oc_graph_plan *g);

/* ---- over the steps of a graph, while it is walked */

/* The walk of a graph, at one step. */
typedef struct oc_walk {
    oc_planner *p;
    oc_graph_plan *g;
    const oc_value **in; /* what is known of the step's inputs; rank -1: nothing */
    oc_value **out;      /* and of its outputs */
    bool has_shapes;     /* the step's shape rule can run */
    bool has_values;     /* all elements of its inputs are known */
    bool has_run;        /* the shape rule has: `call` is the step's */
    oc_call call;
} oc_walk;

typedef struct oc_step_pass {
    const char *name;
    oc_status (*run)(oc_walk *w, oc_step *s);
} oc_step_pass;

extern const oc_step_pass oc_step_passes[]; /* ends with one that has no name */

/* pads.c */
oc_status oc_plan_take_pads(oc_walk *w, oc_step *s);
/* walk_steps.c */
oc_status oc_plan_find_inputs(oc_walk *w, oc_step *s);
/* prepare.c */
oc_status oc_plan_prepare(oc_walk *w, oc_step *s);
/* shapes.c */
oc_status oc_plan_infer_shapes(oc_walk *w, oc_step *s);
oc_status oc_plan_compare_dims(oc_walk *w, oc_step *s);
/* constants.c */
oc_status oc_plan_compute(oc_walk *w, oc_step *s);

/* What is known of a place; NULL: no value is there. */
const oc_value *oc_walk_known(const oc_walk *w, int place);
/* May an input's value have other dims than the declared ones? A default value may. */
bool oc_plan_may_differ(const oc_plan *plan, const oc_graph_plan *g, int input);
/* Does only a prepare function read what the step makes? A session that looks at all values reads
 * it too; its plan fuses nothing. */
bool oc_walk_is_weight(const oc_walk *w, const oc_step *s);
/* constants.c: the one result of a step is read no more, but for its dims: its elements are freed,
 * unless they are what the step that read them has prepared. */
oc_status oc_plan_forget_weight(oc_walk *w, oc_step *s, const void *prepared);
/* fold_room of a plan that holds no result yet. Results together are no larger than the constants,
 * or 1 MiB. */
size_t oc_plan_fold_room(const oc_planner *p);
