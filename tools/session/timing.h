/* SPDX-License-Identifier: Apache-2.0
 * timing.h - measures how long runs of a session take, and sums the samples up in figures. */
#pragma once

#include "common/tool.h"

/* The time of each timed run in milliseconds, in the order of the runs. Starts as all zero; free
 * with timing_free. */
typedef struct timing {
    double *ms;
    int n;
} timing;

typedef struct timing_figures {
    double min, median, p90, p99, mean; /* in milliseconds; all 0 without samples */
    double rate;                        /* runs in a second */
} timing_figures;

/* Runs the session warm times without timing, then runs times with timing, and appends a sample for
 * each timed run. Stops at the first run that fails. */
void timing_run(timing *t, oc_session *session, int64_t warm, int64_t runs, oc_error *e);
/* Sums up the samples. The median of an even number of samples is the mean of the middle two.
 * p90 is the least sample that at least nine tenths of the samples do not exceed, p99 the one
 * for 99 hundredths. */
timing_figures timing_sum_up(const timing *t);
void timing_free(timing *t);
