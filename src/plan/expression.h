/* SPDX-License-Identifier: Apache-2.0
 * expression.h - integers that only a run knows: sums, products and quotients of named sizes.
 *
 * A table holds each expression once, under a handle. Expressions are compared by what they are
 * for some sizes of the names, so that n*2 and n+n have one handle. */
#pragma once

#include "base/names.h"

enum {
    OC_NO_EXPRESSION = -1,
    OC_EXPRESSION_POINTS = 5,   /* sizes of each name by which expressions are compared */
    OC_EXPRESSION_LISTS = 1024, /* of the hash table */
    OC_EXPRESSION_TERMS = 64    /* names and numbers that one expression may have */
};

typedef enum oc_expression_kind {
    OC_NUMBER,
    OC_NAME,
    OC_SUM,
    OC_PRODUCT,
    OC_QUOTIENT /* rounded down */
} oc_expression_kind;

typedef struct oc_expression {
    oc_expression_kind kind;
    int a, b;       /* handles of the operands */
    int terms;      /* names and numbers within */
    int64_t number; /* of a name the size that oc_expression_value takes it for */
    oc_name name;   /* "": the size has no name, and whatever contains it has no text */
    int64_t at[OC_EXPRESSION_POINTS];
    int next; /* in its list of the hash table */
} oc_expression;

typedef struct oc_expressions {
    oc_arena *arena;
    oc_expression *item;
    int n;
    oc_name_map names; /* to handles */
    int list[OC_EXPRESSION_LISTS];
} oc_expressions;

/* Handle 0 of the empty table is the number 0. */
void oc_expressions_begin(oc_expressions *x, oc_arena *arena);
/* Handles, which are OC_NO_EXPRESSION where memory runs out. A name that is "" is a new size at
 * each call. */
int oc_expression_of_number(oc_expressions *x, int64_t number);
int oc_expression_of_name(oc_expressions *x, oc_name name);
/* A sum, product or quotient; OC_NO_EXPRESSION also where an operand is, where the result may not
 * fit in 64 bits, where the divisor may be 0, or where it would have too many terms. */
int oc_expression_combine(oc_expressions *x, oc_expression_kind kind, int a, int b);

bool oc_expression_is_number(const oc_expressions *x, int handle, int64_t *number);
/* The value where each name has the size that its item has as its number; false: it does not fit
 * in 64 bits. */
bool oc_expression_value(const oc_expressions *x, int handle, int64_t *value);
/* Adds the handles of the names in the expression to the n ones in list, each once; false: they
 * would be more than most. */
bool oc_expression_names(const oc_expressions *x, int handle, int *list, int *n, int most);
/* The text in the table's arena, such as "2*n" or "(n-1)/2"; NULL: it has none. */
const char *oc_expression_text(const oc_expressions *x, int handle);
