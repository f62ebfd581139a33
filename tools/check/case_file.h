/* SPDX-License-Identifier: Apache-2.0
 * case_file.h - reads a case file, functions/NAME.check: the cases of the operator NAME.
 *
 *     # Softmax along an axis.
 *     bound 2 ulp + 1 ulp(1)
 *     attributes none
 *     attributes axis = 0
 *     inputs T[3,4]
 *     inputs <axis = 1> T[2,3,5]
 *     refused <axis = 2> T[3,4]
 *
 * One entry a line. Blank lines and lines that begin with '#' say nothing.
 *
 *     inputs LIST            inputs of a case, with ";" between them
 *     refused LIST           inputs that the operator does not allow: its kernel must refuse them
 *     attributes LIST        attributes as in a node of ONNX text, or none
 *     inputs of OP           all inputs and refused lines of OP's file
 *     attributes of OP       all attributes lines of OP's file
 *     outputs N              outputs to compare; without the line 1
 *     bound SUM              how far kernel and body may be apart; without the line bits are equal
 *     numbers mild           no limits of the type: sums of their products depend on the order
 *     stash_type since N     from opset N on the operator computes in its attribute stash_type
 *     types NAME NAME ...    what T stands for; without the line all types of the first input
 *     opset N                the only opset to check; without the line every version of kernel
 *                            and body from the first body on, and the newest opset
 *     domain NAME            the operator's, where it is not ONNX's own
 *     defect differs: TEXT   what is wrong in the standard's text: its output differs
 *     defect fails: TEXT     what is wrong in the standard's text: it does not run
 *     maker NAME             a C function makes the cases; no other line goes with it
 *
 * A bound, 2 ulp + 1 ulp(1) + 3 least, is a sum of units in the last place of the result (ulp), of
 * 1 (ulp(1): for results that are the difference of greater terms; then signs of zeros may differ
 * too), and least numbers above 0 of the type (least).
 *
 * An input is a type with dimensions: T[2,3], or float[] for a scalar. A missing input is blank. A
 * mark before the type says which numbers the input holds: no mark, any; "n" ordinary ones; "+"
 * above 0; "p" in [0, 1); "i5" whole numbers from 0 to 4; "=" those behind it: = int64[2] {4, 5},
 * which are values in every type, unlike in ONNX text: T may be any.
 * Before a list, "<axis = 2>" gives it attributes of its own; behind it, "-> 2" asks for two
 * outputs only. "since 21:" and "before 21:" at the beginning of a list say for which opsets. */
#pragma once

#include "check/cases.h"

enum { CHECK_MOST_OPSET = 999 }; /* highest opset that a case may ask for */

/* Returns the family of another operator, for lines that say "of OP"; NULL with *e set when
 * there is none. */
typedef const check_family *check_find_fn(void *ctx, const char *op, oc_error *e);

typedef struct check_source {
    const char *path, *op;
    char *text;          /* the text is changed, and the family borrows from it */
    check_find_fn *find; /* may be NULL when no line says "of" */
    void *ctx;
} check_source;

/* Reads a case file. Errors are OC_FORMAT and name the path, the line and the column. *out
 * must stay where it is: parts of it point to others. Free out->spec with check_spec_free, also
 * after an error. */
void check_read_file(const check_source *source, check_family *out, oc_error *e);
