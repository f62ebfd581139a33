/* SPDX-License-Identifier: Apache-2.0
 * job.h - runs a model on each file of a list, on several threads. */
#pragma once

#include "map/list.h"
#include "map/record.h"

/* A file of a job while a worker has it. */
typedef struct job_file {
    const file_item *item;
    int number;      /* of the item in the job's list */
    oc_value *value; /* for the open input; NULL: reading failed, or the file is done */
    void *more;      /* what else the way keeps of the file */
    oc_error error;  /* of reading */
} job_file;

/* What is done with each file before and after the run. All calls come from several threads. */
typedef struct job_way {
    void *ctx;
    /* Takes the next file of a stream: sets f->item, which lasts as long as f->more. One call comes
     * at a time, in the order of f->number. Returns false at the end of the stream, and after an
     * error, which ends the job. NULL: the files are those of the job's list. */
    bool (*fetch)(void *ctx, job_file *f, oc_error *e);
    /* Reads the file of f->item, and sets f->value. */
    void (*read)(void *ctx, job_file *f, oc_error *e);
    /* Binds what the run takes besides f->value; NULL: there is nothing. */
    void (*bind)(void *ctx, const job_file *f, oc_session *session, oc_error *e);
    /* Returns what bind is to find as `more` when the n files run as one; NULL after an error.
     * NULL: bind gets the first of the files, with its own. Not called for one file alone, unless
     * the job fills. */
    void *(*join)(void *ctx, const job_file *f, int n, oc_error *e);
    /* Writes what the session's last run gave for file k of the n that ran as one. Returns false
     * when its error ends the job, as OC_IO always does; else an error fails this file. */
    bool (*write)(void *ctx, const job_file *f, int k, int n, const oc_session *session,
                  oc_error *e);
    /* Is told of a file that was read and whose run failed; NULL: it need not be. */
    void (*fail)(void *ctx, const job_file *f);
    /* Frees f->more, when the session has other bindings or is gone; NULL: there is nothing. */
    void (*release)(void *ctx, void *more);
} job_way;

/* A job. Its pointers are borrowed until job_run returns. */
typedef struct job {
    const oc_model *model;
    oc_session_options options; /* for each thread's session */
    const inputs *inputs;       /* the values of all inputs but one */
    int input;                  /* the input whose value each file gives */
    job_way way;
    const file_item *const *item; /* n of them; of a stream none */
    int n;
    int batch, threads; /* most files that run as one; number of sessions, each of one thread */
    bool fills;         /* true: the model takes `batch` values at a time, no fewer; where files are
                           missing,         the last one's value is repeated */
    record *record;     /* NULL: none is kept */
    bool progress;      /* true: the progress is shown on standard error */
} job;

/* A file that failed. */
typedef struct job_failure {
    char *path, *text;
    oc_status code;
} job_failure;

/* Free with job_result_free. */
typedef struct job_result {
    int done, failed;
    job_failure *failure; /* `failed` of them */
    double seconds;       /* time for the files, without making the sessions */
} job_result;

/* Files that cannot be read or run are named on standard error and in the record, and the others
 * go on. *e is the error that ends the job: a session that cannot be made, results that cannot
 * be written, SIGINT. */
job_result job_run(const job *j, oc_error *e);
void job_result_free(job_result *r);
