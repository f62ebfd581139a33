/* SPDX-License-Identifier: Apache-2.0
 * functions.h - the option --functions: files with functions for a model, and who calls them. */
#pragma once

#include "common/args.h"
#include "common/index.h"

/* clang-format off */
#define FUNCTIONS_ARG(list)                                                                        \
    ARGS_VALUE("--functions", ARGS_LIST, "FILE", list,                                             \
               "run nodes by the functions in FILE (.onnx or .onnxtxt) of their domain and\n"      \
               "name, in place of kernels, ONNX's bodies and the model's own functions; may be\n"  \
               "given more than once")
/* clang-format on */

/* Returns the list as oc_model_options.functions takes it; NULL when it is empty. Free with
 * free. */
const char **functions_paths(const args_list *list);

/* The functions that models got from files of --functions, and which of them the models call. */
typedef struct functions_seen {
    text_index labels; /* maps "com.me::Twist of FILE" to indices */
    char **label;
    bool *called;
    int n;
} functions_seen;

void functions_note(functions_seen *seen, const oc_model *model);
/* Prints which functions no node calls; who names the models. Then empties *seen. */
void functions_print(functions_seen *seen, const char *who);
