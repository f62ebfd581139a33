/* SPDX-License-Identifier: Apache-2.0
 * watch.h - may a call of the host go on? One deadline, one wish to cancel and one count of steps,
 * for all that the call does.
 *
 * Whatever may take long asks at least every 100 ms. Every allocation asks (base/memory.h), so only
 * loops that allocate nothing have to. Once the answer was no it stays no, and who asked unwinds
 * with the error of oc_watch_error. */
#ifndef OC_BASE_WATCH_H
#define OC_BASE_WATCH_H

#include "base/status.h"

#include <stdatomic.h>

typedef struct oc_watch {
    const char *doing; /* for messages: "the run" */
    bool (*cancel)(void *ctx);
    void *cancel_ctx;
    uintptr_t thread;         /* that began the watch; only there is cancel called */
    double seconds;           /* until the deadline; 0: none */
    uint64_t deadline;        /* on oc_clock; 0: none */
    uint64_t asked;           /* when oc_watch_look last called cancel */
    int64_t steps, max_steps; /* nodes executed, and how many may be; 0: any number */
    atomic_int ended;         /* OC_OK while work may go on, OC_DEADLINE or OC_CANCELLED */
} oc_watch;

/* What the deadline counts from is now, and no step was made. */
void oc_watch_begin(oc_watch *w, const char *doing, const oc_limits *limits);

/* May work go on? Any thread may ask. w NULL: yes. */
bool oc_watch_ask(oc_watch *w);

/* Can it end? Where it cannot nobody has to ask. w NULL: no. */
static inline bool oc_watch_can_end(const oc_watch *w)
{
    return w && (w->cancel || w->deadline);
}

/* Was the answer no? Asks nobody. */
static inline bool oc_watch_ended(const oc_watch *w)
{
    return w && atomic_load_explicit(&w->ended, memory_order_relaxed) != OC_OK;
}

/* As oc_watch_ask of a watch that can end, for those who look at the clock more often than the host
 * shall be called: it is `now` on oc_clock. */
bool oc_watch_look(oc_watch *w, uint64_t now);

/* Sets and returns the error of a watch that has ended. */
oc_status oc_watch_error(const oc_watch *w, oc_error *e);

/* OC_OK, or the error why work must end. */
static inline oc_status oc_watch_check(oc_watch *w, oc_error *e)
{
    return oc_watch_ask(w) ? OC_OK : oc_watch_error(w, e);
}

/* The same in a loop of short steps, which *steps counts: asks once in 2^18 of them. */
static inline oc_status oc_watch_check_some(oc_watch *w, size_t *steps, oc_error *e)
{
    return ++*steps % (1 << 18) ? OC_OK : oc_watch_check(w, e);
}

/* As memcpy, but asks before each megabyte. OC_OK, or the error why the copy is not whole. */
oc_status oc_watch_copy(oc_watch *w, void *dst, const void *src, size_t size, oc_error *e);

/* As memset to 0, asking alike; false: it has ended, and not all is 0. */
bool oc_watch_zero(oc_watch *w, void *dst, size_t size);

/* For fresh memory that work will write in any order: where the work may be ended, the system gives
 * all its pages now, asking in between, and not at the first writes to them, of which so many may
 * follow each other between two questions that each page is another. false: it has ended. What a
 * page holds is lost. */
bool oc_watch_touch(oc_watch *w, void *fresh, size_t size);

/* Counts steps that take no time, and asks nobody. */
oc_status oc_watch_count(oc_watch *w, int64_t steps, oc_error *e);

/* Counts a step and asks; to be called before the step. */
oc_status oc_watch_step(oc_watch *w, oc_error *e);

#endif
