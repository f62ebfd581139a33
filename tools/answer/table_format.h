/* SPDX-License-Identifier: Apache-2.0
 * table_format.h - the formats of tables of answers, and what a table is told.
 *
 * TABLE_TEXT has aligned columns for people. TABLE_CSV and TABLE_TSV have a row for each object (a
 * photograph without objects has none), for each class of a map, or for each photograph of other
 * answers. In CSV, fields are quoted as in RFC 4180 and lines end with LF; in TSV, a tab, a line
 * end and a backslash are written as \t, \n, \r and \\. A field may begin with '=' or '+', which a
 * spreadsheet takes for a formula. TABLE_JSONL has an object on a line for each photograph, with
 * everything but the numbers of flow and depth. TABLE_COCO is one data set of COCO, with images,
 * annotations and categories: category_id is COCO's own where the names are COCO's, else the label
 * plus 1, and ids of images and annotations begin at 1. Floats are the shortest that read back;
 * what is not finite is null in JSON. */
#pragma once

#include "metadata/metadata.h"

typedef enum table_format {
    TABLE_BY_PATH, /* by the ending of the path: .csv, .tsv, .jsonl, .json (COCO) */
    TABLE_TEXT,
    TABLE_CSV,
    TABLE_TSV,
    TABLE_JSONL,
    TABLE_COCO
} table_format;

/* All fields may be 0. What they point to is borrowed until table_close. */
typedef struct table_options {
    table_format format;
    const metadata_names *names;       /* of classes */
    const metadata_names *point_names; /* of the points of an object */
    const char *between; /* TABLE_JSONL: stands before each line but the first; NULL: nothing */
    int widest;          /* TABLE_TEXT: characters of the longest name of a file */
    const char *rows; /* path of a file that keeps the rows of each photograph once they are added,
                         so that a later run can go on; NULL: none */
    bool resume;      /* true: rows that this file has already are kept */
    bool stream; /* true: a table of a stream, which has the rows that came before its end, also
                    where SIGINT or an error was its end */
} table_options;
