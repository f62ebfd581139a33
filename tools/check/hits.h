/* SPDX-License-Identifier: Apache-2.0
 * hits.h - the worst cases that a search has met. */
#ifndef TOOLS_CHECK_HITS_H
#define TOOLS_CHECK_HITS_H

#include "check/judge.h"
#include "check/mutate.h"

enum { SEARCH_FOUND = 12 };

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

void check_search_free(check_search *s);
/* The greatest of what was found, else of the differences within the bound; NULL: nothing differs.
 */
const search_hit *check_search_worst(const check_search *s);
/* Writes the case of what was found to path, those of further kinds to path-2, path-3 ... before
 * its ending; or the worst where nothing was found. */
void check_search_write(const check_search *s, const char *path, oc_error *e);

/* After judge_try: keeps the case where it is the worst of the pair, or of its kind. */
void hits_note(check_search *out, judge *j, enum judge_pair pair, const judge_gap *gap,
               double seconds);
/* Makes what was found smaller: fewer elements, and numbers that are 0 or short, as long as it
 * stays of its kind and its share does not fall below nine tenths. */
void hits_simplify(check_search *out, mutator *m);

#endif
