/* SPDX-License-Identifier: Apache-2.0
 * watch.c - may a call of the host go on? */
#include "base/watch.h"

#include "base/int.h"
#include "base/system.h"

#include <string.h>

/* Returns the time on oc_clock that is `seconds` from now; 0 for no deadline, or for one so far
 * away that it never comes. */
static uint64_t time_in(double seconds)
{
    const double never = 1e9; /* seconds, about 32 years */
    return seconds > 0 && seconds < never ? oc_clock() + (uint64_t)(seconds * 1e9) : 0;
}

void oc_watch_begin(oc_watch *w, const char *doing, const oc_limits *limits)
{
    w->doing = doing;
    w->cancel = limits->cancel;
    w->cancel_ctx = limits->cancel_ctx;
    w->thread = oc_thread_self();
    w->seconds = limits->deadline;
    w->deadline = time_in(limits->deadline);
    w->asked = 0;
    w->steps = 0;
    w->max_steps = limits->max_steps;
    atomic_store(&w->ended, OC_OK);
}

/* Least nanoseconds between two calls of the host's cancel function. In tests with OC_ASK_OFTEN
 * every look at the clock calls it. */
#ifdef OC_ASK_OFTEN
enum { BETWEEN_CALLS = 0 };
#else
enum { BETWEEN_CALLS = 250 * 1000 };
#endif

static bool end(oc_watch *w, oc_status why)
{
    if (why != OC_OK)
        atomic_store(&w->ended, why);
    return why == OC_OK;
}

static bool ask_whether_to_end(oc_watch *w, uint64_t now, uint64_t between)
{
    if (oc_watch_ended(w))
        return false;
    if (w->thread == oc_thread_self() && now - w->asked >= between) {
        w->asked = now;
        if (w->cancel && w->cancel(w->cancel_ctx))
            return end(w, OC_CANCELLED);
    }
    return end(w, w->deadline && now > w->deadline ? OC_DEADLINE : OC_OK);
}

bool oc_watch_ask(oc_watch *w)
{
    return !oc_watch_can_end(w) || ask_whether_to_end(w, oc_clock(), 0);
}

bool oc_watch_look(oc_watch *w, uint64_t now)
{
    return ask_whether_to_end(w, now, BETWEEN_CALLS);
}

oc_status oc_watch_error(const oc_watch *w, oc_error *e)
{
    const long long steps = w->steps;
    char after[48] = "";
    if (steps)
        snprintf(after, sizeof after, " after %lld node%s", steps, steps == 1 ? "" : "s");
    if (atomic_load(&w->ended) == OC_CANCELLED)
        return oc_error_set(e, OC_CANCELLED, "%s was cancelled%s", w->doing, after);
    return oc_error_set(e, OC_DEADLINE, "%s passed its deadline of %g s%s", w->doing, w->seconds,
                        after);
}

enum { PIECE = 1 << 20 }; /* bytes between two looks at the clock */

oc_status oc_watch_copy(oc_watch *w, void *dst, const void *src, size_t size, oc_error *e)
{
    for (size_t at = 0; at < size; at += PIECE) {
        OC_TRY(oc_watch_check(w, e));
        memcpy((char *)dst + at, (const char *)src + at, oc_min(size - at, PIECE));
    }
    return OC_OK;
}

bool oc_watch_zero(oc_watch *w, void *dst, size_t size)
{
    for (size_t at = 0; at < size; at += PIECE) {
        if (size > PIECE && !oc_watch_ask(w))
            return false;
        memset((char *)dst + at, 0, oc_min(size - at, PIECE));
    }
    return true;
}

bool oc_watch_touch(oc_watch *w, void *fresh, size_t size)
{
    enum { LARGE = 1 << 26, PAGE = 1 << 12 };
    if (size < LARGE || !oc_watch_can_end(w))
        return true;
    for (size_t at = 0; at < size; at += PAGE) {
        if (at % PIECE == 0 && !oc_watch_ask(w))
            return false;
        ((volatile char *)fresh)[at] = 0;
    }
    return true;
}

oc_status oc_watch_count(oc_watch *w, int64_t steps, oc_error *e)
{
    if (w->max_steps && w->steps > w->max_steps - steps)
        return oc_error_set(e, OC_LIMIT, "%s passed its limit of %lld executed nodes", w->doing,
                            (long long)w->max_steps);
    w->steps += steps;
    return OC_OK;
}

oc_status oc_watch_step(oc_watch *w, oc_error *e)
{
    OC_TRY(oc_watch_count(w, 1, e));
    return oc_watch_check(w, e);
}
