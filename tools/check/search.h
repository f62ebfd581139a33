/* SPDX-License-Identifier: Apache-2.0
 * search.h - searches for the inputs on which results of an operator are farthest apart.
 *
 * The search begins at the ordinary cases and climbs: it changes numbers, sizes, types and
 * attributes (mutate.h) and goes on from what made a difference a greater share of the bound
 * (judge.h). Equal seeds give equal searches, up to the step at which they end. */
#pragma once

#include "check/hits.h"

enum { SEARCH_SEEDS = 16 };

/* Where a search begins. */
typedef struct search_seeds {
    int n_cases;                /* number of cases that the family makes */
    int at[SEARCH_SEEDS];       /* numbers of the cases with the greatest shares */
    double share[SEARCH_SEEDS]; /* these shares */
    int n;
} search_seeds;

/* Records the case of this number if its share is among the greatest. */
void search_seeds_add(search_seeds *seeds, int i, double share);

/* Searches as long as the options of the plan say. *e: memory ran out, or what stops any run.
 * Free with check_search_free, also after an error. */
void check_search_run(const check_plan *plan, const search_seeds *seeds, check_search *out,
                      oc_error *e);
/* Judges one case, and takes it over. */
void check_search_one(const check_plan *plan, check_case *c, check_search *out);
