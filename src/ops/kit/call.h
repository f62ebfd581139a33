/* SPDX-License-Identifier: Apache-2.0
 * call.h - the inside of an oc_call: what the runtime fills and call.c reads. Operator files see
 * only op.h. */
#ifndef OC_OPS_KIT_CALL_H
#define OC_OPS_KIT_CALL_H

#include "ops/kit/fusion.h"
#include "ops/kit/sig.h"

/* What the runtime does for operators. One per session. */
typedef struct oc_services {
    oc_pool *pool;
    oc_arena *strings; /* string elements made during this run */
    oc_error *error;
    oc_parallel parallel;
    int threads;
    unsigned cpu;
    uint64_t seed;
    void *runtime; /* passed to the functions below */
    oc_status (*run_graph)(void *runtime, const oc_call *c, int attr, const oc_value *in, int n_in,
                           oc_value *out, int n_out);
    void (*graph_ports)(const oc_call *c, int attr, int *n_in, int *n_out);
    void (*graph_out)(const oc_call *c, int attr, int i, oc_value *declared);
    void (*attr_type)(const oc_attr *attr, oc_value *declared);
    oc_status (*check_limits)(void *runtime);
} oc_services;

struct oc_call {
    const oc_op *row;
    const oc_sig *sig;
    const char *node; /* for messages: "node 'cat_3' (Concat-13)" */
    /* "'cat_3'", or "of 'y'" for a node without a name. What random operators give depends on each
     * of its bytes: a change here changes their numbers under every seed. */
    const char *seed_name;
    const oc_attr *const *attr; /* one per attribute of the signature; NULL: missing optional */
    const oc_value *const *in;  /* NULL: missing optional */
    oc_value *const *out;       /* NULL: not wanted */
    int n_in, n_out;
    bool planning;           /* shapes only: inputs may have no data */
    bool fused_away;         /* checked and shaped only: the consumer's call computes the output */
    const oc_fusion *fusion; /* its run fills the outputs, from producer's call too; NULL: row->run
                                does */
    const oc_call *producer;
    const void *prepared; /* what row->prepare made with the plan; NULL: nothing */
    oc_arena *keep;       /* the plan's memory, while row->prepare runs; else NULL */
    const void *step;     /* the plan's own */
    oc_services *services;
    struct oc_scratch_block *scratch;
};

/* Matches a node's attributes against the signature: bound[i] for each attribute of it, in its
 * order. Unknown attributes, wrong kinds and missing required ones are errors; where names the
 * node. */
oc_status oc_call_bind_attrs(const oc_sig *sig, const oc_attr *attr, int n_attr, const char *where,
                             const oc_attr **bound, oc_error *e);
/* Arity against the signature. */
oc_status oc_call_check_arity(const oc_sig *sig, int n_in, int n_out, const char *where,
                              oc_error *e);
/* Input checks and the shape rule alone: outputs get type and dims, no data. c->planning is set. */
oc_status oc_call_plan(oc_call *c);
/* Input checks, shape rule, output checks, allocation, run; without the last two when fused away.
 * Outputs must be clear before. */
oc_status oc_call_run(oc_call *c);
/* row->prepare alone: c->prepared is what it keeps. Types are checked of the inputs that are known.
 */
oc_status oc_call_prepare(oc_call *c);

#endif
