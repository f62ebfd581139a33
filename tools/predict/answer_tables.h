/* SPDX-License-Identifier: Apache-2.0
 * answer_tables.h - tells the answers of a command's photographs: on standard output, and in the
 * file of --table. */
#pragma once

#include "map/many.h"
#include "predict/answer_args.h"
#include "answer/table.h"

/* Starts as all zero. */
typedef struct answer_tables {
    table *shown, *written; /* on standard output, and of --table; NULL: none */
    const char *path;       /* of --table; borrowed */
} answer_tables;

/* How answers are shown on standard output. */
typedef enum answer_show {
    ANSWER_HIDDEN,
    ANSWER_TEXT, /* as a table for people */
    ANSWER_JSON  /* as elements of an array that is open */
} answer_show;

/* Writes the members of an object of standard output that tell the decoder, and opens the array of
 * the answers. */
void answer_tables_json(const predictor *p, json_writer *j);
/* Opens the tables. m is the job whose files have the answers, after many_begin: what an earlier
 * job did is not shown again, and keeps its rows. OC_ARGUMENT when that job kept none. NULL: there
 * is one photograph, of this name. A job without files is a stream. p lives until
 * answer_tables_close. */
void answer_tables_open(answer_tables *t, const answer_args *a, const predictor *p,
                        answer_show show, const many *m, const char *name, oc_error *e);
/* Gives the answer of a file its place, from 0 on; NULL: it has none. From any thread. */
void answer_tables_add(answer_tables *t, int64_t place, const char *file, const answer *a,
                       oc_error *e);
/* Completes the tables; when *e holds an error already, the file of --table is removed. */
void answer_tables_close(answer_tables *t, oc_error *e);
