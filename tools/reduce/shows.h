/* SPDX-License-Identifier: Apache-2.0
 * shows.h - does a model still show what is looked for: an error, a difference, or what a command
 * of the user finds? */
#pragma once

#include "session/inputs.h"
#include "session/session_args.h"

/* What is looked for: one of error, disagrees and command is set. */
typedef struct shows {
    const session_args *session;
    const inputs *in;    /* for the whole model; a part takes the values of its own inputs */
    const char *error;   /* the run ends with an error whose text contains this */
    bool disagrees;      /* true: kernels and function bodies give other outputs */
    const char *command; /* a shell's command; "{model}" in it stands for the file */
    int64_t code;        /* the exit code by which the command says so */
    const char *file;    /* where models for the command are written */
} shows;

/* Returns the session options of a run; kernels go before functions of the model if the search
 * is for a difference. */
oc_session_options shows_options(const shows *s);
/* Binds the values of those inputs that the model has, and runs it; s may be NULL. */
void shows_run(const shows *looked, const oc_model *m, oc_session *s, oc_error *e);
/* Does the model show it? *e tells what keeps the answer from being known: SIGINT, a file that
 * cannot be written, a shell that cannot be started. */
bool shows_it(const shows *s, const oc_model *m, oc_error *e);
