/* SPDX-License-Identifier: Apache-2.0
 * labels.h - reads names of classes from a text file with a name on each line. */
#pragma once

#include "files/io.h"

/* Starts as all zero: no labels. */
typedef struct labels {
    const char *path; /* NULL: there are no labels */
    io_bytes text;
    size_t begin; /* of the first line, behind a mark of UTF-8 (U+FEFF) */
    size_t *end;  /* where each line ends, without its line end */
    int n;
} labels;

/* Reads the file at path, of at most cap bytes; lines end with LF or CR LF. OC_FORMAT for a file
 * that is not UTF-8, or holds a NUL. Free with labels_free, also after an error. */
void labels_read(labels *l, const char *path, size_t cap, oc_error *e);
void labels_free(labels *l);
/* The number of lines without empty ones at the end. */
int labels_n_named(const labels *l);
/* Returns line i, not NUL-terminated, with its size in *size. */
const char *labels_line(const labels *l, int64_t i, size_t *size);
