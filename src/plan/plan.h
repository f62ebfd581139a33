/* SPDX-License-Identifier: Apache-2.0
 * plan.h - a graph made ready to run: operators resolved, names turned into slots, lifetimes known.
 *
 * A plan belongs to one session and is run by one thread at a time, and no graph can contain
 * itself, so every plan, subgraphs' too, owns its slots: nothing is allocated to enter a loop body.
 */
#ifndef OC_PLAN_PLAN_H
#define OC_PLAN_PLAN_H

#include "graph/graph.h"
#include "ops/kit/call.h"

typedef struct oc_step {
    const oc_node *node;
    const char *label; /* "'cat_3'", or "of 'y'" for a node without a name */
    const oc_op *row;
    const oc_sig *sig;
    const oc_attr **attr;   /* one per attribute of sig */
    struct oc_plan **graph; /* likewise: the plan of a graph attribute, else NULL */
    const int *in, *out;    /* slots; -1: missing or unwanted */
    int n_in, n_out;
    int *release; /* slots that nobody reads after this step */
    int n_release;
    const oc_fusion *fusion;   /* runs this step together with make; NULL: it runs by itself */
    struct oc_step *make;      /* the step that makes an input of this one, fused into it */
    struct oc_step *use;       /* the step that this one is fused into: only its checks run here */
    const oc_value **in_value; /* what the call sees; rewritten before each run */
    oc_value **out_value;
} oc_step;

/* An inner slot that takes the value of a slot of the plan around it. */
typedef struct oc_capture {
    int outer, inner;
} oc_capture;

typedef struct oc_plan {
    const oc_graph *graph;
    struct oc_plan *outer; /* NULL: the main graph */
    int depth;
    oc_step *step;
    int n_step;
    oc_value *slot;
    oc_name *slot_name;
    bool *keep; /* slots that hold initializers: set once, never released */
    int n_slot;
    int *input, *output; /* slots of the graph's inputs and outputs */
    int n_input, n_output;
    oc_capture *capture;
    int n_capture;
    oc_name_map slots;
} oc_plan;

/* An initializer whose elements are copied before the first run, since they are not aligned. */
typedef struct oc_late {
    oc_value *to; /* has type and dims, and no data until then */
    const oc_value *from;
} oc_late;

typedef struct oc_planner {
    const oc_model *model;
    oc_arena *arena;
    const oc_op *host_ops;
    bool fuse;   /* may steps run as one? */
    int n_fused; /* steps of all plans that others run for them */
    oc_late *late;
    int n_late;
    oc_sig_cache sigs;
    oc_error *e;
} oc_planner;

oc_planner oc_planner_new(const oc_model *model, oc_arena *arena, const oc_op *host_ops,
                          oc_error *e);

/* The value of an initializer, in *to: borrowed, or late. */
oc_status oc_plan_initializer(oc_planner *p, const oc_value *from, oc_value *to);

/* Pairs steps of one graph that can run as one and whose value between nobody else looks at. */
oc_status oc_plan_fuse(oc_planner *p, oc_plan *plan);

/* Makes the plan of p->model's main graph and of all graphs within. When operators are missing, the
 * one error lists them all. */
oc_status oc_plan_new(oc_planner *p, oc_plan **plan);

/* Runs the shape rules of the main graph as far as shapes are known without inputs, so that a model
 * that cannot work is refused now. Small values that depend on constants alone are computed, since
 * other shapes depend on them; s supplies the memory. */
oc_status oc_plan_check_shapes(const oc_plan *plan, oc_services *s, oc_arena *arena);

#endif
