/* SPDX-License-Identifier: Apache-2.0
 * guard.h - turns a lack of memory for small things, which ends the command, into an error.
 *
 * A call of the library begins with GUARD_FAILS and ends with guard_end. Between them guard_escape,
 * by which tool_require of silent.c ends, goes back to the beginning when memory runs out; what the
 * call has taken until then is lost. */
#pragma once

#include "common/tool.h"

#ifndef __wasi__ /* which has none: there a lack of memory is a trap, which ends the module */
#include <setjmp.h>
#endif

typedef struct guard {
#ifndef __wasi__
    jmp_buf begin;
#endif
    struct guard *outer; /* of a call of this thread around this one; NULL: there is none */
} guard;

/* Returns g, which from now on is the thread's. */
guard *guard_begin(guard *g);
void guard_end(guard *g);
/* Ends the guard, sets *e to OC_NOMEM, and returns true. */
bool guard_fail(guard *g, oc_error *e);

/* Goes back to GUARD_FAILS of the thread's guard, which is then true. */
_Noreturn void guard_escape(void);

/* True at the second return, when memory has run out. */
#ifdef __wasi__
#define GUARD_FAILS(g, e) ((void)guard_begin(g), (void)(e), false)
#else
#define GUARD_FAILS(g, e) (setjmp(guard_begin(g)->begin) != 0 && guard_fail(g, e))
#endif
