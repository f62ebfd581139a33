/* SPDX-License-Identifier: Apache-2.0
 * rounds.h - where may a deadline or the host end long work?
 *
 * Work is done in rounds, and may end between two. The size of a round depends on the work of a
 * unit and on the number of tasks; the result of a unit depends on neither. */
#ifndef OC_KERNELS_COMMON_ROUNDS_H
#define OC_KERNELS_COMMON_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* How much work is done between two questions. With OC_ASK_OFTEN, for tests, so little that small
 * work too is ended in its midst. */
#ifdef OC_ASK_OFTEN
enum { OC_ROUND_WORK = 1 << 10, OC_MASK_WORK = 1 << 7, OC_STRIP_STEPS = 8 };
#else
enum {
    OC_ROUND_WORK = 1 << 27,  /* products that a task computes in a round or between two questions
                                 of a pace; a single unit may have more */
    OC_MASK_WORK = 1 << 20,   /* products between two questions by a mask */
    OC_STRIP_STEPS = 1 << 10, /* steps between two looks at the pace */
};
#endif

/* Any thread may ask; where ask returns false the work ends and its results are undefined, and each
 * later answer is the same. ask NULL: the work is never ended early. */
typedef struct oc_go_on {
    bool (*ask)(void *ctx);
    void *ctx;
} oc_go_on;

static inline bool oc_goes_on(const oc_go_on *g)
{
    return !g->ask || g->ask(g->ctx);
}

/* For a loop over units of `work` products each: it asks at the units whose number has no bit of
 * this mask, that is once in 40 microseconds, or for each unit if one takes longer. */
static inline int64_t oc_ask_mask(double work)
{
    int64_t units = 1;
    while (units < 1 << 20 && (double)units * work < OC_MASK_WORK)
        units *= 2;
    return units - 1;
}

static inline bool oc_goes_on_at(const oc_go_on *g, int64_t unit, int64_t mask)
{
    return (unit & mask) != 0 || oc_goes_on(g);
}

/* The same where who called has just asked: not at unit 0. */
static inline bool oc_goes_on_after(const oc_go_on *g, int64_t unit, int64_t mask)
{
    return (unit & mask) != 0 || unit == 0 || oc_goes_on(g);
}

typedef struct oc_rounds {
    oc_go_on go_on;
    int64_t n, each;    /* units of all rounds; of one round */
    int64_t first, end; /* the units of the current round */
} oc_rounds;

/* n units of `work` products each. In a round every task has as many units as another. */
static inline oc_rounds oc_rounds_new(oc_go_on go_on, int64_t n, double work, int tasks)
{
    const int64_t many = tasks < 1 ? 1 : tasks;
    const double of_task = OC_ROUND_WORK / (work < 1 ? 1 : work);
    const bool one_round = of_task * (double)many >= (double)n;
    return (oc_rounds){.go_on = go_on,
                       .n = n,
                       .each = one_round     ? n
                               : of_task < 1 ? many
                                             : (int64_t)of_task * many};
}

/* Begins the next round; false: none is left, or ask ended the work. */
static inline bool oc_rounds_next(oc_rounds *r)
{
    if (r->end >= r->n || (r->end > 0 && !oc_goes_on(&r->go_on)))
        return false;
    r->first = r->end;
    r->end = r->n - r->first < r->each ? r->n : r->first + r->each;
    return true;
}

/* For loops whose steps differ in work: one for each thread. */
typedef struct oc_pace {
    oc_go_on go_on;
    int64_t done; /* products since the last question */
} oc_pace;

/* May a step of `work` products be made? Asks once in OC_ROUND_WORK products; after a no it says no
 * to every step, so that a loop around the one that ended ends too. */
static inline bool oc_pace_on(oc_pace *p, int64_t work)
{
    p->done += work;
    if (p->done < OC_ROUND_WORK)
        return true;
    const bool on = oc_goes_on(&p->go_on);
    p->done = on ? 0 : OC_ROUND_WORK;
    return on;
}

/* Of a loop of small steps, those between two looks at the pace: first .. end - 1. */
typedef struct oc_strip {
    int64_t first, end;
} oc_strip;

/* The next of n steps of `work` products each; false: none is left, or the pace ended them. */
static inline bool oc_strip_next(oc_strip *s, int64_t n, oc_pace *p, int64_t work)
{
    const int64_t left = n - s->end, some = left < OC_STRIP_STEPS ? left : OC_STRIP_STEPS;
    if (left <= 0 || !oc_pace_on(p, some * work))
        return false;
    s->first = s->end;
    s->end += some;
    return true;
}

#endif
