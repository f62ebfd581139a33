/* SPDX-License-Identifier: Apache-2.0
 * operator.h - runs the cases of operators and hands each to the reports. */
#pragma once

#include "check/report.h"

enum { CHECK_REPORTS = 3 };

/* Checks n operators, 1 or more, and returns the exit code. When there are both an unexplained
 * disagreement and an error, it is that of the disagreement. */
int check_run_operators(const check_family *const *family, int n, const check_options *options);
