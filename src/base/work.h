/* SPDX-License-Identifier: Apache-2.0
 * work.h - runs units of work on several threads, and in pieces between which it asks the watch.
 *
 * The clock decides the size of a piece: about a millisecond of work. Results do not depend on
 * the pieces. Once the watch has ended, no further piece begins. Results need not be marked as
 * incomplete: whoever made the watch looks at it. */
#pragma once

#include "base/threads.h"

typedef struct oc_work {
    const oc_parallel *parallel; /* NULL: all work runs on this thread */
    int threads;                 /* most threads that the work is worth; less than 1 counts as 1 */
    double cost;                 /* work of all units in products (base/threads.h); 0: unknown */
    oc_watch *watch;             /* NULL: work is never ended early */
} oc_work;

/* Computes units first .. end-1. A task runs on one thread at a time, so each task may have
 * scratch memory of its own. */
typedef void oc_work_fn(void *arg, int task, int64_t first, int64_t end);

/* Returns w for units that cost `cost` products together: it uses only as many threads as get
 * OC_GRAIN each, at least one. */
oc_work oc_work_for(const oc_work *w, double cost);

/* Returns the number of tasks that n units are divided among; oc_work_most_tasks is the most for
 * any n. */
int oc_work_tasks(const oc_work *w, int64_t n);
int oc_work_most_tasks(const oc_work *w);

/* Has the work been ended early? Then results may be incomplete, and no further work begins. */
static inline bool oc_work_ended(const oc_work *w)
{
    return oc_watch_ended(w->watch);
}

/* Runs each of n units once, in any order, until the watch ends. It asks the watch before the
 * first unit too, so a loop of such runs need not ask. Each task of oc_work_tasks gets an equal
 * share of units that follow each other, and runs them piece by piece. */
void oc_work_run(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg);

/* As oc_work_run, but each task takes the next unit that no other task has taken. For few units
 * of much work each: tasks end together even on processors of different speed. */
void oc_work_run_next(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg);

/* Returns w for this thread alone, for work within a unit. */
static inline oc_work oc_work_alone(const oc_work *w)
{
    return (oc_work){.cost = w->cost, .watch = w->watch};
}

/* A loop on one thread, cut into pieces. Write it as OC_LOOP or OC_PIECES. */
typedef struct oc_pieces {
    int64_t first, end; /* steps of the current piece */
    int64_t n, least;
    int64_t some;    /* number of steps of the next piece; 0: the first piece has not begun */
    oc_watch *watch; /* NULL: nobody can end the loop, so all steps are one piece */
    uint64_t began;  /* when the current piece began; 0: nobody has looked at the clock */
} oc_pieces;

/* In tests with OC_ASK_OFTEN pieces are so small that even small work can be ended halfway. */
#ifdef OC_ASK_OFTEN
enum { OC_LEAST_MOST = 8 };
#define OC_LEAST(least) ((least) < OC_LEAST_MOST ? (least) : OC_LEAST_MOST)
#else
#define OC_LEAST(least) (least)
#endif

/* Cuts n steps into pieces of at least `least` steps, except the last. `least` steps must take
 * at most a millisecond, and longer than a look at the clock, which takes a hundred nanoseconds. */
static inline oc_pieces oc_pieces_of(const oc_work *w, int64_t n, int64_t least)
{
    return (oc_pieces){.n = n, .least = OC_LEAST(least), .watch = w->watch};
}

/* Finds the next of several pieces; called by oc_pieces_next. */
bool oc_pieces_step(oc_pieces *p);

/* Moves to the next piece. Returns false when no step is left or the watch has ended. */
static inline bool oc_pieces_next(oc_pieces *p)
{
    if (p->end >= p->n)
        return false;
    if (p->n > p->least)
        return oc_pieces_step(p);
    p->first = p->end; /* all steps are one piece */
    p->end = p->n;
    return !oc_watch_ended(p->watch);
}
/* As oc_pieces_next but not inlined, for loops outside of kernels. */
bool oc_pieces_more(oc_pieces *p);

/* OC_LOOP runs over n steps i; OC_PIECES runs over pieces p of n steps, p.first to p.end - 1.
 * Both ask before each piece but the first, so a plain loop around short loops never asks: make
 * it one of these too. `break` leaves only the current piece. */
#define OC_LOOP(w, i, n, least)                                                                    \
    OC_PIECES (w, i##_piece, n, least)                                                             \
        for (int64_t i = i##_piece.first; i < i##_piece.end; i++)
#define OC_PIECES(w, p, n, least)                                                                  \
    for (oc_pieces p = oc_pieces_of(w, n, least); oc_pieces_next(&(p));)

/* Counts steps of loops whose steps differ, such as searches and merges; one for each thread. */
typedef struct oc_count {
    oc_watch *watch;    /* NULL: nobody can end the loop */
    uint64_t looked;    /* time of the last look at the clock; 0: no look yet */
    int32_t left, each; /* steps until the next look, and steps between two looks */
    bool ended;
} oc_count;

oc_count oc_count_of(const oc_work *w);
bool oc_count_look(oc_count *c);

/* Counts a step before it is made. Returns false when the watch has ended: the loop and all
 * loops around it must end then. */
static inline bool oc_counts(oc_count *c)
{
    return --c->left > 0 || oc_count_look(c);
}

/* May work go on? Callers with rows, which are short but may be of any length, ask after each
 * million elements. */
bool oc_work_look(const oc_work *w);
static inline bool oc_work_at(const oc_work *w, int64_t element)
{
    enum { MILLION = 1 << 20 };
    return element % MILLION != 0 || element == 0 || oc_work_look(w);
}

/* Runs over blocks of a row of n elements; size is a power of two. */
#define OC_BLOCKS(w, at, n, size) for (int64_t at = 0; at < (n) && oc_work_at(w, at); at += (size))

/* As memcpy and as memset to 0, in pieces between which they ask. */
void oc_work_copy(const oc_work *w, void *dst, const void *src, size_t size);
void oc_work_zero(const oc_work *w, void *dst, size_t size);
