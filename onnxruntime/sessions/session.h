/* SPDX-License-Identifier: Apache-2.0
 * session.h - a session of the interface: a model of Ocellus, and a session of Ocellus for each run
 * that is under way. The functions stand in the files that the headings name. */
#pragma once

#include "operators/operators.h"
#include "sessions/profile.h"

#include <pthread.h>

/* A session of Ocellus. One run at a time uses it. */
typedef struct ort_runner {
    OrtSession *owner;
    oc_session *session;
    const OrtRunOptions *run; /* options of the run under way; NULL: none */
    ort_profile *profile;     /* profile that is told events; NULL: none */
    bool *bound;              /* for each input of the model, true: an earlier run has bound it */
    bool output_bound;        /* true: memory is bound to an output */
    struct ort_runner *next;  /* the next idle runner */
} ort_runner;

struct OrtSession {
    OrtLogger logger;
    OrtSessionOptions options;        /* a copy of the program's options */
    oc_session_options run_options;   /* what options mean to Ocellus, without callbacks */
    const OrtSessionOptions *loading; /* the program's own options, while the session is made */
    void *bytes;                      /* bytes of a model from memory; NULL: none */
    oc_model *model;
    oc_model *changed; /* the model with initializers of the program's; NULL: there are none */
    ort_operators *operators;    /* operators of the program; NULL: none */
    ort_profile *profile;        /* profile of all runs; NULL: none */
    int n_input, n_output;       /* numbers of the model's inputs and outputs */
    oc_port *input, *output;     /* ports, with the sizes that the options give dims */
    int *required, *overridable; /* numbers of inputs, as programs count them */
    int n_required, n_overridable;
    pthread_mutex_t lock; /* lock of the members below */
    ort_runner *idle;
    oc_port *told;     /* what is told of the outputs (shapes.c); NULL: nobody has asked */
    atomic_int others; /* holders besides the program: runs that go on without it */
};

/* ---- model_ports.c: inputs and outputs of the model */

OrtStatus *ort_ports_read(OrtSession *session);
void ort_ports_clear(OrtSession *session);
/* Return the number of an input or output of the model, or -1 where the model has none of that
 * name. */
int ort_session_input(const OrtSession *session, const char *name);
int ort_session_output(const OrtSession *session, const char *name);

/* ---- shapes.c */

/* *port becomes what the model tells of an output, completed by what a plan finds before it sees an
 * input. */
OrtStatus *ort_output_told(OrtSession *session, int output, oc_port *port);

/* ---- runner.c */

/* Takes an idle runner for a run, or makes one; ort_runner_give returns it when the run has ended.
 * A run that has its own profile gets a new runner, which is freed with the run. */
OrtStatus *ort_runner_take(OrtSession *session, const OrtRunOptions *run, ort_runner **out);
void ort_runner_give(ort_runner *runner);
void ort_runner_free(ort_runner *runner);

/* ---- run.c */

/* The names and values that a program gives to a run. */
typedef struct ort_feed {
    const char *const *input_name;
    const OrtValue *const *input;
    size_t n_input;
    const char *const *output_name;
    OrtValue **output; /* NULL entries become new values */
    size_t n_output;
} ort_feed;

OrtStatus *ort_run(OrtSession *session, const OrtRunOptions *options, const ort_feed *feed);

/* Returns the session with one more holder, who calls ReleaseSession as the program does: the last
 * holder's call frees it. */
OrtSession *ort_session_hold(const OrtSession *session);
