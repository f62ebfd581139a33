/* SPDX-License-Identifier: Apache-2.0
 * tally.h - what the cases of a group, of an operator, of all operators come to. */
#ifndef TOOLS_CHECK_TALLY_H
#define TOOLS_CHECK_TALLY_H

#include "check/run.h"

enum { CHECK_DEFECTS = 8 };

typedef struct check_counts {
    int n[CHECK_N_OUTCOMES]; /* those that a known defect explains apart */
    int known;
    int exact;   /* of those that agree */
    int refused; /* of those: inputs that the operator does not take, so that nothing was compared
                  */
    double max_abs;
    uint64_t max_ulp; /* both of those that agree */
} check_counts;

typedef struct check_tally {
    int n_operators, n_cases;
    int n_bad; /* disagreements that no defect explains */
    check_counts way[CHECK_WAYS];
    struct {
        int touched, seen; /* cases that the defect is about; those it shows in */
        char first[COMPARE_TEXT];
    } defect[CHECK_DEFECTS]; /* as the family lists them */
} check_tally;

void check_tally_add(check_tally *t, const check_run *run);
/* Adds an operator to the tally of all. */
void check_tally_join(check_tally *all, const check_tally *one);

#endif
