/* SPDX-License-Identifier: Apache-2.0
 * job.h - runs a model on each file of a list, on several threads, and writes what it gives. */
#ifndef TOOLS_MAP_JOB_H
#define TOOLS_MAP_JOB_H

#include "map/results.h"
#include "session/inputs.h"

/* What to do. The pointers are borrowed until job_run returns. */
typedef struct job {
    const oc_model *model;
    oc_session_options options; /* of each thread's session */
    const inputs *inputs;       /* the values of all inputs but one */
    int input;                  /* that one, which each file gives */
    results results;
    const file_item *const *item;
    int n;
    int batch, threads; /* files that run as one, at most; sessions, each of one thread */
    record *record;
    bool quiet;    /* no remark on how the first file became a value */
    bool progress; /* show on standard error how far it is */
} job;

typedef struct job_result {
    int done, failed;
    double seconds; /* of the files, without the making of sessions */
} job_result;

/* Files that cannot be read or run are named on standard error and in the record, and the others go
 * on. What ends the job is in *e: a session that cannot be made, results that cannot be written,
 * SIGINT. */
job_result job_run(const job *j, oc_error *e);

#endif
