/* SPDX-License-Identifier: Apache-2.0
 * session.h - the inside of a session of the interface: a model of Ocellus, and as many sessions of
 * it as runs are under way. */
#ifndef ORT_SESSION_H
#define ORT_SESSION_H

#include "env.h"
#include "options.h"

#include <ocellus_model.h>
#include <ocellus_op.h>
#include <pthread.h>

typedef struct ort_operators ort_operators; /* operators.h */
typedef struct ort_profile ort_profile;     /* profile.h */

/* A session of Ocellus, which one run has at a time. */
typedef struct ort_runner {
    OrtSession *owner;
    oc_session *session;
    const OrtRunOptions *run; /* of the run under way; NULL: none */
    ort_profile *profile;     /* of that run alone; NULL: none */
    bool *was_bound;          /* of each input of the model: by an earlier run */
    struct ort_runner *next;  /* while idle */
} ort_runner;

struct OrtSession {
    OrtLogger logger;
    OrtSessionOptions options; /* a copy */
    void *bytes;               /* of a model from memory; NULL: none */
    oc_model *model;
    ort_operators *operators; /* of the program's; NULL: none */
    ort_profile *profile;     /* of all runs; NULL: none */
    int n_input, n_output;    /* of the model */
    oc_port *input, *output;  /* with the sizes that the options give dims */
    int *required, *overridable; /* numbers of inputs, as programs count them */
    int n_required, n_overridable;
    pthread_mutex_t lock; /* of what follows */
    ort_runner *idle;
    atomic_int holders; /* the program, and runs that go on without it */
};

/* run.c: a runner for a run, made where none is idle; and the end of that run. */
OrtStatus *ort_runner_take(OrtSession *session, ort_runner **out);
void ort_runner_give(ort_runner *runner);
void ort_runner_free(ort_runner *runner);

/* The number of an input or output of the model; -1: there is none of that name. */
int ort_session_input(const OrtSession *session, const char *name);
int ort_session_output(const OrtSession *session, const char *name);
/* Another holder, and one less: the last one frees the session. */
void ort_session_hold(OrtSession *session);
void ort_session_drop(OrtSession *session);

#endif
