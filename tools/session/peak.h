/* SPDX-License-Identifier: Apache-2.0
 * peak.h - what can this machine do at best: multiply-adds in registers, and copies in memory? */
#ifndef TOOLS_SESSION_PEAK_H
#define TOOLS_SESSION_PEAK_H

#include "common/tool.h"

enum { PEAK_COPIES = 7 };

typedef struct peak {
    int threads;
    double gflops; /* of float, in 1e9 a second; a multiply-add is two operations */
    /* Of memcpy: bytes read and written, of all threads together, and 1e9 of them a second. What
     * fits in a cache is copied faster. */
    struct {
        double bytes, gbytes;
    } copy[PEAK_COPIES];
} peak;

/* Takes a tenth of a second. cpu: the instruction set, as oc_session_stats names it. */
peak peak_measure(const char *cpu, int threads);
/* Of as many bytes. */
double peak_gbytes(const peak *p, double bytes);

#endif
