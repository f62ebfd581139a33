/* SPDX-License-Identifier: Apache-2.0
 * many.h - a job on many files as a command line asks for it: its files, the folder of its results,
 * and what an earlier job has left there. */
#pragma once

#include "common/json.h"
#include "map/job.h"
#include "map/results.h"
#include "session/sandbox.h"

/* The options of the command line, as given. */
typedef struct many_args {
    const char *shard;
    bool resume, again;
} many_args;

/* clang-format off */
#define MANY_ARGS(a)                                                                               \
    ARGS_VALUE("--shard", ARGS_TEXT, "K/N", &(a)->shard,                                           \
               "only every N-th file, from the K-th on: one of N parts"),                          \
    ARGS_SWITCH("--resume", &(a)->resume,                                                          \
                "leave out the files that done.tsv has; those that failed run again"),             \
    ARGS_SWITCH("--again", &(a)->again, "run all files again, whatever done.tsv has")
/* clang-format on */

/* Starts as MANY_NOTHING with args, model and folder. */
typedef struct many {
    const many_args *args;
    const char *model;  /* the path of the model */
    const char *folder; /* of the results; NULL: there are no results and no record */
    file_list files;
    const file_item **item; /* files of this shard that are not done */
    int n, n_shard, n_before;
    int first, step; /* the shard has every step-th file, from the first one on */
    char *part;      /* of the names of its records: "" or ".2-of-8" */
    record record;
} many;

#define MANY_NOTHING                                                                               \
    {                                                                                              \
        .record = {.done_file = -1, .errors_file = -1 }                                            \
    }

/* Makes the folders of all results; those below another folder. */
void many_make_folders(const many *m, oc_error *e);
void many_make_below(const many *m, const char *folder, oc_error *e);
/* The place of a file among those of the shard, from 0 on; -1: it is not in it. After many_begin.
 */
int64_t many_place(const many *m, const file_item *item);
/* Lets a sandbox read the folders that hold the files, and write into the folder of the results. */
void many_sandbox(const many *m, sandbox *box, oc_error *e);
/* Opens the record and finds the files to run; begins to write when everything has been checked:
 * results replace neither each other nor the model, the files, or the files named in others. The
 * settings are what results depend on besides the files. */
void many_begin(many *m, const results *to, const settings *now, const args_list *others,
                oc_error *e);
enum { MANY_BATCH = 1 << 20 }; /* most files that run as one */
/* Runs the job, whose files, record and number of threads are set here, of at most j->batch files
 * at a time. */
job_result many_run(many *m, job *j, oc_error *e);
/* Says after the error of a job how far it came, and how to go on. */
void many_say_stopped(const many *m, const job_result *r);
/* How the job ended: members of the object that is open in j; a line of text, to be freed. */
void many_json(const many *m, const job_result *r, json_writer *j);
char *many_text(const many *m, const job_result *r);
/* Names on standard error the first few files that are left out. */
void many_say_left_out(const many *m);
void many_free(many *m);
