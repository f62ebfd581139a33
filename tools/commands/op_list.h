/* SPDX-License-Identifier: Apache-2.0
 * op_list.h - names, versions and types of operators as text. */
#pragma once

#include "session/op_table.h"

enum { OP_TYPES = 400 };
/* Writes the type sets, or the ports when the signature has no sets. Returns text. */
const char *op_types_text(const oc_op_info *op, char text[OP_TYPES]);

/* Element types as the command lists them. Those of optional sequences are listed with the
 * optionals, and sequences of maps are left out. */
typedef struct op_types {
    const char *title, *key; /* "  sequences of", "sequence" */
    oc_type_mask types;
} op_types;

enum { OP_FORMS = 4 };
/* Lists what a variable may be, form by form. */
void op_forms(const oc_type_sets *sets, op_types form[OP_FORMS]);
/* Prints each form that has types, behind its title. With tight the title's leading blanks are
 * left out. */
void op_print_forms(const oc_type_sets *sets, bool tight);

enum { OP_VERSIONS = 120 };
/* Writes the versions of the operator whose newest is entry i, newest first. Returns text. */
const char *op_versions_text(int i, char text[OP_VERSIONS]);
/* Returns the indices of the first version of each operator, sorted by name; *n is their number.
 * Free with free. */
int *op_sorted(int *n);

/* ---- ocellus ops --markdown (ops_page.c) ---- */

/* Prints the page. The file of counts, if it is not NULL, has lines "NAME CASES PASSED TESTS":
 * the text cases that call the operator, the tests of ONNX that call it and pass, and all tests
 * of ONNX that call it. */
void ops_page_print(const char *counts, oc_error *e);
