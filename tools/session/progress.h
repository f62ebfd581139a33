/* SPDX-License-Identifier: Apache-2.0
 * progress.h - shows in a line on a terminal how far a job is: "412/1000, 103/s, 5 s left". */
#pragma once

#include "common/tool.h"

typedef struct progress {
    bool on;             /* false: nothing is shown */
    int n, width;        /* number of files, 0: not known; number of characters shown now */
    double begin, shown; /* seconds of session_clock */
} progress;

/* Shows something only if wanted, and if standard error is a terminal. */
progress progress_begin(bool wanted, int n);
/* Shows that many files, if the last time is long enough ago. */
void progress_print(progress *p, int done);
/* Shows this text instead, if the last time is long enough ago. */
void progress_show(progress *p, const char *format, ...) TOOL_PRINTF(2, 3);
/* Returns how many digits behind the point to show of a rate or of seconds: as many as are
 * meaningful, and never an exponent. */
int progress_digits(double x);
/* Removes the line, before another one is printed. */
void progress_clear(progress *p);
