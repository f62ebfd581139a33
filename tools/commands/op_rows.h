/* SPDX-License-Identifier: Apache-2.0
 * op_rows.h - names, versions and types in the library's rows of operators. */
#ifndef TOOLS_COMMANDS_OP_ROWS_H
#define TOOLS_COMMANDS_OP_ROWS_H

#include "common/tool.h"

#include <ocellus_op.h>

/* The size of the operator's name, with its domain, at the beginning of a signature. */
size_t op_name_size(const char *signature);
bool op_same_name(const oc_op *a, const oc_op *b);
/* The part of the signature after '|', as in "T: all seq(all); U: index"; "" when there is none. */
const char *op_type_sets(const oc_op *row);

enum { OP_TYPES = 400 };
/* Writes the type sets, or the ports when the signature has no sets. Returns text. */
const char *op_types_text(const oc_op *row, char text[OP_TYPES]);

typedef struct op_type_set {
    char variable[16];
    /* Element types: bit t is set for oc_type t. */
    uint32_t tensor, sequence, optional, map;
    const char *next; /* the text after the set */
} op_type_set;

/* Reads the set of one type variable, skipping what is none; false at the end of the text. */
bool op_next_set(const char *text, op_type_set *set);

enum { OP_VERSIONS = 120 };
/* Writes the versions of the operator whose first row is row i, newest first. Returns text. */
const char *op_versions_text(int i, char text[OP_VERSIONS]);
/* Indices of the first row of each operator, sorted by name; their number in *n. Free with free. */
int *op_sorted(int *n);

#endif
