/* SPDX-License-Identifier: Apache-2.0
 * plan.h - a model made ready to run: operators resolved, names turned into places, lifetimes
 * known.
 *
 * A plan depends only on a model and the options of a session. It does not change after oc_plan_new
 * has returned, so sessions on any number of threads run one plan without a lock. What a run
 * changes is in the frames of a session (runtime/frame.h).
 *
 * The place of a value is an int: a slot in the frame of its graph, a constant of the plan, or
 * OC_NOWHERE. */
#pragma once

#include "graph/declarations.h"
#include "ops/kit/call.h"
#include "ops/kit/layout.h"
#include "types/known.h"

enum { OC_NOWHERE = -1 }; /* the place of an operand that the node leaves out */

static inline bool oc_place_is_slot(int place)
{
    return place >= 0;
}

static inline bool oc_place_is_constant(int place)
{
    return place < OC_NOWHERE;
}

/* The place of constant i of the plan, and the constant of a place. */
static inline int oc_place_of_constant(int i)
{
    return OC_NOWHERE - 1 - i;
}

static inline int oc_constant_at(int place)
{
    return OC_NOWHERE - 1 - place;
}

/* What the model declares an output of a step to be. */
typedef struct oc_declared {
    const oc_value_info *info; /* NULL: nothing */
    bool told;                 /* a remark of the plan says that its dims differ from the declared
                                * ones */
} oc_declared;

/* One node, or a step that a pass has put in. */
typedef struct oc_step {
    oc_operator op; /* first: a call leads from its operator to the step */
    const oc_node *node;
    struct oc_graph_plan **graph; /* for each attribute the plan of its graph, or NULL */
    int *in, *out;                /* places */
    oc_declared *declared;        /* for each output, what the model declares it to be */
    int *release;                 /* slots whose values no later step reads: they are released */
    int n_release;
    bool consumed;              /* the run reads no elements of inputs from which op.prepared was
                                 * made */
    bool computed;              /* the plan holds the outputs as constants: the step does not run */
    struct oc_group *group;     /* set in the last step of a group: the steps that it runs as one */
    const struct oc_step *last; /* the last step of the group that this one is in: only its checks
                                 * run here */
    int id;                     /* its number in oc_graph_plan.step */
    /* While the plan is made (plan/edit.h): neighbours in the order of steps, and the layouts that
     * the step can run in; all 0 where its dims are not known. */
    struct oc_step *before, *after;
    oc_layouts layouts;
} oc_step;

/* Steps that run as one (ops/kit/stages.h). */
typedef struct oc_group {
    oc_step **step;     /* in order */
    int n, n_in, n_out; /* number of steps, and of all their inputs and outputs */
    const char *name;   /* "Conv+Relu" */
    /* The steps before the last depend on dims alone: they are checked when the last step runs, and
     * are not steps of the run. */
    bool gathers;
} oc_group;

/* NULL: the version has none. */
static inline const oc_traits *oc_step_traits(const oc_step *s)
{
    return s->op.hosts ? NULL : s->op.version->context;
}

/* The call of a step with these operands; out may be NULL for prepare. */
static inline oc_call oc_step_call(const oc_step *s, const oc_value *const *in,
                                   oc_value *const *out, oc_services *services)
{
    return (oc_call){.op = &s->op, .in = in, .out = out, .services = services};
}

/* The step of a call that oc_step_call made. */
static inline const oc_step *oc_step_of(const oc_call *c)
{
    return (const oc_step *)c->op;
}

/* A slot of a graph that takes the value of a slot in the frame of the graph around it. */
typedef struct oc_capture {
    int outer, inner;
} oc_capture;

/* One graph: the model's main graph, or one within a node's attribute. */
typedef struct oc_graph_plan {
    const oc_graph *graph;
    struct oc_graph_plan *outer; /* NULL: this is the main graph */
    int id;                      /* its index in oc_plan.graph */
    int depth;                   /* number of graphs around this one */
    oc_step **step;              /* all steps, in order */
    int n_step;
    oc_step **run; /* the steps that run if nobody observes: those that are not computed ahead */
    int n_run;
    int n_slot;
    int *input, *output; /* places of the graph's inputs, which are slots, and of its outputs */
    int n_input, n_output;
    oc_capture *capture;
    int n_capture;
    int max_in, max_out; /* the most inputs and outputs of any step */
    /* While the plan is made (plan/edit.h): the steps as a list, and what is known of each slot. */
    oc_step *first, *end;
    struct oc_slot *slot;
    int slot_room; /* number of slots for which there is memory */
    /* Places by name, while the plan is made. */
    oc_name_map place_of;
    oc_type_table types;
    oc_declarations declared; /* declarations of outputs and inner values */
} oc_graph_plan;

typedef struct oc_plan {
    oc_memory memory; /* counts all memory of the plan */
    oc_arena arena;
    const oc_model *model; /* the model that the plan runs */
    oc_model *expanded;    /* that model if the plan owns it; NULL: it is the host's */
    oc_graph_plan **graph; /* the main graph first */
    int n_graph;
    /* Elements are the model's, or aligned copies; what only prepare functions read may be
     * unaligned. */
    oc_value *constant;
    int n_constant;
    int *fallback;       /* place of each main input's default value; OC_NOWHERE: none */
    int n_fused;         /* steps of all graphs that run as part of another step, or as codes */
    int n_unaligned;     /* constants that were copied because they were not aligned */
    int n_folded;        /* steps of all graphs whose results the plan holds */
    const char **remark; /* lines for the log of each session */
    int n_remark;
} oc_plan;

/* Is told of each pass when it has run: its name and what holds then. The first call has the name
 * "" and comes before any pass. */
typedef struct oc_pass_listener {
    void (*tell)(void *ctx, const char *name, const char *then, const oc_plan *plan);
    void *ctx;
} oc_pass_listener;

/* Hears of one thing that is wrong with a model, or what is known of one of its values. */
typedef struct oc_listener {
    void (*tell)(void *ctx, oc_status code, const char *text);
    /* A value of the main graph without elements; its type may be OC_UNDEFINED, its rank -1. dims
     * has a text for each axis, such as "n/8" for one that is -1, which lasts as long as the call;
     * NULL: none. NULL: never called. */
    void (*value)(void *ctx, oc_name name, const oc_value *known, const char *const *dims);
    void *ctx;
} oc_listener;

/* If the error is one of a model, tells it, clears *e and returns OC_OK; else returns status. */
oc_status oc_listener_hear(const oc_listener *listener, oc_status status, oc_error *e);

void oc_plan_free(oc_plan *plan); /* frees plan->expanded too; NULL is allowed */

/* The functions of oc_services by which operators ask about the graphs and types in their node. */
void oc_plan_graph_ports(const oc_call *c, int attr, int *n_in, int *n_out);
void oc_plan_graph_port(const oc_call *c, int attr, bool input, int i, oc_value *declared);
void oc_plan_attr_type(const oc_attr *attr, oc_value *declared);
