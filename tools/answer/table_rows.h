/* SPDX-License-Identifier: Apache-2.0
 * table_rows.h - the rows of one photograph as text, in each format of a table. */
#pragma once

#include "files/text_build.h"
#include "answer/answer.h"
#include "answer/table_format.h"

/* What rows tell of: the first of these that the answer has. */
typedef enum rows_kind { ROWS_TEXT, ROWS_OBJECTS, ROWS_CLASSES, ROWS_DEPTH, ROWS_FLOW } rows_kind;
rows_kind rows_kind_of(const answer *a);

/* Names are those of o; a label without one is its number. Writes into text where it is none. */
const char *rows_name(const table_options *o, int64_t label, char text[32]);

/* The rows of a photograph, and what stands above the first rows of the table. */
typedef struct rows {
    text_build head, text;
} rows;

/* Append the rows of the answer. What needs memory and finds none sets failed of the text. */
/* The row of text of a photograph that has no answer. */
void rows_put_missing(rows *r, const table_options *o, const char *file);
void rows_put_text(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e);
/* separator is ',' or tab. Without rows there is no head, but for an answer that is all zero. */
void rows_put_fields(rows *r, const table_options *o, char separator, const char *file,
                     const answer *a, oc_error *e);
void rows_put_json(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e);
/* The first line is of the image, each other one of an annotation: the entries of an object that
 * follow its ids, without brackets. The head is the number of points of an object, or empty. */
void rows_put_coco(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e);
