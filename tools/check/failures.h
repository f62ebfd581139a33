/* SPDX-License-Identifier: Apache-2.0
 * failures.h - the failures of one operator's cases, those at one place of a body told together. */
#ifndef TOOLS_CHECK_FAILURES_H
#define TOOLS_CHECK_FAILURES_H

#include "check/run.h"

enum { FAILURES_PLACES = 20 };

typedef struct check_failure {
    char *first;  /* the line about the first case, up to its outcome */
    char *text;   /* why the first case failed */
    char *place;  /* what the texts of the other cases have in common with that text */
    char *replay; /* the command that runs the first case again */
    int n;        /* number of cases */
} check_failure;

/* Begins as {0}; failures_end makes it that again. */
typedef struct check_failures {
    check_failure at[FAILURES_PLACES];
    int n;
} check_failures;

/* Counts the result of a way that failed. false: it did not fail, or at one place too many. */
bool failures_add(check_failures *f, const check_run *run, int way);

/* Prints two lines for each place. */
void failures_end(check_failures *f);

#endif
