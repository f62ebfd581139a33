/* SPDX-License-Identifier: Apache-2.0
 * expression.h - integers that only a run knows: sums, products and quotients of named sizes.
 *
 * A table holds each expression once, under a handle. It knows what each expression is at some
 * points, which are sizes of all names at once; by these values expressions are compared, so that
 * n*2 and n+n have one handle. */
#pragma once

#include "base/names.h"

enum {
    OC_NO_EXPRESSION = -1,
    OC_POINTS = 16,
    OC_SURE_POINTS = 2,         /* the first points, at which no two names or numbers are alike */
    OC_EXPRESSION_LISTS = 1024, /* of the hash table */
    OC_EXPRESSION_TERMS = 64    /* names and numbers that one expression may have */
};

/* What an expression is at a point at which it does not fit in 64 bits. */
#define OC_NO_SIZE INT64_MIN

typedef enum oc_expression_kind {
    OC_NUMBER,
    OC_NAME,
    OC_SUM,
    OC_PRODUCT,
    OC_QUOTIENT /* rounded down */
} oc_expression_kind;

typedef struct oc_expression {
    oc_expression_kind kind;
    int a, b;     /* handles of the operands */
    int terms;    /* names and numbers within */
    oc_name name; /* "": the size has no name, and whatever contains it has no text */
    int64_t at[OC_POINTS];
    int next; /* in its list of the hash table */
} oc_expression;

typedef struct oc_expressions {
    oc_arena *arena;
    oc_expression *item;
    int n, n_names;
    oc_name_map names; /* to handles */
    int list[OC_EXPRESSION_LISTS];
} oc_expressions;

/* Handle 0 of the empty table is the number 0. */
void oc_expressions_begin(oc_expressions *x, oc_arena *arena);
/* Handles, which are OC_NO_EXPRESSION where memory runs out. A name that is "" is a new size at
 * each call. */
int oc_expression_of_number(oc_expressions *x, int64_t number);
int oc_expression_of_name(oc_expressions *x, oc_name name);
/* A sum, product or quotient; OC_NO_EXPRESSION also where an operand is, where it has no size at a
 * sure point, or where it would have too many terms. */
int oc_expression_combine(oc_expressions *x, oc_expression_kind kind, int a, int b);

bool oc_expression_is_number(const oc_expressions *x, int handle, int64_t *number);
/* A size of name i, for point k of 0 to OC_POINTS - 1. */
int64_t oc_expression_size(int i, int k);
/* The text in the table's arena, such as "2*n" or "(n-1)/2"; NULL: it has none. */
const char *oc_expression_text(const oc_expressions *x, int handle);
