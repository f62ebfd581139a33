/* SPDX-License-Identifier: Apache-2.0
 * found.h - a case as a file: a model in ONNX text whose inputs have the case's numbers as
 * defaults.
 *
 * Every command that takes a model takes such a file. Its metadata holds the case's bound:
 * check.rtol, check.atol, and check.signs where zeros of different signs differ. */
#ifndef TOOLS_CHECK_FOUND_H
#define TOOLS_CHECK_FOUND_H

#include "check/cases.h"

/* Does the name of a case name a file? NULL is allowed. */
bool check_is_file(const char *name);
/* The text of the file, with a comment in front, one line or more without '#'. Free with free. */
char *check_found_text(const check_case *c, const char *comment);
/* Writes it, also after SIGINT. */
void check_found_write(const char *path, const char *text, oc_error *e);
/* Reads such a file, or any model in ONNX text whose inputs have defaults, whose bound is then that
 * of `otherwise`. The caller frees *out with check_case_free, also after an error. */
void check_found_read(const char *path, const compare_bound *otherwise, check_case *out,
                      oc_error *e);

#endif
