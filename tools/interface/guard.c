/* SPDX-License-Identifier: Apache-2.0
 * guard.c - goes back from where memory has run out to where a call of the library began. */
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

void guard_escape(void)
{
#ifdef __wasi__
    __builtin_trap();
#else
    longjmp(innermost->begin, 1);
#endif
}
