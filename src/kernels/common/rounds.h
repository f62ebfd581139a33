/* SPDX-License-Identifier: Apache-2.0
 * rounds.h - long work in rounds, so that a deadline or the host can end it between two.
 *
 * How units fall into rounds depends on how much work they are and on the number of tasks; each
 * unit's result depends on neither. */
#ifndef OC_KERNELS_COMMON_ROUNDS_H
#define OC_KERNELS_COMMON_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* Asked on the thread that began the work; false ends it, with results undefined. ask NULL: it
 * runs to its end. */
typedef struct oc_go_on {
    bool (*ask)(void *ctx);
    void *ctx;
} oc_go_on;

enum { OC_ROUND_WORK = 1 << 27 }; /* products that a task makes in a round, if units allow */

typedef struct oc_rounds {
    oc_go_on go_on;
    int64_t n, each;    /* units: of all rounds, of one */
    int64_t first, end; /* of the round at hand */
} oc_rounds;

/* n units of `work` products each. */
static inline oc_rounds oc_rounds_new(oc_go_on go_on, int64_t n, double work, int tasks)
{
    const double each = OC_ROUND_WORK * (double)(tasks < 1 ? 1 : tasks) / (work < 1 ? 1 : work);
    return (oc_rounds){.go_on = go_on,
                       .n = n,
                       .each = each < 1           ? 1
                               : each < (double)n ? (int64_t)each
                                                  : n};
}

/* Begins the next round; false: there is none, or it is not wanted. */
static inline bool oc_rounds_next(oc_rounds *r)
{
    if (r->end >= r->n || (r->end > 0 && r->go_on.ask && !r->go_on.ask(r->go_on.ctx)))
        return false;
    r->first = r->end;
    r->end = r->n - r->first < r->each ? r->n : r->first + r->each;
    return true;
}

#endif
