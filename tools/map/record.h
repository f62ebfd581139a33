/* SPDX-License-Identifier: Apache-2.0
 * record.h - which files of a job are done, and which failed or were left out: done.tsv and
 * errors.tsv in the folder of its results. */
#pragma once

#include "map/settings.h"

/* A file that an earlier job, or another part of this one, has done. */
typedef struct record_file {
    char *path, *name; /* name is that of its results, as in list.h */
} record_file;

/* The record of a job. Both files are those of lines.h: if the process or the machine stops, at
 * most one line is cut off, and that one does not count. */
typedef struct record {
    char *done, *errors;        /* paths of the files */
    int done_file, errors_file; /* descriptors; -1: not open */
    char *head;                 /* first line of done.tsv */
    bool resume, is_cut_off;    /* is_cut_off: the last line of done.tsv has no end */
    record_file *before;        /* files of all records in the folder */
    int n_before;
    text_index paths; /* maps the paths of `before` to indices */
    char **stale;     /* paths of records that record_begin removes */
    int n_stale;
} record;

/* What to do with earlier records that name files. */
typedef enum record_use { RECORD_REFUSE, RECORD_RESUME, RECORD_REPLACE } record_use;

/* Reads the records in a folder, which exists, and changes nothing. part is "", or for one part
 * of a job a text such as ".2-of-8". OC_ARGUMENT when an earlier record is to be refused,
 * belongs to a job with other settings, or is not a record; else its files are remembered.
 * Records of other parts, such as ".1-of-8", are allowed. With RECORD_REPLACE earlier files do
 * not count, and records of other divisions are stale, as are their rows of tables. model is named
 * in the first line. Free with record_close, also after an error. */
void record_open(record *r, const char *folder, const char *part, const char *model,
                 const settings *now, record_use use, oc_error *e);
/* Is it the name of a file of that kind, "done", "errors" or "rows", of a part or of a whole job?
 */
bool record_is_name(const char *kind, const char *name);
/* Removes stale records, and begins to write: behind an earlier record that is resumed, or anew. */
void record_begin(record *r, oc_error *e);
bool record_has(const record *r, const char *path);
void record_done(record *r, const char *path, const char *name, oc_error *e);
void record_error(record *r, const char *path, oc_status code, const char *text, oc_error *e);
/* Names a file that the job leaves out among the failed ones, with the code "left out". */
void record_left_out(record *r, const char *path, const char *text, oc_error *e);
void record_close(record *r);
