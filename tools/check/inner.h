/* SPDX-License-Identifier: Apache-2.0
 * inner.h - in which inner value do two bodies of an operator begin to differ? */
#pragma once

#include "check/run.h"

/* Runs the body of a way and that of --against once more on the inputs of a case, node by node.
 * Compares the inner values that have one name in both, in the order of the way's nodes. */
check_inner check_find_inner(const check_run *run, int way);
