/* SPDX-License-Identifier: Apache-2.0
 * silent.c - what the command prints, and what ends it, as a library has it: nothing is printed,
 * and a lack of memory is an error. */
#include "interface/guard.h"

void *tool_require(void *block)
{
    if (!block)
        guard_escape();
    return block;
}

void tool_print(OC_UNUSED const char *format, ...) {}
void tool_line(OC_UNUSED const char *format, ...) {}
void tool_say(OC_UNUSED const char *format, ...) {}
