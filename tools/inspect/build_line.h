/* SPDX-License-Identifier: Apache-2.0
 * build_line.h - which operators does a library need that runs these models, and no others? */
#pragma once

#include "common/index.h"
#include "common/json.h"

/* Starts as all zero. */
typedef struct build_line {
    text_index seen;
    /* operators with kernels, by ONNX's names; a domain other than ONNX's own stands before them */
    char **name;
    int n, n_missing;
} build_line;

/* Adds the operators of a model, and of the function bodies by which some of them run. Operators
 * that nothing runs are named on standard error. */
void build_line_add(build_line *b, const oc_model *model, const char *path, oc_error *e);
/* Prints the line that sets up such a build; with j, writes an array "ops" into the object that
 * is open. */
void build_line_print(const build_line *b, json_writer *j);
void build_line_free(build_line *b);
