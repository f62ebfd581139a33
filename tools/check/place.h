/* SPDX-License-Identifier: Apache-2.0
 * place.h - errors that tell where a line of a case file or a value of an option was written. */
#pragma once

#include "common/tool.h"

typedef struct check_place {
    const char *source; /* "functions/Softmax.check", "check: --inputs 'float[2,3]'" */
    int line;           /* from 1; 0 when the source is an option */
    const char *start;  /* first character of the line */
} check_place;

/* Sets an error unless *e holds one: "functions/Softmax.check: line 5, column 8: ..." as
 * OC_FORMAT, or for an option "check: --inputs 'flat[7]': column 1: ..." as OC_ARGUMENT. at is a
 * character of the line. */
void check_fail_at(const check_place *place, const char *at, oc_error *e, const char *format, ...)
    TOOL_PRINTF(4, 5);
