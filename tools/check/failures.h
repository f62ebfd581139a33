/* SPDX-License-Identifier: Apache-2.0
 * failures.h - groups the failures of one operator's cases by their place in a body. */
#pragma once

#include "check/run.h"

enum { FAILURES_PLACES = 20 };

typedef struct check_failure {
    char *first;  /* the line about the first case, up to its outcome */
    char *text;   /* why the first case failed */
    char *place;  /* the part of that text that the other cases share */
    char *replay; /* the command that runs the first case again */
    int n;        /* number of cases */
} check_failure;

/* Starts as {0}; failures_end makes it {0} again. */
typedef struct check_failures {
    check_failure at[FAILURES_PLACES];
    int n;
} check_failures;

/* Counts the result of a way that failed. Returns false when it did not fail, or when there are
 * too many places already. */
bool failures_add(check_failures *f, const check_run *run, int way);

/* Prints two lines for each place. */
void failures_end(check_failures *f);
