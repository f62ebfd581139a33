/* SPDX-License-Identifier: Apache-2.0
 * model.h - ways of running a model, held against each other. */
#ifndef TOOLS_WAYS_MODEL_H
#define TOOLS_WAYS_MODEL_H

#include "check/options.h"
#include "values/compare.h"
#include "session/inputs.h"

/* Runs a model in several ways on the same inputs and compares what nodes give under the same
 * names; returns the exit code. */
int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *options);

#endif
