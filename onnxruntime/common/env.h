/* SPDX-License-Identifier: Apache-2.0
 * env.h - an environment: where the log goes, and how many threads its sessions have that say
 * nothing of their own. */
#ifndef ORT_ENV_H
#define ORT_ENV_H

#include "common/status.h"

#include <stdatomic.h>

/* Where lines of the log go, and which. */
struct OrtLogger {
    OrtLoggingFunction function; /* NULL: standard error */
    void *param;
    _Atomic(OrtLoggingLevel) level; /* the least that is told; others may change it meanwhile */
    char *id;                       /* what lines are marked with */
};

struct OrtEnv {
    OrtLogger logger;
    int threads; /* 0: one for each processor */
};

/* *copy becomes a logger like another, with strings of its own. */
OrtStatus *ort_logger_copy(const OrtLogger *from, OrtLogger *copy);
void ort_logger_clear(OrtLogger *logger);
/* Tells a line about a session or a run. */
void ort_log(const OrtLogger *logger, OrtLoggingLevel level, const char *format, ...)
    ORT_PRINTF(3, 4);

#endif
