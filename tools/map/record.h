/* SPDX-License-Identifier: Apache-2.0
 * record.h - which files of a job are done, and which failed: done.tsv and errors.tsv in the folder
 * of its results. */
#ifndef TOOLS_MAP_RECORD_H
#define TOOLS_MAP_RECORD_H

#include "common/index.h"

/* Both files grow by one whole line at a time, so that what ends the process, or the machine,
 * leaves at most one line that is cut off, and that does not count. Tabs, line ends and backslashes
 * of paths and messages are written as \t, \n, \r and \\. */
typedef struct record {
    char *done, *errors;        /* paths of the files */
    int done_file, errors_file; /* descriptors; -1: not open */
    text_index before;          /* the files that an earlier job has done */
    int n_before;
} record;

/* Opens the record in a folder, which exists. part is "" or, for one part of a job, something like
 * ".2-of-8". job is one line that tells the jobs apart whose results differ. With resume the files
 * of the earlier record are kept in mind, if it is of the same job; else it is OC_ARGUMENT. Without
 * resume it begins anew. Free with record_close, also after an error. */
void record_open(record *r, const char *folder, const char *part, const char *job, bool resume,
                 oc_error *e);
bool record_has(const record *r, const char *path);
void record_done(record *r, const char *path, oc_error *e);
void record_error(record *r, const char *path, oc_status code, const char *text, oc_error *e);
void record_close(record *r);

#endif
