/* SPDX-License-Identifier: Apache-2.0
 * json.h - a writer of JSON documents, and a reader of one number from one.
 *
 * Every function takes the key of the entry, which is NULL inside arrays and for the document
 * itself. Bytes of text that are no UTF-8 become U+FFFD; numbers that JSON does not have are the
 * strings "nan", "inf" and "-inf". */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include "common/tool.h"

#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct json_writer {
    FILE *out;
    int depth;
    char close[JSON_DEPTH]; /* the bracket that ends each level */
    bool used[JSON_DEPTH];  /* the level has an entry */
} json_writer;

json_writer json_begin(FILE *out);
void json_end(json_writer *j); /* the line end behind the document */

void json_object(json_writer *j, const char *key);
void json_array(json_writer *j, const char *key);
void json_close(json_writer *j); /* the innermost object or array */

void json_text(json_writer *j, const char *key, const char *text); /* NULL: null */
void json_bytes(json_writer *j, const char *key, const char *text, size_t size);
void json_int(json_writer *j, const char *key, int64_t n);
void json_unsigned(json_writer *j, const char *key, uint64_t n);
void json_number(json_writer *j, const char *key, double x);
void json_bool(json_writer *j, const char *key, bool yes);

/* The number at key of the outermost object in text of size bytes; otherwise, when there is none.
 */
double json_find_number(const char *text, size_t size, const char *key, double otherwise);

#endif
