/* SPDX-License-Identifier: Apache-2.0
 * progress.h - a line on a terminal that tells how far a job is: "412/1000, 103/s, 5 s left". */
#ifndef TOOLS_SESSION_PROGRESS_H
#define TOOLS_SESSION_PROGRESS_H

#include "common/tool.h"

typedef struct progress {
    bool on;             /* false: nothing is shown */
    int n, width;        /* files; characters that are shown now */
    double begin, shown; /* seconds of session_clock */
} progress;

/* wanted is not enough: standard error must be a terminal. */
progress progress_begin(bool wanted, int n);
/* Shows that many files, if the last time is long enough ago. */
void progress_print(progress *p, int done);
/* Shows this text instead, if the last time is long enough ago. */
void progress_show(progress *p, const char *format, ...) TOOL_PRINTF(2, 3);
/* Digits behind the point of a rate or of seconds that are shown: no more than tell something, and
 * no exponent where the number is great. */
int progress_digits(double x);
/* Takes the line away, before another is printed. */
void progress_clear(progress *p);

#endif
