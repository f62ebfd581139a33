/* SPDX-License-Identifier: Apache-2.0
 * session.h - the inside of an oc_session, shared by the files of this folder. */
#ifndef OC_RUNTIME_SESSION_H
#define OC_RUNTIME_SESSION_H

#include "ops/kit/sig.h"
#include "plan/plan.h"

struct oc_session {
    oc_memory memory;
    oc_arena arena;   /* the plan */
    oc_arena strings; /* string elements made during the current run */
    oc_pool pool;
    oc_threads *threads;
    oc_services services;
    oc_session_options options;
    const oc_model *model; /* what the host gave */
    oc_model *expanded;    /* with bodies inlined; NULL: nothing was to inline */
    oc_plan *plan;
    oc_late *late; /* copied before the first run */
    int n_late;
    int n_fused;         /* nodes that others run for them */
    oc_value *bound;     /* one per graph input; dims.rank -1: not bound */
    oc_value **fallback; /* one per graph input: its initializer, or NULL */
    bool has_run;
    int64_t steps;     /* executed in this run */
    uint64_t deadline; /* on the monotonic clock, in nanoseconds; 0: none */
};

/* ---- exec.c: runs plans */

uint64_t oc_clock(void); /* monotonic, nanoseconds */
oc_status oc_exec_run(oc_session *s);
/* The functions behind oc_services. */
oc_status oc_exec_graph(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                        oc_value *out, int n_out);
void oc_exec_graph_ports(void *session, const oc_call *c, int attr, int *n_in, int *n_out);
void oc_exec_graph_out(void *session, const oc_call *c, int attr, int i, oc_value *declared);
void oc_exec_attr_type(const oc_attr *attr, oc_value *declared);
oc_status oc_exec_check_limits(void *session);

/* ---- bind.c: inputs */

/* Checks the value against what the model declares for the input. */
oc_status oc_session_bind(oc_session *s, int input, const oc_value *v, oc_error *e);
/* Puts bound values, and defaults of inputs not bound, into the plan's slots. */
oc_status oc_session_load_inputs(oc_session *s);
/* A copy that owns no count in a foreign pool: sequences get a list of the session's own. */
oc_status oc_session_adopt(oc_session *s, const oc_value *v, oc_value *own, oc_error *e);

#endif
