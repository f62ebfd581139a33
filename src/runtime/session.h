/* SPDX-License-Identifier: Apache-2.0
 * session.h - the inside of an oc_session, shared by the files of this folder. */
#ifndef OC_RUNTIME_SESSION_H
#define OC_RUNTIME_SESSION_H

#include "runtime/frame.h"

struct oc_session {
    oc_memory memory; /* its cap is what the plan leaves of the session's */
    oc_arena arena;   /* frames and bindings */
    oc_arena strings; /* string elements made during the current run */
    oc_pool pool;
    oc_threads *threads;
    oc_services services;
    oc_session_options options;
    const oc_model *model; /* what the host gave */
    const oc_plan *plan;   /* shared with other sessions of the model */
    oc_run_frame *frame;   /* one per graph of the plan */
    oc_value *bound;       /* one per input of the main graph; dims.rank -1: not bound */
    bool has_run;
    int64_t steps;     /* executed in this run */
    uint64_t deadline; /* on the monotonic clock, in nanoseconds; 0: none */
};

/* The main graph. */
static inline const oc_graph_plan *oc_session_graph(const oc_session *s)
{
    return s->plan->graph[0];
}

/* ---- exec.c: runs plans */

uint64_t oc_clock(void); /* monotonic, nanoseconds */
oc_status oc_exec_run(oc_session *s);
/* The functions behind oc_services. */
oc_status oc_exec_graph(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                        oc_value *out, int n_out);
oc_status oc_exec_check_limits(void *session);

/* ---- bind.c: inputs */

/* Checks the value against what the model declares for the input. */
oc_status oc_session_bind(oc_session *s, int input, const oc_value *v, oc_error *e);
/* Puts bound values, and defaults of inputs not bound, into the slots of the main graph. */
oc_status oc_session_load_inputs(oc_session *s);
/* A copy that owns no count in a foreign pool: sequences get a list of the session's own. */
oc_status oc_session_adopt(oc_session *s, const oc_value *v, oc_value *own, oc_error *e);

#endif
