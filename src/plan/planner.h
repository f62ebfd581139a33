/* SPDX-License-Identifier: Apache-2.0
 * planner.h - the steps that make a plan, for the files of this folder alone. */
#ifndef OC_PLAN_PLANNER_H
#define OC_PLAN_PLANNER_H

#include "plan/plan.h"

enum { OC_PREPARED_LISTS = 1024 };

typedef struct oc_planner {
    oc_plan *plan;
    const oc_plan_options *options;
    oc_sig_cache sigs;
    oc_services services; /* for values that are computed with the plan, in its memory */
    size_t fold_room;     /* bytes that results of oc_plan_fold may still take */
    struct oc_prepared *prepared[OC_PREPARED_LISTS]; /* prepare.c: what steps may share */
    const oc_listener *listener;                     /* NULL: the first error ends the plan */
    oc_error *e;
} oc_planner;

/* Returns status, or tells the listener what is wrong and returns OK. */
static inline oc_status oc_plan_fault(const oc_planner *p, oc_status status)
{
    return p->listener ? oc_listener_hear(p->listener, status, p->e) : status;
}

/* missing.c: refuses a model with operators that no version serves; a message lists as many as fit.
 */
oc_status oc_plan_check_missing(const oc_planner *p);
/* Fails with OC_UNSUPPORTED if an input of the model is a map. */
oc_status oc_plan_check_inputs(const oc_planner *p);

/* value_places.c: the place of a name in a graph or in one around it; OC_NOWHERE if there is none.
 * A slot of a graph around g is captured. */
int oc_plan_find_place(oc_planner *p, oc_graph_plan *g, oc_name name);
/* Adds a slot for a value and returns its place; OC_NOWHERE if memory runs out. */
int oc_plan_add_slot(oc_graph_plan *g, oc_name name);
/* Gives the graph's inputs slots, and its initializers places. */
oc_status oc_plan_add_ports(oc_planner *p, oc_graph_plan *g);
/* Adds a constant that borrows elements of the model or of the plan. */
oc_status oc_plan_add_constant(oc_planner *p, const oc_value *v, int *place);
/* Replaces the elements of *v by an aligned copy. The characters of strings are not copied. */
oc_status oc_plan_copy_aligned(oc_planner *p, oc_arena *arena, oc_value *v);
/* Gives the constant of a place, if it is one, aligned elements: a copy if the model's are not. */
oc_status oc_plan_align(oc_planner *p, int place);
/* As above, for all constants that are read when the model runs. */
oc_status oc_plan_align_all(oc_planner *p);

/* steps.c: plans a graph and the graphs within it. outer is NULL for the main graph. */
oc_status oc_plan_add_graph(oc_planner *p, const oc_graph *graph, oc_graph_plan *outer,
                            oc_graph_plan **out);
/* Does the step read sizes or places from elements that a host's thread, or another process by a
 * mapped file, may change while it runs? Small constants are the model's copies: they stay. */
bool oc_plan_wants_snapshot(const oc_plan *plan, const oc_step *s);

/* step_types.c: finds the types of the graph's inputs and initializers; then of a step's outputs;
 * then compares those of the graph's outputs. A declared type that contradicts is an error. */
oc_status oc_plan_type_ports(oc_planner *p, oc_graph_plan *g);
oc_status oc_plan_type_step(oc_planner *p, oc_graph_plan *g, oc_step *s);
oc_status oc_plan_type_outputs(oc_planner *p, oc_graph_plan *g);
/* Adds a remark to the plan. */
oc_status oc_plan_remark(oc_planner *p, const char *text);

/* Fills a step whose node and version are set: resolves all but the places of its outputs, which
 * the caller sets. */
oc_status oc_plan_step(oc_planner *p, oc_graph_plan *g, oc_step *s);

/* quantise.c: steps between DequantizeLinear and QuantizeLinear compute on the codes; what nobody
 * reads any more is gone if steps may run as one. */
oc_status oc_plan_quantise(oc_planner *p, oc_graph_plan *g);

/* groups.c: finds steps of one graph that run as one; no other step reads the values between them.
 */
oc_status oc_plan_find_groups(oc_planner *p, oc_graph_plan *g);
/* Counts the readers of each slot: inputs of steps, captures of graphs in them, graph outputs. */
void oc_plan_count_readers(const oc_graph_plan *g, int *readers);

/* layouts.c: chooses which steps of a graph run in NCHW16c, and puts steps between that convert.
 * of: what each step takes; known: type and dims of each slot, rank -1 where they are not. */
oc_status oc_plan_lay_out(oc_planner *p, oc_graph_plan *g, const oc_layouts *of,
                          const oc_value *known);

/* lifetimes.c: finds the slots that each step releases, and lets values share slots. Until then
 * each value of a graph has a slot of its own. */
oc_status oc_plan_set_lifetimes(oc_planner *p);

/* shapes.c: runs the shape rules of all graphs as far as shapes are known without inputs; other
 * shapes may depend on values that fold.c computes meanwhile. A fault within a node is none: that
 * graph may never run. */
oc_status oc_plan_check_shapes(oc_planner *p);
/* fold.c: fold_room of a plan that holds no result yet. Results together are no larger than the
 * constants, or 1 MiB. */
size_t oc_plan_fold_room(const oc_planner *p);
/* Runs a step whose inputs are all known, after its shape rule; c is its call. Where there is room,
 * step->folded keeps the results; the plan takes no more than half of its memory cap for them.
 * Results that are not computed have no data. for_prepare: only the prepare function of another
 * step reads the result, so it may be large and is not kept. */
oc_status oc_plan_fold(oc_planner *p, oc_step *s, oc_call *c, bool for_prepare);
/* Gives the results of folded steps places among the constants; all graphs read them there. */
oc_status oc_plan_place_folded(oc_planner *p);
/* The one result of a step is read no more, but for its dims: v becomes those. Its elements are
 * freed, unless they are what the step that read it has prepared. */
oc_status oc_plan_forget_weight(oc_planner *p, oc_step *s, oc_value *v, const void *prepared);

/* pads.c: makes step s put the zeros around its input 0 itself that `maker` puts there for it
 * alone. *taken: whether it can. in: what is known of the maker's inputs; input 0 is set. rank:
 * the rank of these. Then nobody reads what the maker makes, it does not run, and an observer is
 * shown a value that is not stored. made: type and dims of that value; NULL: they are not known. */
oc_status oc_plan_take_pads(oc_planner *p, oc_step *s, oc_step *maker, const oc_value **in,
                            int rank, const oc_value *made, bool *taken);

/* prepare.c: lets the step's operator prepare what depends on constants alone. in has one value for
 * each input of the step: NULL for a missing one, a value without data for one not known. last: bit
 * i is set where nobody reads input i later. */
oc_status oc_plan_prepare_step(oc_planner *p, oc_step *s, const oc_value *const *in, uint32_t last);

#endif
