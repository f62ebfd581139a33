/* SPDX-License-Identifier: Apache-2.0
 * planner.h - what makes a plan, for the files of this folder. */
#pragma once

#include "plan/expression.h"
#include "plan/plan.h"

enum { OC_PREPARED_LISTS = 1024, OC_FOUND = 64 };

typedef struct oc_planner {
    oc_plan *plan;
    const oc_session_options *options;
    const oc_port *inputs; /* what the main graph's inputs are taken for; NULL: as declared */
    const oc_pass_listener *passes; /* NULL: nobody wants to hear of them */
    oc_sig_cache sigs;
    /* For steps that are computed while the plan is made, in the plan's memory. What lies in
     * services.strings is freed when the plan is made. */
    oc_services services;
    size_t fold_room; /* bytes that results of computed steps may still take */
    struct oc_prepared *prepared[OC_PREPARED_LISTS]; /* what steps have prepared and others may
                                                      * share (prepare.c) */
    /* For each hash of an operator's name, the last step that was built (steps.c). */
    const oc_step *found[OC_FOUND];
    const oc_listener *listener; /* NULL: the first error ends the plan */
    oc_expressions *expressions; /* of what dims depend on (symbols.c); NULL: nobody asks */
    oc_error *e;
} oc_planner;

/* Returns status, or tells the listener what is wrong and returns OK. */
static inline oc_status oc_plan_fault(const oc_planner *p, oc_status status)
{
    return p->listener ? oc_listener_hear(p->listener, status, p->e) : status;
}

/* ---- before the passes */

/* missing.c: refuses a model with operators that no version serves; a message lists as many as fit.
 */
oc_status oc_plan_check_missing(const oc_planner *p);
/* Fails with OC_UNSUPPORTED if an input of the model is a map. */
oc_status oc_plan_check_inputs(const oc_planner *p);
/* steps.c: turns the nodes of the model's graphs into steps. */
oc_status oc_plan_build(oc_planner *p);

/* ---- for passes */

/* Finds the place of a name in a graph or in one around it; OC_NOWHERE if there is none. A slot of
 * a graph around g is captured (value_places.c). */
int oc_plan_find_place(oc_planner *p, oc_graph_plan *g, oc_name name);
/* Gives the graph's inputs slots, and its initializers places. */
oc_status oc_plan_add_ports(oc_planner *p, oc_graph_plan *g);
/* Adds a constant that borrows elements of the model or of the plan. */
oc_status oc_plan_add_constant(oc_planner *p, const oc_value *v, int *place);
/* Replaces the elements of *v by an aligned copy. The characters of strings are not copied. */
oc_status oc_plan_copy_aligned(oc_planner *p, oc_arena *arena, oc_value *v);
/* If the place is a constant whose elements are not aligned, gives it an aligned copy of them. */
oc_status oc_plan_align(oc_planner *p, int place);

/* Fills a step whose node and version are set, except for the places and types of its outputs
 * (steps.c). */
oc_status oc_plan_build_step(oc_planner *p, oc_graph_plan *g, oc_step *s);
/* Fills the step and finds the types of its outputs. */
oc_status oc_plan_make_step(oc_planner *p, oc_graph_plan *g, oc_step *s);
/* Does the step read sizes or places from elements that another thread or, in a mapped file,
 * another process may change while it runs? Small constants are copies, which do not change. */
bool oc_plan_wants_snapshot(const oc_plan *plan, const oc_step *s);

/* step_types.c: finds the types of a step's outputs. */
oc_status oc_plan_type_step(oc_planner *p, oc_graph_plan *g, oc_step *s);
/* Adds a remark to the plan. */
oc_status oc_plan_remark(oc_planner *p, const char *text);
