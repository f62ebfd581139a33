/* SPDX-License-Identifier: Apache-2.0
 * rounds.h - where may a deadline or the host end long work?
 *
 * Work is done in rounds, and may end between two. The size of a round depends on the work of a
 * unit and on the number of tasks; the result of a unit depends on neither. */
#ifndef OC_KERNELS_COMMON_ROUNDS_H
#define OC_KERNELS_COMMON_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* ask is called on the thread that began the work; where it returns false the work ends and its
 * results are undefined. ask NULL: the work is never ended early. */
typedef struct oc_go_on {
    bool (*ask)(void *ctx);
    void *ctx;
} oc_go_on;

/* Products that a task computes in a round; a single unit may have more. */
enum { OC_ROUND_WORK = 1 << 27 };

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
    if (r->end >= r->n || (r->end > 0 && r->go_on.ask && !r->go_on.ask(r->go_on.ctx)))
        return false;
    r->first = r->end;
    r->end = r->n - r->first < r->each ? r->n : r->first + r->each;
    return true;
}

#endif
