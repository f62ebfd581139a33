/* SPDX-License-Identifier: Apache-2.0
 * replay.h - makes the command that runs one case again. */
#pragma once

#include "check/run.h"

/* Returns the shell command that runs the case again: "ocellus check Softmax --seed 7 --case
 * '...'". Free it with free. */
char *check_replay(const check_plan *plan, const check_case *c);
