/* SPDX-License-Identifier: Apache-2.0
 * found.h - writes and reads a case as a file: a model in ONNX text whose inputs have the case's
 * numbers as defaults.
 *
 * Every command that takes a model takes such a file. Its metadata holds the case's bound:
 * check.rtol, check.atol, and check.signs when zeros of different signs differ. */
#pragma once

#include "check/cases.h"

/* Is the name of a case the path of a file? name may be NULL. */
bool check_is_file(const char *name);
/* Returns the text of the file. The comment, one line or more without '#', comes first. Free it
 * with free. */
char *check_found_text(const check_case *c, const char *comment);
/* Writes the text to path, also after SIGINT. */
void check_found_write(const char *path, const char *text, oc_error *e);
/* Reads such a file, or any model in ONNX text whose inputs have defaults; that has the bound
 * `otherwise`. The caller frees *out with check_case_free, also after an error. */
void check_found_read(const char *path, const compare_bound *otherwise, check_case *out,
                      oc_error *e);
