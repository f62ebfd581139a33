/* SPDX-License-Identifier: Apache-2.0
 * search.h - looks for the inputs on which results of an operator are farthest apart.
 *
 * The search begins at the ordinary cases and climbs: it changes numbers, sizes, types and
 * attributes (mutate.h) and goes on from what made a difference a greater share of the bound
 * (judge.h). Equal seeds give equal searches, up to the step at which they end. */
#ifndef TOOLS_CHECK_SEARCH_H
#define TOOLS_CHECK_SEARCH_H

#include "check/judge.h"

enum { SEARCH_FOUND = 12, SEARCH_SEEDS = 16 };

/* The worst case that was met, or the worst of a kind. */
typedef struct search_hit {
    judge_gap gap;
    enum judge_pair pair;
    char name[CHECK_NAME], kind[JUDGE_TEXT], text[JUDGE_TEXT]; /* as judge.h tells them */
    char *file;       /* the case as found.h writes it; NULL: nothing was met */
    int64_t elements; /* of its inputs */
    int64_t step;
    double seconds; /* from the beginning */
    judge *judge;
    unsigned char *bytes; /* its inputs' elements one after another */
} search_hit;

typedef struct check_search {
    int64_t steps; /* of all: runs of the ways on some numbers */
    double seconds;
    bool interrupted;
    double before; /* the worst share of the ordinary cases that agree */
    search_hit worst[JUDGE_PAIRS];
    search_hit found[SEARCH_FOUND]; /* differences of the first and the last pair past the bound, a
                                     * kind each */
    int n_found;
} check_search;

/* Where a search begins. */
typedef struct search_seeds {
    int n_cases;                /* that the family makes */
    int at[SEARCH_SEEDS];       /* the cases of the greatest shares, */
    double share[SEARCH_SEEDS]; /* which are these */
    int n;
} search_seeds;

/* Notes the case of this number, if its share is among the greatest. */
void search_seeds_add(search_seeds *seeds, int i, double share);

/* Searches as long as the options of the plan say. *e: no memory, or what stops any run. Free with
 * check_search_free, also after an error. */
void check_search_run(const check_plan *plan, const search_seeds *seeds, check_search *out,
                      oc_error *e);
/* Judges one case, which is taken over. */
void check_search_one(const check_plan *plan, check_case *c, check_search *out);
void check_search_free(check_search *s);

/* The greatest of what was found, else of the differences within the bound; NULL: nothing differs.
 */
const search_hit *check_search_worst(const check_search *s);
/* Writes the case of what was found to path, those of further kinds to path-2, path-3 ... before
 * its ending; or the worst where nothing was found. */
void check_search_write(const check_search *s, const char *path, oc_error *e);

#endif
