/* SPDX-License-Identifier: Apache-2.0
 * tally.h - counts of outcomes: of a group of cases, of an operator, of all operators. */
#pragma once

#include "check/run.h"

enum { CHECK_DEFECTS = 8 };

typedef struct check_counts {
    int n[CHECK_N_OUTCOMES]; /* without the cases that a known defect explains */
    int known;               /* cases that a known defect explains */
    int exact;               /* number of agreeing cases with equal bits, or without outputs */
    /* number of agreeing cases whose inputs were refused, so that nothing was compared */
    int refused;
    double max_abs;   /* greatest difference of agreeing cases */
    uint64_t max_ulp; /* greatest difference in units in the last place */
    double share;     /* greatest difference as a share of what the case's bound allows */
} check_counts;

typedef struct check_tally {
    int n_operators, n_cases;
    int n_bad;           /* number of disagreements that no defect explains */
    compare_bound bound; /* bound of the first case */
    bool bounds_differ;  /* true: other cases have another bound */
    check_counts way[CHECK_WAYS];
    struct {
        int touched, seen; /* number of cases that may show the defect, and that do */
        char first[COMPARE_TEXT];
    } defect[CHECK_DEFECTS]; /* in the order of the family's defects */
} check_tally;

void check_tally_add(check_tally *t, const check_run *run);
/* Adds the tally of one operator to that of all. */
void check_tally_join(check_tally *all, const check_tally *one);
