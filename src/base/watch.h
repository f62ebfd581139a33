/* SPDX-License-Identifier: Apache-2.0
 * watch.h - may a call of the host go on?
 *
 * A watch holds the deadline, the wish to cancel and the count of steps for all that one call of
 * the host does. Whatever may take long asks the watch at least every 100 ms. Every allocation
 * asks (base/memory.h), so only loops that allocate nothing have to. Once the answer was no it
 * stays no, and whoever asked unwinds with the error of oc_watch_error. */
#pragma once

#include "base/status.h"

#include <stdatomic.h>

typedef struct oc_watch {
    const char *doing; /* names the call in messages: "the run" */
    bool (*cancel)(void *ctx);
    void *cancel_ctx;
    uintptr_t thread;         /* the thread that began the watch; cancel is called only there */
    double seconds;           /* time allowed from the begin; 0: no deadline */
    uint64_t deadline;        /* the deadline on oc_clock; 0: no deadline */
    uint64_t asked;           /* time on oc_clock when oc_watch_look last called cancel */
    int64_t steps, max_steps; /* number of nodes executed; max_steps 0: no limit */
    atomic_int ended;         /* OC_OK while work may go on, then OC_DEADLINE or OC_CANCELLED */
} oc_watch;

/* Begins the watch: the deadline counts from now, and the count of steps is 0. */
void oc_watch_begin(oc_watch *w, const char *doing, const oc_limits *limits);

/* May work go on? Any thread may ask. w NULL: yes. */
bool oc_watch_ask(oc_watch *w);

/* Can the watch end the work? When it cannot, nobody has to ask. w NULL: no. */
static inline bool oc_watch_can_end(const oc_watch *w)
{
    return w && (w->cancel || w->deadline);
}

/* Did the watch end the work? Looks only at the last answer. */
static inline bool oc_watch_ended(const oc_watch *w)
{
    return w && atomic_load_explicit(&w->ended, memory_order_relaxed) != OC_OK;
}

/* As oc_watch_ask, for a watch that can end the work and for callers that look at the clock more
 * often than the host shall be called. now is the time on oc_clock. */
bool oc_watch_look(oc_watch *w, uint64_t now);

/* Sets and returns the error of a watch that has ended. */
oc_status oc_watch_error(const oc_watch *w, oc_error *e);

/* Returns OC_OK, or the error why work must end. */
static inline oc_status oc_watch_check(oc_watch *w, oc_error *e)
{
    return oc_watch_ask(w) ? OC_OK : oc_watch_error(w, e);
}

/* As oc_watch_check, for a loop of short steps: *steps counts them, and the watch is asked once
 * in 2^18 steps. */
static inline oc_status oc_watch_check_some(oc_watch *w, size_t *steps, oc_error *e)
{
    return ++*steps % (1 << 18) ? OC_OK : oc_watch_check(w, e);
}

/* As memcpy, but asks before each megabyte. Returns OC_OK, or the error that left the copy
 * incomplete. */
oc_status oc_watch_copy(oc_watch *w, void *dst, const void *src, size_t size, oc_error *e);

/* As memset to 0, but asks before each megabyte. Returns false when the watch has ended and not
 * all bytes are 0. */
bool oc_watch_zero(oc_watch *w, void *dst, size_t size);

/* Makes the system give all pages of fresh memory now, and asks the watch meanwhile. Otherwise
 * kernels that write such memory in any order could touch a new page at each write, and run for
 * long between two questions. Does nothing when the watch cannot end. Returns false when it has
 * ended. The content of the pages is lost. */
bool oc_watch_touch(oc_watch *w, void *fresh, size_t size);

/* Counts steps, but does not ask. */
oc_status oc_watch_count(oc_watch *w, int64_t steps, oc_error *e);

/* Counts a step and asks. Callers call it before the step. */
oc_status oc_watch_step(oc_watch *w, oc_error *e);
