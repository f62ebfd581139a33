/* SPDX-License-Identifier: Apache-2.0
 * guard.c - what the command prints, and what ends it, as a library has it: nothing is printed, and
 * a lack of memory is an error. */
#include "interface/guard.h"

static _Thread_local guard *innermost;

guard *guard_begin(guard *g)
{
    g->outer = innermost;
    innermost = g;
    return g;
}

void guard_end(guard *g)
{
    innermost = g->outer;
}

bool guard_fail(guard *g, oc_error *e)
{
    guard_end(g);
    tool_fail(e, OC_NOMEM, "out of memory");
    return true;
}

void *tool_require(void *block)
{
    if (!block)
#ifdef __wasi__
        __builtin_trap();
#else
        longjmp(innermost->begin, 1);
#endif
    return block;
}

void tool_print(OC_UNUSED const char *format, ...) {}
void tool_line(OC_UNUSED const char *format, ...) {}
void tool_say(OC_UNUSED const char *format, ...) {}
