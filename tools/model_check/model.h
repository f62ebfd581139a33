/* SPDX-License-Identifier: Apache-2.0
 * model.h - runs a model in several ways and compares the values of its nodes. */
#pragma once

#include "check/options.h"
#include "values/compare.h"
#include "session/inputs.h"

/* Runs the model at path in several ways on the same inputs, compares the values of equal names,
 * prints the results, and returns the exit code. */
int check_run_model(const char *path, const input_args *input, const compare_bound *bound,
                    const check_options *options);
