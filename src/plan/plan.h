/* SPDX-License-Identifier: Apache-2.0
 * plan.h - a model made ready to run: operators resolved, names turned into places, lifetimes
 * known.
 *
 * A plan holds what a model and the options of a session decide. Nothing in it changes once
 * oc_plan_new has returned, so sessions on any number of threads run one plan without a lock. What
 * a run changes is in the frames of a session (runtime/frame.h).
 *
 * The place of a value is an int: a slot in the frame of its graph, a constant of the plan, or
 * OC_NOWHERE. */
#ifndef OC_PLAN_PLAN_H
#define OC_PLAN_PLAN_H

#include "graph/graph.h"
#include "ops/kit/call.h"

enum { OC_NOWHERE = -1 }; /* a missing input, an output that nobody wants */

static inline bool oc_place_is_slot(int place)
{
    return place >= 0;
}

static inline bool oc_place_is_constant(int place)
{
    return place < OC_NOWHERE;
}

/* Constant i of the plan as a place, and back. */
static inline int oc_place_of_constant(int i)
{
    return OC_NOWHERE - 1 - i;
}

static inline int oc_constant_at(int place)
{
    return OC_NOWHERE - 1 - place;
}

/* One node. */
typedef struct oc_step {
    const oc_node *node;
    const char *label;     /* for messages: "node 'cat_3' (Concat-13)" */
    const char *seed_name; /* oc_call.seed_name */
    const oc_op *row;
    const oc_sig *sig;
    const oc_attr **attr;         /* one per attribute of sig */
    struct oc_graph_plan **graph; /* likewise: the plan of a graph attribute, else NULL */
    int *in, *out;                /* places */
    int n_in, n_out;
    int *release; /* slots that nobody reads after this step */
    int n_release;
    const void *prepared;     /* what row->prepare made; NULL: nothing */
    const oc_fusion *fusion;  /* runs this step together with producer; NULL: it runs by itself */
    struct oc_step *producer; /* the step that makes an input of this one, fused into it */
    struct oc_step *consumer; /* the step that this one is fused into: only its checks run here */
} oc_step;

/* A slot that takes the value of a slot in the frame of the graph around it. */
typedef struct oc_capture {
    int outer, inner;
} oc_capture;

/* One graph: the model's main graph, or one within a node's attribute. */
typedef struct oc_graph_plan {
    const oc_graph *graph;
    struct oc_graph_plan *outer; /* NULL: this is the main graph */
    int id;                      /* its index in oc_plan.graph */
    int depth;                   /* graphs around this one */
    oc_step *step;
    int n_step;
    int n_slot;
    int *input, *output; /* places of the graph's inputs, which are slots, and outputs */
    int n_input, n_output;
    oc_capture *capture;
    int n_capture;
    int max_in, max_out;  /* the most inputs and outputs that a step has */
    oc_name_map place_of; /* of names, while the plan is made */
} oc_graph_plan;

typedef struct oc_plan {
    oc_memory memory; /* all that the plan keeps */
    oc_arena arena;
    const oc_model *model; /* the one planned */
    oc_model *expanded;    /* the same, if the plan owns it; NULL: it is the host's */
    oc_graph_plan **graph; /* the main graph first */
    int n_graph;
    oc_value *constant; /* borrowed from the model, or from the arena where it was not aligned */
    int n_constant;
    int *fallback; /* per input of the main graph: the place of its default value, or OC_NOWHERE */
    int n_fused;   /* steps of all graphs that run as part of another */
    int n_unaligned; /* constants that were copied for their alignment */
} oc_plan;

/* What a plan depends on besides its model. */
typedef struct oc_plan_options {
    const oc_op *host_ops; /* operators of the host's own; NULL: none */
    const char *operators; /* options of operators (ops/kit/options.h); NULL: none */
    bool fuse;             /* may steps run as one? */
    size_t memory_cap;     /* of the plan; 0: none */
} oc_plan_options;

/* Makes the plan of a model's main graph and of all graphs within; the model must live as long.
 * Shape rules run as far as shapes are known without inputs, so that a model that cannot work is
 * refused now. Where operators are missing, the one error lists them all. services: who computes
 * what depends on constants alone; only its threads, processor and limits are used. */
oc_status oc_plan_new(const oc_model *model, const oc_plan_options *options,
                      const oc_services *services, oc_plan **plan, oc_error *e);
void oc_plan_free(oc_plan *plan); /* frees plan->expanded too; NULL is allowed */

/* What operators ask of the graphs within their node, as oc_services has it. */
void oc_plan_graph_ports(const oc_call *c, int attr, int *n_in, int *n_out);
void oc_plan_graph_out(const oc_call *c, int attr, int i, oc_value *declared);
void oc_plan_attr_type(const oc_attr *attr, oc_value *declared);

#endif
