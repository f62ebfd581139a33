/* SPDX-License-Identifier: Apache-2.0
 * json_read.h - reads a JSON document, or a literal of Python, into a tree. */
#pragma once

#include "common/tool.h"

enum { JSON_READ_DEPTH = 64 }; /* most arrays and objects within each other */

/* JSON_STRICT is RFC 8259 with the words NaN, Infinity and -Infinity, which Python writes.
 * JSON_PYTHON is what Python's repr() writes of dicts, lists, tuples, texts, numbers, booleans and
 * None; it takes JSON's words too. In both \ud800 without its partner is U+FFFD. */
typedef enum json_syntax { JSON_STRICT, JSON_PYTHON } json_syntax;

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY, /* a list or a tuple */
    JSON_OBJECT /* a dict */
} json_kind;

typedef struct json_value json_value;
struct json_value {
    json_kind kind;
    int n;                          /* items of an array, entries of an object */
    const json_value *first, *next; /* first item or entry of this one; the next one beside it */
    const char *key;  /* of an entry, ended by NUL; a number as it is written; else NULL */
    const char *text; /* of JSON_TEXT: UTF-8, ended by NUL */
    size_t size;      /* bytes of text, which may hold further NULs */
    double number;    /* of JSON_NUMBER; 1 for true and 0 for false */
};

typedef struct json_tree {
    const json_value *root; /* NULL: nothing was read */
    struct json_block *blocks;
    char *texts;
} json_tree;

/* Reads the whole text, in memory of data.h. OC_FORMAT, with line and column (in characters), for
 * what is not in the syntax or not UTF-8; OC_LIMIT beyond JSON_READ_DEPTH. The error's text begins
 * with where. Free with json_tree_free, also after an error. */
void json_read(json_tree *t, const void *text, size_t size, json_syntax syntax, const char *where,
               oc_error *e);
void json_tree_free(json_tree *t);

/* v may be NULL, or of another kind, in each of these. json_get returns the entry with that key,
 * the last one as Python does; NULL when there is none. json_item returns item i. */
const json_value *json_get(const json_value *v, const char *key);
const json_value *json_item(const json_value *v, int i);
/* Returns the text; NULL when v is none, or holds a NUL. */
const char *json_text_of(const json_value *v);
/* Return the number, or whether it is true; `otherwise` when v is no number, no boolean. */
double json_number_of(const json_value *v, double otherwise);
bool json_bool_of(const json_value *v, bool otherwise);
/* Returns the whole number from least to greatest; `otherwise` for any other value. */
int json_int_of(const json_value *v, int least, int greatest, int otherwise);
