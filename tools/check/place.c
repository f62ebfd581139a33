/* SPDX-License-Identifier: Apache-2.0
 * place.c - errors that tell where a line of a case file or a value of an option was written. */
#include "check/place.h"

#include <stdarg.h>

void check_fail_at(const check_place *place, const char *at, oc_error *e, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const int column = (int)(at - place->start) + 1;
    if (place->line)
        tool_fail(e, OC_FORMAT, "%s: line %d, column %d: %s", place->source, place->line, column,
                  text);
    else
        tool_fail(e, OC_ARGUMENT, "%.300s: column %d: %s", place->source, column, text);
}
