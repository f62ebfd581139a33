/* SPDX-License-Identifier: Apache-2.0
 * tally.h - counts of outcomes: of a group of cases, of an operator, of all operators. */
#ifndef TOOLS_CHECK_TALLY_H
#define TOOLS_CHECK_TALLY_H

#include "check/run.h"

enum { CHECK_DEFECTS = 8 };

typedef struct check_counts {
    int n[CHECK_N_OUTCOMES]; /* without those that a known defect explains */
    int known;               /* cases that a known defect explains */
    int exact;               /* agreeing cases with the same bits, or without outputs */
    int refused;             /* agreeing cases whose inputs were refused: nothing was compared */
    double max_abs;          /* greatest difference of agreeing cases, */
    uint64_t max_ulp;        /* and in units in the last place, */
    double share;            /* and as a share of what their bound allows */
} check_counts;

typedef struct check_tally {
    int n_operators, n_cases;
    int n_bad;           /* disagreements that no defect explains */
    compare_bound bound; /* of the first case; */
    bool bounds_differ;  /* others have another */
    check_counts way[CHECK_WAYS];
    struct {
        int touched, seen; /* number of cases that may show the defect; that do */
        char first[COMPARE_TEXT];
    } defect[CHECK_DEFECTS]; /* in the family's order */
} check_tally;

void check_tally_add(check_tally *t, const check_run *run);
/* Adds the tally of one operator to that of all. */
void check_tally_join(check_tally *all, const check_tally *one);

#endif
