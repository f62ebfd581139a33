/* SPDX-License-Identifier: Apache-2.0
 * peak.h - measures what this machine can do at best: multiply-adds in registers, and copies in
 * memory. */
#pragma once

#include "common/tool.h"

enum { PEAK_COPIES = 7 };

typedef struct peak {
    int threads;
    double gflops; /* for float, in 1e9 operations a second; a multiply-add is two operations */
    /* For memcpy: bytes read and written, of all threads together, and 1e9 of these bytes a
     * second. What fits in a cache is copied faster. */
    struct {
        double bytes, gbytes;
    } copy[PEAK_COPIES];
} peak;

/* Takes a tenth of a second. cpu is the instruction set, as oc_session_stats names it. */
peak peak_measure(const char *cpu, int threads);
/* Returns the speed for that many bytes. */
double peak_gbytes(const peak *p, double bytes);
