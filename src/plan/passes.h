/* SPDX-License-Identifier: Apache-2.0
 * passes.h - the passes that make a plan of steps; make_plan.c lists them in their order. */
#pragma once

#include "plan/planner.h"

/* ---- over graphs */

typedef oc_status oc_pass_fn(oc_planner *p, oc_graph_plan *g);

typedef struct oc_pass {
    const char *name;
    /* Takes each graph, the main graph first; or the main graph alone, if the pass goes into inner
     * graphs by itself. */
    oc_pass_fn *run;
    bool whole;
    bool examines; /* the pass also runs for a listener, who wants to know what is wrong with a
                    * model */
    bool (*is_wanted)(const oc_session_options *o); /* NULL: always */
    const char *then;                               /* what holds after the pass */
} oc_pass;

extern const oc_pass oc_passes[]; /* ends with one that has no name */

/* Begins the function of a pass, which make_plan.c alone names. */
#define OC_PASS(function)                                                                          \
    oc_pass_fn function;                                                                           \
    oc_status function(OC_UNUSED oc_planner *p, OC_UNUSED oc_graph_plan *g)

/* ---- over the steps of a graph, while it is walked */

/* The walk of a graph, at one step. */
typedef struct oc_walk {
    oc_planner *p;
    oc_graph_plan *g;
    const oc_value **in; /* what is known of the step's inputs; rank -1: nothing */
    oc_value **out;      /* what is known of the step's outputs */
    bool has_shapes;     /* the step's shape rule can run */
    bool has_values;     /* all elements of its inputs are known */
    bool has_run;        /* the shape rule has run: `call` is the step's call */
    bool is_found; /* symbols have told all elements of the outputs, which the plan may keep */
    oc_call call;
} oc_walk;

typedef oc_status oc_step_pass_fn(oc_walk *w, oc_step *s);

typedef struct oc_step_pass {
    const char *name;
    oc_step_pass_fn *run;
} oc_step_pass;

extern const oc_step_pass oc_step_passes[]; /* ends with one that has no name */

/* Begins the function of a pass over steps. */
#define OC_STEP_PASS(function)                                                                     \
    oc_step_pass_fn function;                                                                      \
    oc_status function(oc_walk *w, oc_step *s)

/* symbols.c: notes what is known of an input where its dims are not all numbers: those of `given`,
 * or NULL, those declared. A run may give dims of one name different sizes, so only a listener
 * hears of names. */
void oc_plan_declare_symbols(oc_planner *p, struct oc_slot *slot, const oc_type_info *t,
                             const oc_port *given);
/* The pass "inputs", which others call for steps that they look at. */
oc_step_pass_fn oc_plan_find_inputs;
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
