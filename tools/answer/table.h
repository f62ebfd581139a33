/* SPDX-License-Identifier: Apache-2.0
 * table.h - writes the answers for many photographs into one file, in the order of the photographs.
 */
#pragma once

#include "answer/answer.h"
#include "answer/table_format.h"

typedef struct table table;

/* OC_ARGUMENT when the ending tells no format, and when the file of rows is none, or has rows of
 * another format. path "-" is standard output. The file is complete or not there: it is written
 * beside and renamed by table_close. Returns NULL on failure. */
table *table_open(const char *path, const table_options *o, oc_error *e);

/* Each index, from 0 on, is given once: its rows are added, kept from an earlier run, or there are
 * none. Any threads may call these, in any order; a row waits in memory of data.h until those
 * before it are there. When table_add returns without an error, the rows are in the file of rows;
 * after an error, or when *e holds one already, the photograph has none. Errors are OC_IO, those of
 * data.h, OC_CANCELLED, and OC_ARGUMENT where the format has no place for the answer, or the
 * columns are not those of the answers before. */
void table_add(table *t, int64_t index, const char *file, const answer *a, oc_error *e);
void table_keep(table *t, int64_t index, const char *file, oc_error *e);
/* As table_skip, for a photograph that could not be read or run: TABLE_TEXT says so. */
void table_miss(table *t, int64_t index, const char *file, oc_error *e);
void table_skip(table *t, int64_t index, oc_error *e);
/* Are there rows of this file from an earlier run? */
bool table_has(const table *t, const char *file);

/* Completes the file and frees the table, which may be NULL. When *e holds an error already, the
 * file is removed unless it is that of a stream; the file of rows stays. */
void table_close(table *t, oc_error *e);
