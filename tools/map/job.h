/* SPDX-License-Identifier: Apache-2.0
 * job.h - runs a model on each file of a list, on several threads, and writes the results. */
#pragma once

#include "map/results.h"

/* A job. Its pointers are borrowed until job_run returns. */
typedef struct job {
    const oc_model *model;
    oc_session_options options; /* for each thread's session */
    const inputs *inputs;       /* the values of all inputs but one */
    int input;                  /* the input whose value each file gives */
    results results;
    const file_item *const *item;
    int n;
    int batch, threads; /* most files that run as one; number of sessions, each of one thread */
    record *record;
    bool quiet;    /* true: no remark on how the first file became a value */
    bool progress; /* true: the progress is shown on standard error */
} job;

typedef struct job_result {
    int done, failed;
    double seconds; /* time for the files, without making the sessions */
} job_result;

/* Files that cannot be read or run are named on standard error and in the record, and the others
 * go on. *e is the error that ends the job: a session that cannot be made, results that cannot
 * be written, SIGINT. */
job_result job_run(const job *j, oc_error *e);
