/* SPDX-License-Identifier: Apache-2.0
 * operator.h - the cases of operators, run and handed to reports. */
#ifndef TOOLS_CHECK_OPERATOR_H
#define TOOLS_CHECK_OPERATOR_H

#include "check/report.h"

enum { CHECK_REPORTS = 2 };

/* Checks n operators, 1 or more, and returns the exit code: that of an undocumented disagreement
 * before that of an error. */
int check_run_operators(const check_family *const *family, int n, const check_options *options);

#endif
