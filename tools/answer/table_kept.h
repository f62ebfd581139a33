/* SPDX-License-Identifier: Apache-2.0
 * table_kept.h - the rows of each photograph in a file that grows while a job runs, so that one
 * that was stopped goes on with them. */
#pragma once

#include "common/index.h"
#include "files/io.h"

/* Rows of a photograph from an earlier run: fields of a line as they stand in the file. */
typedef struct kept_rows {
    const char *head, *text;
    size_t head_size, text_size;
} kept_rows;

typedef struct kept_file {
    char *path;
    int file;         /* descriptor; -1: not open */
    io_bytes *before; /* the files that were read; rows are parts of them */
    size_t n_before;
    kept_rows *rows;
    int n, room;
    text_index files; /* maps the names of files to rows */
} kept_file;

/* Opens the file at path, which begins with a line for the format. resume: what it has already is
 * kept, and so is what other parts of the job have, rows.1-of-2.tsv or rows.tsv in its folder, for
 * the same format; else it begins anew. OC_ARGUMENT when it is to be kept and is no such file, or
 * one of another format. Free with kept_close, also after an error. */
void kept_open(kept_file *k, const char *path, const char *format, bool resume, oc_error *e);
/* Returns the line of a photograph. Free it with free. */
char *kept_line(const char *file, const char *head, const char *text);
void kept_append(kept_file *k, const char *line, oc_error *e);
/* Returns the rows of a file from an earlier run; NULL when there are none. */
const kept_rows *kept_find(const kept_file *k, const char *file);
void kept_close(kept_file *k);
