/* SPDX-License-Identifier: Apache-2.0
 * hits.h - keeps and simplifies the worst cases that a search has met. */
#pragma once

#include "check/judge.h"
#include "check/mutate.h"

enum { SEARCH_FOUND = 12 };

/* The worst case that was met, of all or of one kind. */
typedef struct search_hit {
    judge_gap gap;
    enum judge_pair pair;
    /* as judge.h names and describes them */
    char name[CHECK_NAME], kind[JUDGE_TEXT], text[JUDGE_TEXT];
    char *file;       /* the case as found.h writes it; NULL: no case was met */
    int64_t elements; /* number of elements of its inputs */
    int64_t step;
    double seconds; /* seconds since the search began */
    judge *judge;
    unsigned char *bytes; /* the elements of its inputs, one after another */
} search_hit;

typedef struct check_search {
    int64_t steps; /* number of times that the ways ran on some numbers */
    double seconds;
    bool interrupted;
    double before; /* the greatest share of the ordinary cases that agree */
    search_hit worst[JUDGE_PAIRS];
    /* differences of the first and the last pair beyond the bound, one of each kind */
    search_hit found[SEARCH_FOUND];
    int n_found;
} check_search;

void check_search_free(check_search *s);
/* Returns the greatest of the hits in found, else the greatest difference within the bound; NULL
 * when nothing differs. */
const search_hit *check_search_worst(const check_search *s);
/* Writes the case of the first hit to path, those of further kinds to path-2, path-3 and so on,
 * with the number before the ending. Without hits it writes the worst case. */
void check_search_write(const check_search *s, const char *path, oc_error *e);

/* Called after judge_try: keeps the case if it is the worst of the pair or of its kind. */
void hits_note(check_search *out, judge *j, enum judge_pair pair, const judge_gap *gap,
               double seconds);
/* Simplifies the hits: fewer elements, and numbers that are 0 or short, as long as a hit stays
 * of its kind and keeps nine tenths of its share. */
void hits_simplify(check_search *out, mutator *m);
