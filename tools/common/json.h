/* SPDX-License-Identifier: Apache-2.0
 * json.h - writes JSON documents; json_read.h reads them.
 *
 * key is the name of the entry; it is NULL for an item of an array and for the document itself.
 * Bytes of text that are not UTF-8 are written as U+FFFD; numbers that JSON does not have are
 * written as the strings "nan", "inf" and "-inf". */
#pragma once

#include "common/base64.h"

#include <ocellus.h>

#include <stdio.h>

/* Room for values within values, OC_MAX_VALUE_NESTING, with two levels each. */
enum { JSON_DEPTH = 64 };

typedef struct json_writer {
    FILE *out;
    int depth;
    int flat;               /* above 0: entries stand on the line on which their level begins */
    char close[JSON_DEPTH]; /* the bracket that ends each open level */
    bool used[JSON_DEPTH];  /* true when the level has an entry already */
} json_writer;

json_writer json_begin(FILE *out);
void json_end(json_writer *j); /* writes the line end after the document */

void json_object(json_writer *j, const char *key);
void json_array(json_writer *j, const char *key);
void json_close(json_writer *j); /* ends the innermost open object or array */

void json_text(json_writer *j, const char *key, const char *text); /* NULL is written as null */
void json_bytes(json_writer *j, const char *key, const char *text, size_t size);
void json_int(json_writer *j, const char *key, int64_t n);
void json_unsigned(json_writer *j, const char *key, uint64_t n);
void json_number(json_writer *j, const char *key, double x);
void json_bool(json_writer *j, const char *key, bool yes);
/* Begins a text of base64, whose bytes go to base64_put before json_base64_end ends it. */
base64 json_base64(json_writer *j, const char *key);
void json_base64_end(json_writer *j, base64 *b);
