/* SPDX-License-Identifier: Apache-2.0
 * nearer.h - which of two results that differ is nearer to what the body gives in double? */
#pragma once

#include "check/run.h"

/* Runs the body (of the command line, if it names one) on the inputs of a case, whose floats are
 * converted to double, and compares the first element that differs with the result. A stash_type
 * is double too, if the body allows it. */
check_nearer check_find_nearer(const check_run *run, int way);

/* Returns the text of a model with one node, with the node's floats converted to double. stash:
 * its stash_type is double too. Free it with free. NULL: *e tells why there is no such model. */
char *check_double_text(const oc_model *m, const char *text, bool stash, oc_error *e);
