/* SPDX-License-Identifier: Apache-2.0
 * work.c - cuts work into pieces whose size the clock decides, and shares it among tasks. */
#include "base/work.h"

#include "base/limits.h"
#include "base/share.h"
#include "base/system.h"

/* A piece takes about PIECE nanoseconds. The first piece is known to take no longer than that,
 * or is guessed to take FIRST; the next ones grow by doubling, and a piece that took SLOW or
 * more makes the next one smaller at once. */
enum { PIECE = 1000 * 1000, SLOW = 2 * PIECE, ROUND = 40 * PIECE, MOST_COUNT = 1 << 12 };
enum { FIRST = 1 << 18 /* in products; about 10 microseconds */ };

#ifdef OC_ASK_OFTEN
enum { OFTEN = true };
#else
enum { OFTEN = false };
#endif

/* Returns how many steps the next piece shall have after a piece of `some` steps took `took`
 * nanoseconds. */
static int64_t adapt(int64_t some, uint64_t took)
{
    if (OFTEN)
        return some;
    if (took > SLOW)
        return some / (int64_t)(took / PIECE);
    return took < PIECE / 2 && some < INT64_MAX / 2 ? some * 2 : some;
}

static bool may_begin(oc_pieces *p)
{
    if (p->some == 0) { /* the first piece is too short for a look at the clock */
        p->some = p->least;
        return !oc_watch_ended(p->watch);
    }
    const uint64_t now = oc_clock();
    if (p->began)
        p->some = adapt(p->some, now - p->began);
    p->some = oc_max(p->some, p->least);
    p->began = now;
    return oc_watch_look(p->watch, now);
}

bool oc_pieces_step(oc_pieces *p)
{
    const bool one = !oc_watch_can_end(p->watch);
    if (!one && !may_begin(p)) {
        p->n = p->end;
        return false;
    }
    p->first = p->end;
    p->end = one || p->n - p->first < p->some ? p->n : p->first + p->some;
    return true;
}

bool oc_pieces_more(oc_pieces *p)
{
    return oc_pieces_next(p);
}

oc_count oc_count_of(const oc_work *w)
{
    enum { FEW = OFTEN ? 1 : 16 }; /* steps before the first look */
    oc_count c = {.left = INT32_MAX, .each = FEW};
    if (oc_watch_can_end(w->watch)) {
        c.watch = w->watch;
        c.ended = oc_watch_ended(w->watch);
        c.left = c.ended ? 1 : FEW + 1;
    }
    return c;
}

bool oc_count_look(oc_count *c)
{
    c->left = 1;
    if (!c->watch) {
        c->left = INT32_MAX;
        return true;
    }
    if (c->ended)
        return false;
    const uint64_t now = oc_clock();
    if (!oc_watch_look(c->watch, now)) {
        c->ended = true;
        return false;
    }
    if (c->looked) {
        const int64_t each = adapt(c->each, now - c->looked);
        c->each = each < 1 ? 1 : each > MOST_COUNT ? MOST_COUNT : (int32_t)each;
    }
    c->looked = now;
    c->left = c->each;
    return true;
}

bool oc_work_look(const oc_work *w)
{
    return !oc_watch_can_end(w->watch) || oc_watch_look(w->watch, oc_clock());
}

/* ---- units that tasks share ---- */

oc_work oc_work_for(const oc_work *w, double cost)
{
    const double grains = cost / OC_GRAIN;
    oc_work some = *w;
    some.cost = cost;
    some.threads = w->threads < 2 || !(grains >= 2) ? 1
                   : grains < w->threads            ? (int)grains
                                                    : w->threads;
    return some;
}

int oc_work_most_tasks(const oc_work *w)
{
    return w->threads < 1 ? 1 : oc_min(w->threads, OC_MAX_THREADS);
}

int oc_work_tasks(const oc_work *w, int64_t n)
{
    const int most = oc_work_most_tasks(w);
    return n < most ? (int)n : most;
}

typedef struct job {
    const oc_work *work;
    oc_work_fn *fn;
    void *arg;
    int64_t n;
    int tasks;
    /* The pieces that each task has left when it returns at the time `until`. NULL: tasks return
     * when all their pieces are done. */
    oc_pieces *left;
    uint64_t until;
} job;

/* Returns the units of task i, which follow each other. */
static oc_pieces pieces_of_task(const job *j, int i)
{
    const oc_span span = oc_share(j->n, j->tasks, i);
    const int64_t each = j->n / j->tasks;
    const double guess = j->work->cost > 0 ? FIRST / j->work->cost * (double)j->n : 1;
    oc_pieces p = oc_pieces_of(j->work, span.end, 1);
    if (!OFTEN && guess >= (double)each + 1)
        p.least = p.n; /* all units are one piece */
    else if (!OFTEN && guess > 1)
        p.some = (int64_t)guess;
    p.first = p.end = span.first;
    return p;
}

static void run_pieces(const job *j, int task, oc_pieces *p)
{
    while (oc_pieces_next(p)) {
        j->fn(j->arg, task, p->first, p->end);
        if (j->until && p->end < p->n && oc_clock() > j->until)
            return;
    }
}

static void run_task(void *arg, int i)
{
    const job *j = arg;
    if (j->left) {
        run_pieces(j, i, &j->left[i]);
        return;
    }
    oc_pieces p = pieces_of_task(j, i);
    run_pieces(j, i, &p);
}

/* Are all pieces done, or may no further piece begin? */
static bool is_done(const job *j)
{
    for (int i = 0; i < j->tasks; i++)
        if (j->left[i].end < j->left[i].n)
            return !oc_watch_ask(j->work->watch);
    return true;
}

/* Are the threads the host's? Then the caller cannot ask while it waits, so tasks return after a
 * while and the caller asks between rounds. */
static bool is_in_rounds(const oc_work *w, int tasks)
{
    return w->parallel && w->parallel->run && tasks > 1 && oc_watch_can_end(w->watch) &&
           !oc_threads_own(w->parallel);
}

static void run_in_rounds(job *j)
{
    oc_pieces left[OC_MAX_THREADS];
    j->left = left;
    for (int i = 0; i < j->tasks; i++)
        left[i] = pieces_of_task(j, i);
    do {
        j->until = oc_clock() + ROUND;
        oc_parallel_run(j->work->parallel, j->tasks, run_task, j);
    } while (!is_done(j));
}

void oc_work_run(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg)
{
    job j = {.work = w, .fn = fn, .arg = arg, .n = n, .tasks = oc_work_tasks(w, n)};
    if (oc_watch_can_end(w->watch)) {
        if (!oc_watch_look(w->watch, oc_clock()))
            return;
    } else if (j.tasks == 1) { /* all units are one piece */
        fn(arg, 0, 0, n);
        return;
    }
    if (is_in_rounds(w, j.tasks))
        run_in_rounds(&j);
    else
        oc_parallel_run(w->parallel, j.tasks, run_task, &j);
}

typedef struct taken {
    const oc_work *work;
    oc_work_fn *fn;
    void *arg;
    int64_t n;
    /* The time at which tasks return with units left. 0: they return when their units are done. */
    uint64_t until;
    atomic_llong next;
} taken;

static void take_units(void *arg, int i)
{
    taken *t = arg;
    oc_watch *watch = t->work->watch;
    const bool looks = oc_watch_can_end(watch);
    for (int64_t unit; (unit = atomic_fetch_add(&t->next, 1)) < t->n;) {
        if (looks && !oc_watch_look(watch, oc_clock()))
            return;
        t->fn(t->arg, i, unit, unit + 1);
        if (t->until && oc_clock() > t->until)
            return;
    }
}

void oc_work_run_next(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg)
{
    taken t = {.work = w, .fn = fn, .arg = arg, .n = n};
    const int tasks = oc_work_tasks(w, n);
    const bool rounds = is_in_rounds(w, tasks);
    do {
        t.until = rounds ? oc_clock() + ROUND : 0;
        oc_parallel_run(w->parallel, tasks, take_units, &t);
    } while (rounds && t.next < n && oc_watch_ask(w->watch));
}

enum { BYTES = 1 << 16 }; /* of the smallest piece */

void oc_work_copy(const oc_work *w, void *dst, const void *src, size_t size)
{
    oc_pieces p = oc_pieces_of(w, (int64_t)size, BYTES);
    while (oc_pieces_next(&p))
        memcpy((char *)dst + p.first, (const char *)src + p.first, (size_t)(p.end - p.first));
}

void oc_work_zero(const oc_work *w, void *dst, size_t size)
{
    oc_watch_zero(w->watch, dst, size);
}
