/* SPDX-License-Identifier: Apache-2.0
 * env.h - an environment: it says where the log goes, and how many threads a session has whose
 * options name no number. */
#pragma once

#include "common/status.h"

#include <stdatomic.h>

/* Says which lines of the log are told, and to whom. */
struct OrtLogger {
    OrtLoggingFunction function; /* NULL: standard error */
    void *param;
    _Atomic(OrtLoggingLevel)
        level; /* lines of a lower level are dropped; any thread may change it */
    char *id;  /* stands in each line */
};

struct OrtEnv {
    OrtLogger logger;
    int threads; /* 0: one for each processor */
};

/* *copy becomes a copy of a logger, with strings of its own. */
OrtStatus *ort_logger_copy(const OrtLogger *from, OrtLogger *copy);
void ort_logger_clear(OrtLogger *logger);
/* Writes a line about a session or a run to the log. */
void ort_log(const OrtLogger *logger, OrtLoggingLevel level, const char *format, ...)
    ORT_PRINTF(3, 4);
