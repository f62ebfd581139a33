/* SPDX-License-Identifier: Apache-2.0
 * where.h - where is the difference, and which side is at fault? */
#pragma once

#include "check/run.h"

/* ---- which of two results is nearer to what the body gives in double? (nearer.c) ---- */

/* Runs the body (of the command line, if it names one) on the inputs of a case, whose floats are
 * converted to double, and compares the first element that differs with the result. A stash_type
 * is double too, if the body allows it. */
check_nearer check_find_nearer(const check_run *run, int way);

/* Returns the text of a model with one node, with the node's floats converted to double. stash:
 * its stash_type is double too. Free it with free. NULL: *e tells why there is no such model. */
char *check_double_text(const oc_model *m, const char *text, bool stash, oc_error *e);

/* ---- in which inner value do two bodies of an operator begin to differ? (inner.c) ---- */

/* Runs the body of a way and that of --against once more on the inputs of a case, node by node.
 * Compares the inner values that have one name in both, in the order of the way's nodes. */
check_inner check_find_inner(const check_run *run, int way);
