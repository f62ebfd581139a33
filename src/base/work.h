/* SPDX-License-Identifier: Apache-2.0
 * work.h - runs units of work: by threads, and in pieces between which it asks the watch.
 *
 * How large a piece is follows from the clock: about a millisecond of work. What is computed does
 * not depend on the pieces. Once the watch has ended no further piece begins; who made the watch
 * looks at it, so results need not be marked as incomplete. */
#ifndef OC_BASE_WORK_H
#define OC_BASE_WORK_H

#include "base/threads.h"
#include "base/watch.h"

typedef struct oc_work {
    const oc_parallel *parallel; /* NULL: on this thread alone */
    int threads;                 /* as many of them as the work is worth; below 1 is 1 */
    double cost;                 /* of all units, in products (base/threads.h); 0: not known */
    oc_watch *watch;             /* NULL: never ended early */
} oc_work;

/* Computes units first .. end-1. A task has one thread at a time, so it may have scratch memory. */
typedef void oc_work_fn(void *arg, int task, int64_t first, int64_t end);

/* The same for units that cost so many products: as many of the threads as get OC_GRAIN each, but
 * one. */
oc_work oc_work_for(const oc_work *w, double cost);

/* How many tasks n units are divided among, and how many any number of units is. */
int oc_work_tasks(const oc_work *w, int64_t n);
int oc_work_most_tasks(const oc_work *w);

/* Has it ended early? What was made may then be incomplete, and nothing begins any more. */
static inline bool oc_work_ended(const oc_work *w)
{
    return oc_watch_ended(w->watch);
}

/* Runs each of n units once, in any order, unless the watch has ended: it looks before the first
 * too, so a loop of such runs needs no look of its own. Task i of oc_work_tasks gets units that
 * follow each other, and as many as the others, piece by piece. */
void oc_work_run(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg);

/* The same where a task takes the next unit that no other has: few units of much work each, which
 * so end together on processors of different speed. */
void oc_work_run_next(const oc_work *w, int64_t n, oc_work_fn *fn, void *arg);

/* What runs on this thread alone, for work within a unit. */
static inline oc_work oc_work_alone(const oc_work *w)
{
    return (oc_work){.cost = w->cost, .watch = w->watch};
}

/* The pieces of a loop on this thread; a loop is written as OC_LOOP or OC_PIECES. */
typedef struct oc_pieces {
    int64_t first, end; /* of the piece at hand */
    int64_t n, least;
    int64_t some;    /* steps of the next piece; 0: of the first */
    oc_watch *watch; /* NULL, or it cannot end: all is one piece */
    uint64_t began;  /* when the piece at hand did; 0: nobody has looked */
} oc_pieces;

/* With OC_ASK_OFTEN, for tests, pieces are so small that small work too is ended in its midst. */
#ifdef OC_ASK_OFTEN
enum { OC_LEAST_MOST = 8 };
#define OC_LEAST(least) ((least) < OC_LEAST_MOST ? (least) : OC_LEAST_MOST)
#else
#define OC_LEAST(least) (least)
#endif

/* Pieces have `least` steps or more, but the last; so many take at most a millisecond, and more
 * than the hundred nanoseconds of a look at the clock. */
static inline oc_pieces oc_pieces_of(const oc_work *w, int64_t n, int64_t least)
{
    return (oc_pieces){.n = n, .least = OC_LEAST(least), .watch = w->watch};
}

/* Out of line: the next of several pieces. */
bool oc_pieces_step(oc_pieces *p);

/* false: no step is left, or the watch has ended. */
static inline bool oc_pieces_next(oc_pieces *p)
{
    if (p->end >= p->n)
        return false;
    if (p->n > p->least)
        return oc_pieces_step(p);
    p->first = p->end; /* the only piece */
    p->end = p->n;
    return !oc_watch_ended(p->watch);
}
/* The same out of line, for loops that are no part of a kernel. */
bool oc_pieces_more(oc_pieces *p);

/* A loop over n steps, each an i, and one over pieces p of n steps: p.first to p.end - 1. It asks
 * from its second piece on: a plain loop around short ones asks nobody, so that is to be one of
 * these too. `break` leaves the piece at hand alone. */
#define OC_LOOP(w, i, n, least)                                                                    \
    OC_PIECES (w, i##_piece, n, least)                                                             \
        for (int64_t i = i##_piece.first; i < i##_piece.end; i++)
#define OC_PIECES(w, p, n, least)                                                                  \
    for (oc_pieces p = oc_pieces_of(w, n, least); oc_pieces_next(&(p));)

/* For loops whose steps differ, as those of a search or a merge: one for each thread. */
typedef struct oc_count {
    oc_watch *watch;    /* NULL: nobody has to look */
    uint64_t looked;    /* at the clock; 0: not yet */
    int32_t left, each; /* steps until the next look; between two */
    bool ended;
} oc_count;

oc_count oc_count_of(const oc_work *w);
bool oc_count_look(oc_count *c);

/* Before a step; false: the watch has ended, and so must the loop and all around it. */
static inline bool oc_counts(oc_count *c)
{
    return --c->left > 0 || oc_count_look(c);
}

/* For rows of elements, which are short but may be of any length: after each million of them, is
 * the work to go on? */
bool oc_work_look(const oc_work *w);
static inline bool oc_work_at(const oc_work *w, int64_t element)
{
    enum { MILLION = 1 << 20 };
    return element % MILLION != 0 || element == 0 || oc_work_look(w);
}

/* A loop over blocks of a row, of a power of two of elements each. */
#define OC_BLOCKS(w, at, n, size) for (int64_t at = 0; at < (n) && oc_work_at(w, at); at += (size))

/* memcpy, and memset to 0, in pieces. */
void oc_work_copy(const oc_work *w, void *dst, const void *src, size_t size);
void oc_work_zero(const oc_work *w, void *dst, size_t size);

#endif
