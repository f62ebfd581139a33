/* SPDX-License-Identifier: Apache-2.0
 * session.h - the members of an oc_session, and what the files of this folder offer each other. */
#pragma once

#include "runtime/frame.h"

/* A range of elements, and the object that they belong to. */
typedef struct oc_spot {
    const void *data;
    size_t size; /* in bytes */
    void *what;
} oc_spot;

/* The buffers (oc_buffer) that hold the outputs of the last run, by rising address. While
 * outputs are made the session's own, the values whose elements are not. */
typedef struct oc_spots {
    oc_spot *at; /* with room for n more behind them, for sorting */
    size_t n, room;
    bool listed; /* true: the spots are those of the last run */
} oc_spots;

/* Memory of the host that a graph output is put into. */
typedef struct oc_output_binding {
    void *data; /* NULL: no memory is bound */
    size_t size;
    oc_value want; /* the type and dims that the output must have; a dim or rank of -1 allows any */
    oc_value value; /* the output of the last run; its elements are at data */
    /* true: the step writes at data itself, because no step reads the output and data is aligned
     * as buffers are */
    bool direct;
    bool stale; /* true: bound since the last run, so value is not set */
} oc_output_binding;

struct oc_session {
    oc_memory memory; /* its cap is what the plan leaves of the session's cap */
    oc_arena arena;   /* owns frames and bindings */
    oc_arena strings; /* owns the string elements made during the current run */
    oc_arena kept;    /* what calls keep for the next run (oc_frame.seen) */
    oc_pool pool;
    oc_threads *threads;
    oc_services services;
    oc_session_options options;
    const oc_model *model; /* the model that the host gave */
    const oc_plan *plan;   /* shared with other sessions of the model */
    oc_frame *frame;       /* one for each graph of the plan */
    oc_value *bound; /* one for each input of the main graph; dims.rank -1: no value is bound */
    oc_names told;   /* addresses of things that a remark of this session was about */
    oc_output_binding
        /* One for each output of the main graph; NULL until one is bound. */
        *binding;
    oc_spots own;
    bool has_run;
    atomic_uint state; /* bits OC_SESSION_BUSY and OC_SESSION_FREED */
    oc_watch watch;    /* of the call that makes the session or runs it; allocations ask it */
};

/* BUSY: a call of the host is at work, and may call the host back. FREED: the host has freed the
 * session, which lives until that call ends. */
enum { OC_SESSION_BUSY = 1, OC_SESSION_FREED = 2 };

/* Returns the plan of the main graph. */
static inline const oc_graph_plan *oc_session_graph(const oc_session *s)
{
    return s->plan->graph[0];
}

void oc_session_destroy(oc_session *s);
/* Tells the listener what oc_model_examine promises, and what is known about values when the
 * inputs are as `inputs` says; NULL: as the model declares them. */
void oc_session_examine(const oc_model *m, const oc_port *inputs, const oc_listener *listener,
                        oc_error *e);

/* ---- exec.c: runs plans */

oc_status oc_exec_run(oc_session *s);
/* Runs a graph of a node; a function of oc_services. */
oc_status oc_exec_graph(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                        oc_value *out, int n_out);

/* graph_shapes.c: runs the shape rules of a graph of a node; a function of oc_services. */
oc_status oc_exec_shapes(void *session, const oc_call *c, int attr, const oc_value *in, int n_in,
                         oc_value *out, int n_out);

/* report.c: tells the observer that a step begins or has ended. The step's operands are in the
 * frame. */
oc_status oc_report_step(oc_session *s, const oc_frame *f, const oc_step *step, bool begin,
                         int64_t sequence, uint64_t nanoseconds);

/* ---- stored.c: compares what runs store with what the model declares */

/* Compares the outputs of a step that has run. A type other than the declared one is an error,
 * other dims are a remark. */
oc_status oc_stored_check_step(oc_session *s, const oc_frame *f, const oc_step *step);
/* Compares an input or output of a frame's graph; port is the word for it in messages. */
oc_status oc_stored_check_port(oc_session *s, const oc_frame *f, const char *port,
                               const oc_value_info *info, const oc_value *v);
/* Writes a line to the host's log, unless this session has written one about that thing before.
 * The thing must live as long as the plan. */
void oc_session_remark(void *session, const void *about, const char *line);

/* ---- bind.c: inputs */

/* Checks the value against the input's declaration and binds it. Its elements are borrowed. */
oc_status oc_session_bind(oc_session *s, int input, const oc_value *v, oc_error *e);
/* Puts the bound values, and the defaults of inputs that are not bound, into the main graph's
 * slots. */
oc_status oc_session_load_inputs(oc_session *s);
/* *own becomes a copy of *v that borrows the elements of its tensors. It holds a reference only
 * to elements that this session has computed, which may not be strings. The list of a sequence
 * or optional is in this session's pool. */
oc_status oc_session_adopt(oc_session *s, const oc_value *v, oc_value *own, oc_error *e);

/* ---- outputs.c */

/* Copies those elements of the run's outputs that belong to the host. */
oc_status oc_outputs_own(oc_session *s);
/* *found becomes the buffer of an output of the last run, or of an item of one, that contains
 * the address; NULL when there is none. */
oc_status oc_outputs_find(oc_session *s, const void *data, oc_buffer **found, oc_error *e);

/* ---- output_bindings.c */

/* Makes later runs put an output into size bytes of the host at data; data NULL ends that. want
 * has the type and dims that oc_bind_output was given. */
oc_status oc_output_bind(oc_session *s, int output, const oc_value *want, void *data, size_t size,
                         oc_error *e);
/* Before a run: checks that the memory of each bound output overlaps nothing else. */
oc_status oc_output_bindings_begin(oc_session *s);
/* A function of oc_services, set in runs of sessions that have output bindings. */
bool oc_output_bindings_room(void *session, oc_value *out);
/* After a run: copies the outputs that nodes have not written to the host's memory themselves. */
oc_status oc_output_bindings_fill(oc_session *s);
/* Has the host bound memory to the output? */
static inline bool oc_output_is_bound(const oc_session *s, int output)
{
    return s->binding && s->binding[output].data;
}
