/* SPDX-License-Identifier: Apache-2.0
 * timing.h - how long runs of a session take: samples, and the figures that sum them up. */
#ifndef TOOLS_SESSION_TIMING_H
#define TOOLS_SESSION_TIMING_H

#include "common/tool.h"

/* Milliseconds of each timed run, in the order they ran. Starts as all zero. */
typedef struct timing {
    double *ms;
    int n;
} timing;

typedef struct timing_figures {
    double min, median, p90, mean; /* milliseconds; all 0 without samples */
} timing_figures;

/* Runs the session warm times untimed, then runs times, and appends a sample for each of these. A
 * run that fails ends it. */
void timing_run(timing *t, oc_session *session, int64_t warm, int64_t runs, oc_error *e);
/* The median of an even number is the mean of the middle two; p90 is the least sample that at least
 * nine tenths do not exceed. */
timing_figures timing_sum_up(const timing *t);
void timing_free(timing *t);

#endif
