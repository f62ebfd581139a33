/* SPDX-License-Identifier: Apache-2.0
 * planner.h - the steps that make a plan, for the files of this folder alone. */
#ifndef OC_PLAN_PLANNER_H
#define OC_PLAN_PLANNER_H

#include "plan/plan.h"

typedef struct oc_planner {
    oc_plan *plan;
    const oc_plan_options *options;
    oc_sig_cache sigs;
    oc_services services; /* for what is computed while the plan is made; memory is plan's */
    oc_error *e;
} oc_planner;

/* missing.c: refuses a model with operators that nothing serves; the one message lists them all. */
oc_status oc_plan_check_missing(const oc_planner *p);

/* places.c: the place of a name in a graph or one around it, OC_NOWHERE when there is none. A slot
 * of a graph around is captured. */
int oc_plan_find_place(oc_planner *p, oc_graph_plan *g, oc_name name);
/* A new slot for a value; OC_NOWHERE when memory runs out. */
int oc_plan_add_slot(oc_planner *p, oc_graph_plan *g, oc_name name);
/* Gives inputs their slots and initializers their places. */
oc_status oc_plan_add_ports(oc_planner *p, oc_graph_plan *g);

/* steps.c: plans a graph and the graphs within. outer NULL: the main graph. */
oc_status oc_plan_add_graph(oc_planner *p, const oc_graph *graph, oc_graph_plan *outer,
                            oc_graph_plan **out);

/* fuse.c: pairs steps of one graph that can run as one and whose value between nobody else reads.
 */
oc_status oc_plan_fuse(oc_planner *p, oc_graph_plan *g);

/* lifetimes.c: finds the slots that each step releases, and lets values use slots again. Until then
 * each value of a graph has a slot of its own. */
oc_status oc_plan_set_lifetimes(oc_planner *p);

/* shapes.c: runs the shape rules of the main graph as far as shapes are known without inputs, and
 * computes small values that depend on constants alone, since other shapes may depend on them. */
oc_status oc_plan_check_shapes(oc_planner *p);

/* prepare.c: lets the step's operator prepare what depends on constants alone. in: one value per
 * input of the step; NULL, or without data: not known. */
oc_status oc_plan_prepare_step(oc_planner *p, oc_step *s, const oc_value *const *in);
/* The same for the steps of graphs within, of which only the plan's constants are known. */
oc_status oc_plan_prepare_inner(oc_planner *p);

#endif
